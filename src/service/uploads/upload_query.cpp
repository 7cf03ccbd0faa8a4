#include "service/uploads/upload_query.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "service/problem.hpp"

namespace plumecast::service {
namespace {

/// A number that is all of a text.
template <class Number>
std::optional<Number> parsed(const std::string& text) {
    Number value{};
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

/// Numbers of cases, which are answered in the order of the file.
std::vector<std::int64_t> case_numbers_in(const std::string& list) {
    std::vector<std::int64_t> cases;
    for (const std::string& word : words_of(list)) {
        const std::optional<std::int64_t> number = parsed<std::int64_t>(word);
        if (!number || *number < 0) {
            throw Problem(
                400,
                "cases names '" + word.substr(0, 64) + "' (it takes numbers from 0, with commas between); correct it",
                "cases");
        }
        cases.push_back(*number);
    }
    std::ranges::sort(cases);
    if (std::ranges::adjacent_find(cases) != cases.end()) {
        throw Problem(400, "cases names a case more than once; name each once", "cases");
    }
    return cases;
}

double limit_in(const std::string& text) {
    const std::optional<double> limit = parsed<double>(text);
    if (!limit || !std::isfinite(*limit) || !(*limit > 0.0)) {
        throw Problem(400, "buildup_limit is no number above 0; give the build-up in bar", "buildup_limit");
    }
    return *limit;
}

bool is_true(const std::string& text) {
    if (text != "true" && text != "false") {
        throw Problem(400, "uncertainty is neither true nor false; write one of them", "uncertainty");
    }
    return text == "true";
}

}  // namespace

UploadQuestion upload_question(const Request& request) {
    UploadQuestion question;
    for (const auto& [name, value] : request.query) {
        if (request.query.count(name) > 1) {
            throw Problem(400, "the URL states " + name.substr(0, 64) + " more than once; state it once", name);
        }
        if (name == "fields") {
            question.fields = words_of(value);
        } else if (name == "cases") {
            question.cases = case_numbers_in(value);
        } else if (name == "buildup_limit") {
            question.buildup_limit = limit_in(value);
        } else if (name == "measure") {
            question.measure = Json::parse(value, body_name);
            measure_of(question);
        } else if (name == "picture") {
            question.picture = Json::parse(value, body_name);
        } else if (name == "uncertainty") {
            question.uncertainty = is_true(value);
        } else if (name != "model") {
            throw Problem(400,
                          "the URL states '" + name.substr(0, 64) +
                              "' (an upload takes model, fields, cases, buildup_limit, measure, picture and "
                              "uncertainty); leave it out",
                          name);
        }
    }
    return question;
}

}  // namespace plumecast::service
