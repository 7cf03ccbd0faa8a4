#include "service/uploads/upload_query.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "service/problem.hpp"

namespace plumecast::service {
namespace {

/// A number that is all of a text.
std::optional<double> number_in(const std::string& text) {
    double value = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The words between commas.
std::vector<std::string> words_of(const std::string& list) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

}  // namespace

void read_query(const Request& request, UploadQuestion& question) {
    for (const auto& [name, value] : request.query) {
        const auto refuse = [&, entry = name](const std::string& problem) { throw Problem(400, problem, entry); };
        if (request.query.count(name) > 1) {
            refuse("the URL states " + name.substr(0, 64) + " more than once; state it once");
        }
        if (name == "fields") {
            question.fields = words_of(value);
        } else if (name == "buildup_limit") {
            question.buildup_limit = number_in(value);
            if (!question.buildup_limit || !std::isfinite(*question.buildup_limit) ||
                !(*question.buildup_limit > 0.0)) {
                refuse("buildup_limit is no number above 0; give the build-up in bar");
            }
        } else if (name == "uncertainty") {
            question.uncertainty = value == "true";
            if (value != "true" && value != "false") {
                refuse("uncertainty is neither true nor false; write one of them");
            }
        } else if (name != "model") {
            refuse("the URL states '" + name.substr(0, 64) +
                   "' (an upload takes model, fields, buildup_limit and uncertainty); leave it out");
        }
    }
}

}  // namespace plumecast::service
