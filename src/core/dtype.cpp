#include <plumecast/core/dtype.hpp>

namespace plumecast {

std::size_t size_of(DType type) { return type == DType::float64 ? 8 : 4; }

std::string_view name_of(DType type) { return type == DType::float64 ? "float64" : "float32"; }

}  // namespace plumecast
