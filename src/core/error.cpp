#include <plumecast/core/error.hpp>

namespace plumecast {

void fail_expectation(const char* what, const std::source_location& where) {
    throw Error(std::string("internal: ") + what + " (expected in " + where.file_name() + ":" +
                std::to_string(where.line()) + "); please report it");
}

}  // namespace plumecast
