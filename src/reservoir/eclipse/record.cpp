#include "reservoir/eclipse/record.hpp"

#include <cstddef>

namespace plumecast::eclipse {

std::string description(const Record& record) {
    static constexpr const char* names[] = {"INTE", "REAL", "DOUB", "LOGI", "text", "MESS"};
    return record.keyword + " (" + names[static_cast<std::size_t>(record.type)] + ", " + std::to_string(record.count) +
           " values)";
}

}  // namespace plumecast::eclipse
