#include "reservoir/dataset/value_violations.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <plumecast/reservoir/dataset/ranges.hpp>

#include "core/number_text.hpp"
#include "dataset_layout.hpp"
#include "reservoir/dataset/range_text.hpp"

namespace plumecast {
namespace {

/// Cells of one array and case that violate one rule.
struct Offenders {
    std::size_t count = 0;
    std::size_t first = 0;
    double value = 0.0;

    void add(std::size_t index, double found) {
        if (count++ == 0) {
            first = index;
            value = found;
        }
    }
};

}  // namespace

std::vector<Violation> value_violations(const ArraySpec& spec, std::int64_t which, const std::vector<float>& values,
                                        const std::vector<float>& active, const Shape& space, bool is_free) {
    const bool is_mask = spec.name() == "active";
    const bool is_number = spec.name() == "saturation_region";  // of a table, counted from 1
    if (!banded_field(spec.name()).empty() &&
        std::ranges::all_of(values, [](float value) { return std::isnan(value); })) {
        return {};  // not calibrated for the case
    }
    Offenders not_finite;
    Offenders out_of_range;
    Offenders inactive;
    Offenders no_number;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (active[i % active.size()] == 0.0F) {
            const bool is_fill = value == 0.0 || (spec.role == Role::output && std::isnan(value));
            if (!is_fill) {
                inactive.add(i, value);
            }
        } else if (!std::isfinite(value)) {
            not_finite.add(i, value);
        } else if (is_mask ? value != 0.0 && value != 1.0 : !is_free && !is_within(spec.low, spec.high, value)) {
            out_of_range.add(i, value);
        } else if (is_number && (value < 1.0 || value != std::floor(value))) {
            no_number.add(i, value);
        }
    }
    std::vector<Violation> violations;
    const auto name = [&](const Offenders& found, const std::string& rule, const std::string& remedy) {
        if (found.count == 0) {
            return;
        }
        std::string place = "case " + std::to_string(which);
        if (spec.role == Role::connection) {
            place += ", connection " + std::to_string(found.first);
        } else if (spec.axes.size() > 1) {
            const auto cell = static_cast<std::int64_t>(found.first % active.size());
            place += ", cell " + cell_text(space, cell);
            place += spec.role == Role::output ? ", time " + std::to_string(found.first / active.size()) : "";
        }
        violations.push_back(
            {spec.path,
             place + ": value " + number_text(found.value, spec.low, spec.high) + " " + rule +
                 (found.count > 1 ? " (and " + std::to_string(found.count - 1) + " more in this case)" : ""),
             remedy, true});
    };
    const std::string range = with_unit(number_text(spec.low) + " to " + number_text(spec.high), spec.unit);
    name(not_finite, "is not finite",
         spec.role == Role::connection ? "state it, as 0 in a case that lacks the connection"
         : spec.axes.size() > 1        ? "replace it or mark the cell inactive"
                                       : "replace it");
    name(out_of_range, is_mask ? "is neither 0 nor 1" : "lies outside " + range, "correct value or unit");
    name(no_number, "is no whole number from 1 on", "number the saturation table of the cell");
    name(inactive, "stands in an inactive cell", "set it to 0 there");
    return violations;
}

}  // namespace plumecast
