#pragma once

#include <string>
#include <vector>

#include "service/computation.hpp"

namespace plumecast::service {

/// What is asked of cases that are computed.
struct AskedFor {
    std::vector<std::vector<std::string>> notes;
    std::vector<std::string> fields;
    WantedPicture picture;
    Measure measure;
    CasesOfFile file;

    explicit AskedFor(const Scenario& scenario)
        : notes(scenario.notes),
          fields(scenario.fields),
          picture(scenario.picture),
          measure(scenario.measure),
          file(scenario.file) {}
};

/// The JSON of computed cases: of each case the verdict with its reasons first, then notes, the figures, series and
/// findings of the report; then times and grid, where the cases are in their file, and those of the fields that are
/// asked for, [N][T][Z][R] to five digits, null in inactive cells. Throws InvalidInput for a field that there is not.
std::string answer_json(const ComputedCases& computed, const AskedFor& asked, const std::vector<std::string>& fields);

/// Throws InvalidInput naming `entry` of the request for a field that is not among `known`.
void require_known(const std::string& field, const std::vector<std::string>& known, const std::string& entry);

/// Throws InvalidInput for fields that are not among `known` or named twice.
void require_fields(const std::vector<std::string>& fields, const std::vector<std::string>& known);

}  // namespace plumecast::service
