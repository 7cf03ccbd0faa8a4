#include <plumecast/core/dtype.hpp>

namespace plumecast {

std::size_t size_of(DType type) {
    switch (type) {
        case DType::float64:
            return 8;
        case DType::float32:
            return 4;
        case DType::bfloat16:
            return 2;
    }
    return 0;
}

std::string_view name_of(DType type) {
    switch (type) {
        case DType::float64:
            return "float64";
        case DType::float32:
            return "float32";
        case DType::bfloat16:
            return "bfloat16";
    }
    return "";
}

}  // namespace plumecast
