#include "reservoir/eclipse/summary.hpp"

#include <algorithm>
#include <optional>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/eclipse/record_file.hpp>

namespace plumecast::eclipse {
namespace {

/// What SMSPEC says about the columns of PARAMS.
struct Specification {
    std::vector<std::string> keywords;
    std::vector<std::string> units;

    std::optional<std::size_t> position(const std::string& keyword) const {
        const auto found = std::ranges::find(keywords, keyword);
        return found == keywords.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(found - keywords.begin()));
    }
    std::string unit(std::size_t position) const { return position < units.size() ? units[position] : ""; }
};

Specification read_specification(const std::filesystem::path& path) {
    Specification specification;
    RecordFile file(path);
    while (const auto record = file.next()) {
        if (record->keyword == "KEYWORDS") {
            specification.keywords = file.texts(*record);
        } else if (record->keyword == "UNITS") {
            specification.units = file.texts(*record);
        }
    }
    return specification;
}

}  // namespace

SummarySeries read_summary(const CaseFiles& files, const std::string& keyword) {
    SummarySeries vector;
    if (files.specification.empty() || files.summary.empty()) {
        return vector;
    }
    const Specification specification = read_specification(files.specification);
    const auto time_at = specification.position("TIME");
    const auto value_at = specification.position(keyword);
    if (!time_at || !value_at) {
        return vector;
    }
    vector.unit = specification.unit(*value_at);
    const double days = specification.unit(*time_at) == "HOURS" ? 1.0 / 24.0 : 1.0;
    for (const std::filesystem::path& path : files.summary) {
        RecordFile file(path);
        while (const auto record = file.next()) {
            if (record->keyword != "PARAMS") {
                continue;
            }
            const std::vector<double> values = file.numbers(*record);
            if (values.size() <= std::max(*time_at, *value_at)) {
                throw InvalidData(file.path() + ": byte " + std::to_string(record->offset) +
                                  ": too few values in PARAMS (" + files.specification.string() + " names " +
                                  std::to_string(specification.keywords.size()) + "); copy both files again");
            }
            vector.days.push_back(values[*time_at] * days);
            vector.values.push_back(values[*value_at]);
        }
    }
    return vector;
}

}  // namespace plumecast::eclipse
