#include "service/problem.hpp"

#include <algorithm>
#include <new>

#include <plumecast/core/json.hpp>

namespace plumecast::service {
namespace {

std::string title_of(int status) {
    switch (status) {
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 411:
            return "Length Required";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        default:
            return status < 500 ? "Refused" : "Internal Server Error";
    }
}

/// The entry that a message of the JSON reader begins with: "cases[0].porosity" of "request: cases[0].porosity is ...".
std::string field_of(const std::string& message) {
    const std::string prefix = std::string(body_name) + ": ";
    if (!message.starts_with(prefix)) {
        return {};
    }
    const std::string rest = message.substr(prefix.size());
    const std::string unknown = "unknown key '";
    const std::size_t at = rest.find(unknown);
    std::string field = rest.substr(0, rest.find(' '));
    if (at == 0 || (at != std::string::npos && field.size() + 1 == at && field.ends_with(':'))) {
        const std::size_t begin = at + unknown.size();
        const std::string key = rest.substr(begin, rest.find('\'', begin) - begin);
        return at == 0 ? key : field.substr(0, field.size() - 1) + "." + key;
    }
    if (field.ends_with(':')) {
        field.pop_back();
    }
    return field == "line" ? std::string() : field;
}

}  // namespace

std::string plain_text(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

Response problem_response(int status, const std::string& detail, const std::string& field) {
    Json json = Json::Object{
        {"type", "about:blank"}, {"title", title_of(status)}, {"status", status}, {"detail", plain_text(detail)}};
    if (!field.empty()) {
        json["field"] = plain_text(field);
    }
    Response response{status, "application/problem+json", json.dump(-1) + "\n"};
    if (status == 401) {
        response.headers["WWW-Authenticate"] = "Bearer";
    } else if (status == 503 || status == 429) {
        response.headers["Retry-After"] = status == 503 ? "1" : "10";
    }
    return response;
}

Response problem_response(const std::exception& error) {
    if (const auto* problem = dynamic_cast<const Problem*>(&error)) {
        return problem_response(problem->status(), problem->what(), problem->field());
    }
    if (dynamic_cast<const InvalidInput*>(&error) != nullptr || dynamic_cast<const NotConverged*>(&error) != nullptr) {
        return problem_response(400, error.what(), field_of(error.what()));
    }
    if (dynamic_cast<const OutOfMemory*>(&error) != nullptr || dynamic_cast<const IoError*>(&error) != nullptr) {
        return problem_response(503, error.what());
    }
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
        return problem_response(503, "the service has no memory left for this request; ask for fewer cases or cells");
    }
    return problem_response(500, error.what());
}

}  // namespace plumecast::service
