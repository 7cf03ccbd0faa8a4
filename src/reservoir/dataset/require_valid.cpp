#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

/// Throws the first error, or returns the warnings about values.
std::vector<Violation> warnings_among(std::vector<Violation> violations, const std::string& name, bool is_file) {
    const auto first = std::ranges::find_if(violations, &Violation::is_error);
    if (first == violations.end()) {
        std::erase_if(violations, [](const Violation& one) { return !one.path.starts_with("/inputs/"); });
        std::erase_if(violations, [](const Violation& one) { return one.problem.starts_with("attribute "); });
        return violations;
    }
    const auto more = std::ranges::count_if(violations, &Violation::is_error) - 1;
    const bool has_reason = first->problem.ends_with(')');
    const std::string check = is_file ? "'plumecast validate'" : "validate()";
    const std::string rest = more > 0     ? fmt::format(" ({} names {} more)", check, counted(more, "error"))
                             : has_reason ? ""
                                          : fmt::format(" ({} checks it too)", check);
    throw InvalidData(fmt::format("{}: {}: {}{}; {}", name, first->path, first->problem, rest, first->remedy));
}

}  // namespace

std::vector<Violation> require_valid(const std::string& path) {
    return warnings_among(validate(path, Checked::all), path, true);
}

std::vector<Violation> require_valid_inputs(const std::string& path) {
    return warnings_among(validate(path, Checked::inputs), path, true);
}

std::vector<Violation> require_valid_inputs(const MemoryCases& cases) {
    return warnings_among(validate(cases, Checked::inputs), cases.name, false);
}

}  // namespace plumecast
