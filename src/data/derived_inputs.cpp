#include "derived_inputs.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

std::vector<float> map_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.rows() * dataset.columns()));
    dataset.read_map(name, {&which, 1}, values);
    return values;
}

/// k_r dz of every cell [Z, R] [mD m] times a map of weights.
std::vector<double> weighted_transmissivities(const Dataset& dataset, std::string_view weight, std::int64_t which) {
    const std::vector<float> permeability = map_of(dataset, "permeability_r", which);
    const std::vector<float> weights = map_of(dataset, weight, which);
    const std::vector<float> active = map_of(dataset, "active", which);
    const std::vector<double>& z = dataset.z_edges();
    std::vector<double> result(permeability.size());
    for (std::size_t cell = 0; cell < result.size(); ++cell) {
        const std::size_t row = cell / static_cast<std::size_t>(dataset.columns());
        // Only active cells are looked at: others may hold anything.
        result[cell] = active[cell] == 0.0F ? 0.0
                                            : static_cast<double>(permeability[cell]) *
                                                  static_cast<double>(weights[cell]) * (z[row + 1] - z[row]);
    }
    return result;
}

double transmissivity(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "active", which);
    const std::vector<double>& r = dataset.r_edges();
    const auto columns = static_cast<std::size_t>(dataset.columns());
    double lengths = 0.0;
    double resistance = 0.0;
    // A first edge on the axis has no finite logarithm; flow starts at the next one.
    for (std::size_t column = r.front() > 0.0 ? 0 : 1; column < columns; ++column) {
        const double length = std::log(r[column + 1] / r[column]);
        double sum = 0.0;
        for (std::size_t cell = column; cell < cells.size(); cell += columns) {
            sum += cells[cell];
        }
        lengths += length;
        resistance += length / sum;
    }
    return lengths / resistance;
}

double perforated_transmissivity(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "perforation", which);
    return std::accumulate(cells.begin(), cells.end(), 0.0);
}

}  // namespace

double scalar_input(const Dataset& dataset, std::string_view name, std::int64_t which) {
    if (name == "transmissivity") {
        return transmissivity(dataset, which);
    }
    if (name == "perforated_transmissivity") {
        return perforated_transmissivity(dataset, which);
    }
    return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(which)]);
}

void read_inflow_share(const Dataset& dataset, std::span<const std::int64_t> cases, std::span<float> out) {
    const auto columns = static_cast<std::size_t>(dataset.columns());
    std::size_t begin = 0;
    for (const std::int64_t which : cases) {
        const std::vector<double> cells = weighted_transmissivities(dataset, "perforation", which);
        const double total = std::accumulate(cells.begin(), cells.end(), 0.0);
        for (std::size_t row = 0; row < cells.size(); row += columns) {
            const double sum = std::accumulate(cells.begin() + static_cast<std::ptrdiff_t>(row),
                                               cells.begin() + static_cast<std::ptrdiff_t>(row + columns), 0.0);
            std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(begin + row), columns,
                        static_cast<float>(sum / total));
        }
        begin += cells.size();
    }
}

double field_scale(const Dataset& dataset, const Field& field, std::int64_t which) {
    double scale = field.scale;
    for (const PowerFactor& factor : field.factors) {
        const double value = scalar_input(dataset, factor.source, which);
        if (!(value > 0.0) || !std::isfinite(value)) {
            throw InvalidData(dataset.path() + ": " + factor.source + " is " + std::to_string(value) + " in case " +
                              std::to_string(which) + " (a power of it scales " + field.name +
                              ", so it must be positive); correct the value");
        }
        scale *= std::pow(value, factor.exponent);
    }
    return scale;
}

}  // namespace plumecast
