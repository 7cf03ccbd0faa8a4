#include <plumecast/reservoir/metrics/case_fields.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/injected_mass.hpp>
#include <plumecast/reservoir/physics/brine.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

namespace plumecast {
namespace {

/// Throws for the first value in an active cell that is not finite.
void check_finite(const std::vector<float>& values, const std::vector<float>& active, const std::string& what) {
    for (std::size_t i = 0, cell = 0; i < values.size(); ++i, cell = cell + 1 < active.size() ? cell + 1 : 0) {
        if (active[cell] != 0.0F && !std::isfinite(values[i])) {
            throw InvalidData(
                fmt::format("{}: the value in active cell {} is not finite (it can be neither measured nor "
                            "drawn); predict or simulate the case again",
                            what, cell));
        }
    }
}

std::vector<float> read_map(const Dataset& dataset, const char* name, std::int64_t number) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    const std::int64_t cases[] = {number};
    dataset.read_map(name, cases, values);
    return values;
}

CellGeometry read_geometry(const Dataset& dataset, std::int64_t number) {
    if (dataset.geometry() == Geometry::radial) {
        return radial_geometry(dataset.r_edges(), dataset.z_edges());
    }
    const std::vector<float> rates = read_map(dataset, "cell_injection_rate", number);
    const std::size_t columns = rates.size() / static_cast<std::size_t>(dataset.rows());
    std::vector<std::size_t> wells;
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t cell = column; cell < rates.size(); cell += columns) {
            if (rates[cell] > 0.0F) {
                wells.push_back(column);
                break;
            }
        }
    }
    CellGeometry geometry = box_geometry(dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), wells);
    // A corner-point grid has volumes and centres of its own.
    const std::vector<float>& volumes = dataset.cell_values("cell_volume");
    if (!volumes.empty()) {
        geometry.volumes.assign(volumes.begin(), volumes.end());
    }
    const std::vector<float>& depths = dataset.cell_values("cell_centre_z");
    geometry.centre_depths.assign(depths.begin(), depths.end());
    return geometry;
}

}  // namespace

CaseReader::CaseReader(const std::string& path, std::optional<double> top_depth)
    : CaseReader(Dataset(path), top_depth) {}

CaseReader::CaseReader(Dataset dataset, std::optional<double> top_depth)
    : dataset_(std::move(dataset)), top_depth_(top_depth) {
    if (!dataset_.has_outputs()) {
        throw InvalidData(dataset_.path() +
                          ": no /outputs (the file holds cases to predict, not fields); run 'plumecast predict' on "
                          "it first");
    }
    injected_mass_ = injected_mass(dataset_);
}

bool CaseReader::has(const std::string& output) const {
    return std::ranges::find(dataset_.outputs(), output) != dataset_.outputs().end();
}

std::vector<float> CaseReader::read_field(const std::string& name, const CaseFields& fields) const {
    if (!has(name)) {
        return {};
    }
    std::vector<float> values(times().size() * fields.active.size());
    const std::int64_t cases[] = {fields.number};
    dataset_.read_output(name, cases, values);
    check_finite(values, fields.active,
                 fmt::format("{}: /outputs/{} of case {}", dataset_.path(), name, fields.number));
    return values;
}

std::vector<std::int64_t> CaseReader::select(const std::vector<std::int64_t>& wanted) const {
    for (const std::int64_t number : wanted) {
        if (number < 0 || number >= dataset_.cases()) {
            throw InvalidInput(fmt::format("{}: no case {} (the file has cases 0 to {}); choose one of them",
                                           dataset_.path(), number, dataset_.cases() - 1));
        }
    }
    if (!wanted.empty()) {
        return wanted;
    }
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset_.cases()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool CaseReader::has_values(std::int64_t number) const {
    const std::vector<float> active = read_map(dataset_, "active", number);
    std::vector<float> values(times().size() * active.size());
    dataset_.read_output(dataset_.outputs().front(), {&number, 1}, values);
    bool has_active = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (active[i % active.size()] != 0.0F) {
            has_active = true;
            if (!std::isnan(values[i])) {
                return true;
            }
        }
    }
    return !has_active;
}

ChosenCases CaseReader::choose(const std::vector<std::int64_t>& wanted) const {
    ChosenCases chosen;
    for (const std::int64_t number : select(wanted)) {
        (has_values(number) ? chosen.numbers : chosen.without_values).push_back(number);
    }
    if (!chosen.without_values.empty() && (!wanted.empty() || chosen.numbers.empty())) {
        const std::int64_t first = chosen.without_values.front();
        throw InvalidData(
            fmt::format("{}: case {} has no values (NaN, as it could not be computed; "
                        "/case/trust_reasons says why); choose another case, or correct its inputs",
                        dataset_.path(), first));
    }
    return chosen;
}

CaseFields CaseReader::read(std::int64_t number) const {
    CaseFields fields = case_inputs(dataset_, number, top_depth_);
    fields.gas_saturation = read_field("gas_saturation", fields);
    fields.pressure_buildup = read_field("pressure_buildup", fields);
    fields.dissolved_co2 = read_field("dissolved_co2", fields);
    const auto mass = injected_mass_.begin() + (injected_mass_.empty() ? 0 : number * dataset_.snapshots());
    fields.injected_mass.assign(mass, injected_mass_.empty() ? mass : mass + dataset_.snapshots());
    return fields;
}

CaseFields case_inputs(const Dataset& dataset, std::int64_t number, std::optional<double> top_depth) {
    CaseFields fields;
    fields.number = number;
    fields.geometry = read_geometry(dataset, number);
    fields.active = read_map(dataset, "active", number);
    fields.porosity = read_map(dataset, "porosity", number);
    check_finite(fields.porosity, fields.active,
                 fmt::format("{}: /inputs/porosity of case {}", dataset.path(), number));
    const auto of_case = [&](const char* name) {
        return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(number)]);
    };
    fields.injection_rate = of_case("injection_rate");
    fields.temperature = of_case("temperature");
    const double top = of_case("initial_pressure");
    fields.top_depth = top_depth.value_or(hydrostatic_depth(top, fields.temperature));
    const CellGeometry& geometry = fields.geometry;
    double depth = -1.0;
    double pressure = 0.0;
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        const bool counts = fields.active[cell] != 0.0F;
        if (geometry.depth_of(cell) != depth) {  // an integral over depth, the same for the cells of a level row
            depth = geometry.depth_of(cell);
            pressure = hydrostatic_pressure(top, fields.temperature, depth);
        }
        fields.pore_volumes.push_back(counts ? geometry.volumes[cell] * static_cast<double>(fields.porosity[cell])
                                             : 0.0);
        fields.initial_pressures.push_back(pressure);
    }
    return fields;
}

}  // namespace plumecast
