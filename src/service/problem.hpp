#pragma once

#include <exception>
#include <string>

#include <plumecast/core/error.hpp>

#include "service/http/http.hpp"

namespace plumecast::service {

/// A request that is refused, and the status that says so.
class Problem : public Error {
   public:
    /// `field`: path of the entry of the JSON body, "cases[0].porosity"; empty for none.
    Problem(int status, const std::string& detail, std::string field = {})
        : Error(detail), status_(status), field_(std::move(field)) {}

    int status() const { return status_; }
    const std::string& field() const { return field_; }

   private:
    int status_;
    std::string field_;
};

/// What messages of the JSON reader call the body; their problems name the entry without it.
inline constexpr const char* body_name = "request";

/// An answer application/problem+json (RFC 9457): title, status, the sentence of the error, the path of the field.
Response problem_response(int status, const std::string& detail, const std::string& field = {});
/// The same of whatever was thrown.
Response problem_response(const std::exception& error);

/// A text of any bytes as JSON may hold it: what is not ASCII or a control character becomes '?'.
std::string plain_text(std::string text);

}  // namespace plumecast::service
