#include "reservoir/metrics/field_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/metrics/mass_balance.hpp"

#include "reservoir/dataset/axis_order.hpp"

namespace plumecast {
namespace {

void refuse(const Dataset& fields, const Dataset& simulated, const std::string& what) {
    throw InvalidInput(fields.path() + " and " + simulated.path() + " do not match (" + what +
                       "); compare with the simulation of the same cases");
}

void require_alike(const Dataset& fields, const Dataset& simulated) {
    if (fields.cases() != simulated.cases() || fields.space() != simulated.space()) {
        refuse(fields, simulated, "the numbers of cases or cells differ");
    }
    if (!axes_agree(fields.last_edges(), simulated.last_edges()) ||
        !axes_agree(fields.y_edges(), simulated.y_edges()) || !axes_agree(fields.z_edges(), simulated.z_edges())) {
        refuse(fields, simulated, "the cells of the grid differ");
    }
    if (!axes_agree(fields.times(), simulated.times())) {
        refuse(fields, simulated, "the times differ");
    }
}

std::vector<FieldComparison> common_fields(const Dataset& fields, const Dataset& simulated) {
    std::vector<FieldComparison> common;
    for (const std::string& name : fields.outputs()) {
        const bool is_in_both = std::ranges::find(simulated.outputs(), name) != simulated.outputs().end();
        if (is_in_both && banded_field(name).empty()) {  // ends of bands are no predictions
            common.push_back({name, fields.find(name)->unit, {}});
        }
    }
    if (common.empty()) {
        refuse(fields, simulated, "no array of /outputs is in both");
    }
    return common;
}

/// What the cells of a case are, whatever is compared.
struct CaseCells {
    std::vector<float> active, porosity;
    std::vector<double> pore_volumes;
};

CaseCells read_cells(const Dataset& dataset, std::span<const double> volumes, std::int64_t which) {
    const auto count = static_cast<std::size_t>(dataset.cells());
    CaseCells cells{std::vector<float>(count), std::vector<float>(count), {}};
    dataset.read_map("active", {&which, 1}, cells.active);
    if (dataset.geometry() == Geometry::generic) {
        return cells;
    }
    dataset.read_map("porosity", {&which, 1}, cells.porosity);
    cells.pore_volumes = pore_volumes(dataset, which, volumes, cells.porosity, cells.active);
    return cells;
}

/// Whether a field [cells, T] has a value in an active cell.
bool has_values(const std::vector<float>& field, const std::vector<float>& active) {
    const std::size_t times = field.size() / active.size();
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (active[i / times] != 0.0F && !std::isnan(field[i])) {
            return true;
        }
    }
    return false;
}

/// Adds the errors of a case to those of all fields; nothing, and false, where it has no values.
bool add_case(const Dataset& fields, const Dataset& simulated, const CaseCells& cells, std::int64_t which,
              std::vector<FieldComparison>& common) {
    std::vector<std::vector<float>> given;
    for (const FieldComparison& one : common) {
        given.push_back(read_times_last(fields, one.name, which));
    }
    if (std::ranges::none_of(given, [&](const auto& field) { return has_values(field, cells.active); })) {
        return false;
    }
    // Errors do not ask how cells lie in space: all its axes but the last go as one.
    const Shape space{simulated.cells() / simulated.columns(), simulated.columns()};
    const Shape box = space.append(simulated.snapshots());
    for (std::size_t f = 0; f < common.size(); ++f) {
        const std::vector<float> truth = read_times_last(simulated, common[f].name, which);
        FieldCase compared{ConstView(box, DType::float32, given[f].data()),
                           ConstView(box, DType::float32, truth.data()),
                           ConstView(space, DType::float32, cells.active.data())};
        if (common[f].name == "gas_saturation") {
            compared.pore_volumes = cells.pore_volumes;
        }
        common[f].errors.add(compared);
    }
    return true;
}

}  // namespace

std::vector<float> read_times_last(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> stored(static_cast<std::size_t>(dataset.cells() * dataset.snapshots()));
    dataset.read_output(name, {&which, 1}, stored);
    return times_last(stored, dataset.cells());
}

FileComparison compare_fields(const Dataset& fields, const Dataset& simulated, const ComparisonProgress& progress,
                              WithoutInjection without_injection) {
    require_alike(fields, simulated);
    FileComparison found{common_fields(fields, simulated), {}, {}, {}};
    const bool is_generic = simulated.geometry() == Geometry::generic;
    const std::vector<double> volumes = is_generic ? std::vector<double>() : cell_volumes(simulated);
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        if (case_fingerprint(fields, which) != case_fingerprint(simulated, which)) {
            refuse(fields, simulated, "the inputs of case " + std::to_string(which) + " differ");
        }
        if (without_injection == WithoutInjection::leave_out && simulated.injects_nothing(which)) {
            found.without_injection.push_back(which);
        } else {
            const CaseCells cells = read_cells(simulated, volumes, which);
            const bool is_compared = add_case(fields, simulated, cells, which, found.fields);
            (is_compared ? found.cases : found.skipped).push_back(which);
        }
        if (progress && !progress(which + 1, simulated.cases())) {
            found.is_complete = false;
            return found;
        }
    }
    if (found.cases.empty() && !found.without_injection.empty()) {
        throw InvalidData(simulated.path() +
                          ": no case can be compared (nothing is injected in those that have values, so that errors "
                          "are relative to nothing); give cases with an injection");
    }
    if (found.cases.empty()) {
        throw InvalidData(fields.path() +
                          ": no case has values (all were skipped when the file was made); see the warnings of that "
                          "run, and make it anew");
    }
    return found;
}

}  // namespace plumecast
