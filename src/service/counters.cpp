#include "service/counters.hpp"

#include <fmt/format.h>

#include <plumecast/core/version.hpp>

namespace plumecast::service {

void Counters::count(const std::string& route, int status, double seconds) {
    const std::lock_guard lock(mutex_);
    ++answers_[{route, status}];
    seconds_[route] += seconds;
}

void Counters::count_cases(std::int64_t cases) {
    const std::lock_guard lock(mutex_);
    cases_ += cases;
}

void Counters::enter() {
    const std::lock_guard lock(mutex_);
    ++in_flight_;
}

void Counters::leave() {
    const std::lock_guard lock(mutex_);
    --in_flight_;
}

std::int64_t Counters::in_flight() const {
    const std::lock_guard lock(mutex_);
    return in_flight_;
}

std::string Counters::text(std::int64_t waiting, std::int64_t joined) const {
    const std::lock_guard lock(mutex_);
    std::string text =
        "# HELP plumecast_requests_total Answers by route and status.\n"
        "# TYPE plumecast_requests_total counter\n";
    for (const auto& [key, count] : answers_) {
        text +=
            fmt::format("plumecast_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
    }
    text +=
        "# HELP plumecast_request_seconds_total Time spent on answers by route.\n"
        "# TYPE plumecast_request_seconds_total counter\n";
    for (const auto& [route, seconds] : seconds_) {
        text += fmt::format("plumecast_request_seconds_total{{route=\"{}\"}} {:.6f}\n", route, seconds);
    }
    return text + fmt::format(
                      "# HELP plumecast_cases_total Cases computed.\n# TYPE plumecast_cases_total counter\n"
                      "plumecast_cases_total {}\n"
                      "# HELP plumecast_requests_in_flight Requests being answered.\n"
                      "# TYPE plumecast_requests_in_flight gauge\nplumecast_requests_in_flight {}\n"
                      "# HELP plumecast_requests_waiting Requests that wait for their turn to compute.\n"
                      "# TYPE plumecast_requests_waiting gauge\nplumecast_requests_waiting {}\n"
                      "# HELP plumecast_requests_joined_total Requests that were computed with another one's.\n"
                      "# TYPE plumecast_requests_joined_total counter\nplumecast_requests_joined_total {}\n"
                      "# HELP plumecast_info The program.\n# TYPE plumecast_info gauge\n"
                      "plumecast_info{{version=\"{}\"}} 1\n",
                      cases_, in_flight_, waiting, joined, version());
}

}  // namespace plumecast::service
