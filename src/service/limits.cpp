#include "service/limits.hpp"

#include <fmt/format.h>

#include "service/problem.hpp"

namespace plumecast::service {

void require_within_limits(std::int64_t cases, std::int64_t values, const Limits& limits) {
    const auto require = [](std::int64_t asked, std::int64_t most, const char* what, const char* field) {
        if (asked > most) {
            throw Problem(413,
                          fmt::format("the request asks for {} {} (this service takes at most {} in one request); "
                                      "divide it, or start the service with a higher limit",
                                      asked, what, most),
                          field);
        }
    };
    require(cases, limits.cases, "cases", "cases");
    require(values, limits.values, "values (cases times cells times times)", "grid");
}

}  // namespace plumecast::service
