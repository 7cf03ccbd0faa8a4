#include <plumecast/metrics/field_comparison.hpp>

#include <algorithm>
#include <span>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/data/case_operations.hpp>
#include <plumecast/data/schema.hpp>
#include <plumecast/metrics/mass_balance.hpp>

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
    if (fields.last_edges() != simulated.last_edges() || fields.y_edges() != simulated.y_edges() ||
        fields.z_edges() != simulated.z_edges()) {
        refuse(fields, simulated, "the cells of the grid differ");
    }
    if (fields.times() != simulated.times()) {
        refuse(fields, simulated, "the times differ");
    }
}

std::vector<FieldComparison> common_fields(const Dataset& fields, const Dataset& simulated) {
    std::vector<FieldComparison> common;
    for (const std::string& name : fields.outputs()) {
        if (std::ranges::find(simulated.outputs(), name) != simulated.outputs().end()) {
            common.push_back({name, find_array(name)->unit, {}});
        }
    }
    if (common.empty()) {
        refuse(fields, simulated, "no array of /outputs is in both");
    }
    return common;
}

/// An output of a case as [cells, T], of [T, cells] in the file.
std::vector<float> read_times_last(const Dataset& dataset, std::string_view name, std::int64_t which) {
    const auto cells = static_cast<std::size_t>(dataset.cells());
    const auto times = static_cast<std::size_t>(dataset.snapshots());
    std::vector<float> stored(cells * times), turned(cells * times);
    dataset.read_output(name, {&which, 1}, stored);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        for (std::size_t t = 0; t < times; ++t) {
            turned[cell * times + t] = stored[t * cells + cell];
        }
    }
    return turned;
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
    dataset.read_map("porosity", {&which, 1}, cells.porosity);
    const Shape shape{dataset.cells()};
    cells.pore_volumes = pore_volumes(volumes, ConstView(shape, DType::float32, cells.porosity.data()),
                                      ConstView(shape, DType::float32, cells.active.data()));
    return cells;
}

}  // namespace

std::vector<FieldComparison> compare_fields(const Dataset& fields, const Dataset& simulated,
                                            const ComparisonProgress& progress) {
    require_alike(fields, simulated);
    std::vector<FieldComparison> common = common_fields(fields, simulated);
    const std::vector<double> volumes = cell_volumes(simulated);
    // Errors do not ask how cells lie in space: all its axes but the last go as one.
    const Shape space{simulated.cells() / simulated.columns(), simulated.columns()};
    const Shape box = space.append(simulated.snapshots());
    for (std::int64_t which = 0; which < simulated.cases(); ++which) {
        if (case_fingerprint(fields, which) != case_fingerprint(simulated, which)) {
            refuse(fields, simulated, "the inputs of case " + std::to_string(which) + " differ");
        }
        const CaseCells cells = read_cells(simulated, volumes, which);
        for (FieldComparison& one : common) {
            const std::vector<float> given = read_times_last(fields, one.name, which);
            const std::vector<float> truth = read_times_last(simulated, one.name, which);
            FieldCase compared{ConstView(box, DType::float32, given.data()),
                               ConstView(box, DType::float32, truth.data()),
                               ConstView(space, DType::float32, cells.active.data())};
            if (one.name == "gas_saturation") {
                compared.pore_volumes = cells.pore_volumes;
            }
            one.errors.add(compared);
        }
        if (progress && !progress(which + 1, simulated.cases())) {
            return {};
        }
    }
    return common;
}

}  // namespace plumecast
