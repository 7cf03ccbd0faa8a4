#include "service/log_line.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

#include <plumecast/core/json.hpp>

#include "service/problem.hpp"
#include "service/utc_time.hpp"

namespace plumecast::service {
namespace {

/// Where in a path the digits of the name of an ensemble are that nobody is to read: from the ninth to the next '/'.
std::pair<std::size_t, std::size_t> secret_part_of(const std::string& path) {
    constexpr std::string_view before = "/v1/ensembles/";
    constexpr std::size_t digits_shown = 8;
    if (!path.starts_with(before)) {
        return {path.size(), path.size()};
    }
    const std::size_t end = std::min(path.find('/', before.size()), path.size());
    return {std::min(before.size() + digits_shown, end), end};
}

std::string shown_path(std::string path) {
    const auto [begin, end] = secret_part_of(path);
    return plain_text(path.erase(begin, end - begin).substr(0, 128));
}

}  // namespace

std::string log_line(const Request& request, const Response& response, double seconds) {
    Json line = Json::Object{{"time", utc_text(std::chrono::system_clock::now())},
                             {"remote", plain_text(request.remote)},
                             {"method", plain_text(request.method.substr(0, 16))},
                             {"path", shown_path(request.path)},
                             {"status", response.status},
                             {"bytes", static_cast<std::int64_t>(response.body.size())},
                             {"seconds", seconds}};
    if (const auto begun = response.headers.find("Location"); begun != response.headers.end()) {
        line["begun"] = shown_path(begun->second);
    }
    return line.dump(-1);
}

}  // namespace plumecast::service
