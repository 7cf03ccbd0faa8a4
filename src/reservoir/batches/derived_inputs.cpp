#include "derived_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/cell_geometry.hpp"

namespace plumecast {
namespace {

std::vector<float> map_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, {&which, 1}, values);
    return values;
}

/// k_r, or the geometric mean of k_x and k_y [mD].
std::vector<double> horizontal_permeability(const Dataset& dataset, std::int64_t which) {
    const bool is_radial = dataset.geometry() == Geometry::radial;
    const std::vector<float> first = map_of(dataset, is_radial ? "permeability_r" : "permeability_x", which);
    const std::vector<float> second = is_radial ? first : map_of(dataset, "permeability_y", which);
    std::vector<double> result(first.size());
    for (std::size_t cell = 0; cell < result.size(); ++cell) {
        const auto k = static_cast<double>(first[cell]);
        result[cell] = is_radial ? k : std::sqrt(k * static_cast<double>(second[cell]));
    }
    return result;
}

/// Heights of the cells [m]; those with volumes of their own are as high as a box of such a volume.
std::vector<double> cell_heights(const Dataset& dataset) {
    const std::vector<float> z = cell_geometry(dataset, "cell_width_z");
    const std::vector<float>& volumes = dataset.cell_values("cell_volume");
    std::vector<double> heights(z.begin(), z.end());
    if (!volumes.empty()) {
        const std::vector<float> x = cell_geometry(dataset, "cell_width_x");
        const std::vector<float> y = cell_geometry(dataset, "cell_width_y");
        for (std::size_t cell = 0; cell < heights.size(); ++cell) {
            heights[cell] =
                static_cast<double>(volumes[cell]) / (static_cast<double>(x[cell]) * static_cast<double>(y[cell]));
        }
    }
    return heights;
}

/// Horizontal permeability times height of every cell [space...] [mD m] times a map of weights.
std::vector<double> weighted_transmissivities(const Dataset& dataset, std::string_view weight, std::int64_t which) {
    std::vector<double> result = horizontal_permeability(dataset, which);
    const std::vector<float> weights = map_of(dataset, weight, which);
    const std::vector<float> active = map_of(dataset, "active", which);
    const std::vector<double> heights = cell_heights(dataset);
    for (std::size_t cell = 0; cell < result.size(); ++cell) {
        // Only active cells are looked at: others may hold anything.
        result[cell] = active[cell] == 0.0F ? 0.0 : result[cell] * static_cast<double>(weights[cell]) * heights[cell];
    }
    return result;
}

/// Mean over the columns of cells that hold an active one.
double mean_transmissivity(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "active", which);
    const std::vector<float> x = cell_geometry(dataset, "cell_width_x"), y = cell_geometry(dataset, "cell_width_y");
    const auto columns = cells.size() / static_cast<std::size_t>(dataset.rows());
    double sum = 0.0, area = 0.0;
    for (std::size_t column = 0; column < columns; ++column) {
        double above = 0.0;
        for (std::size_t cell = column; cell < cells.size(); cell += columns) {
            above += cells[cell];
        }
        const double own = static_cast<double>(x[column]) * static_cast<double>(y[column]);
        sum += above * own;
        area += above > 0.0 ? own : 0.0;
    }
    return area > 0.0 ? sum / area : 0.0;
}

double radial_transmissivity(const Dataset& dataset, std::int64_t which) {
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

double scalar_input(const Dataset& dataset, std::string_view name, std::int64_t which, const PhysicsFields* physics) {
    if (is_physics_source(name)) {
        expects(physics != nullptr, "the physics of the case");
        return physics->scalars.find(name)->second;
    }
    if (name == "transmissivity") {
        return dataset.geometry() == Geometry::radial ? radial_transmissivity(dataset, which)
                                                      : mean_transmissivity(dataset, which);
    }
    if (name == "perforated_transmissivity") {
        return perforated_transmissivity(dataset, which);
    }
    if ((name == "salinity" || name == "residual_gas_saturation") && !dataset.has(name)) {
        return 0.0;  // fresh water, and no hysteresis
    }
    return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(which)]);
}

std::vector<double> inflow_share(const Dataset& dataset, std::int64_t which) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(dataset.path() +
                          ": no inflow_share (it belongs to the one well of a radial grid); use cell_injection_rate");
    }
    const auto columns = dataset.columns();
    std::vector<double> cells = weighted_transmissivities(dataset, "perforation", which);
    const double total = std::accumulate(cells.begin(), cells.end(), 0.0);
    for (auto row = cells.begin(); row != cells.end(); row += columns) {
        const double sum = std::accumulate(row, row + columns, 0.0);
        std::fill_n(row, columns, sum / total);
    }
    return cells;
}

bool varies_in_time(const std::vector<PowerFactor>& factors) {
    return std::ranges::any_of(
        factors, [](const PowerFactor& factor) { return variation_of(factor.source) == Variation::series; });
}

std::vector<double> times_factors(double scale, const std::vector<PowerFactor>& factors, const std::string& name,
                                  const Dataset& dataset, std::int64_t which, const PhysicsFields* physics) {
    std::vector<double> product(varies_in_time(factors) ? static_cast<std::size_t>(dataset.snapshots()) : 1, scale);
    for (const PowerFactor& factor : factors) {
        const std::vector<double> values =
            variation_of(factor.source) == Variation::series
                ? series_input(dataset, factor.source, which, physics)
                : std::vector<double>(product.size(), scalar_input(dataset, factor.source, which, physics));
        for (std::size_t t = 0; t < product.size(); ++t) {
            if (!(values[t] > 0.0) || !std::isfinite(values[t])) {
                throw InvalidData(dataset.path() + ": " + factor.source + " is " + number_text(values[t]) +
                                  " in case " + std::to_string(which) + " (a power of it scales " + name +
                                  ", so it must be positive); correct the value");
            }
            product[t] *= std::pow(values[t], factor.exponent);
        }
    }
    return product;
}

std::vector<double> field_scales(const Dataset& dataset, const Field& field, std::int64_t which,
                                 const PhysicsFields* physics) {
    return times_factors(field.scale, field.factors, field.name, dataset, which, physics);
}

namespace {

void add_to(CaseCotangents& inputs, std::string_view name, std::size_t place, std::size_t count, double cotangent) {
    std::vector<double>& values = inputs[std::string(name)];
    values.resize(count);
    values[place] += cotangent;
}

/// Adds the derivatives by permeability and by the map `weight` of weighted_transmissivities() with cotangents.
void add_cell_cotangents(const Dataset& dataset, std::string_view weight, std::int64_t which,
                         const std::vector<double>& by_cell, CaseCotangents& inputs) {
    const bool is_radial = dataset.geometry() == Geometry::radial;
    const std::vector<double> permeability = horizontal_permeability(dataset, which);
    const std::vector<double> heights = cell_heights(dataset);
    const std::vector<float> weights = map_of(dataset, weight, which), active = map_of(dataset, "active", which);
    const std::vector<float> along_x = is_radial ? active : map_of(dataset, "permeability_x", which);
    const std::vector<float> along_y = is_radial ? active : map_of(dataset, "permeability_y", which);
    for (std::size_t cell = 0; cell < by_cell.size(); ++cell) {
        if (active[cell] == 0.0F || by_cell[cell] == 0.0) {
            continue;
        }
        const auto add = [&](std::string_view name, double value) {
            add_to(inputs, name, cell, by_cell.size(), by_cell[cell] * heights[cell] * value);
        };
        const auto share = static_cast<double>(weights[cell]);
        if (is_radial) {
            add("permeability_r", share);
        } else {  // of a square root of a product
            add("permeability_x", 0.5 * share * permeability[cell] / static_cast<double>(along_x[cell]));
            add("permeability_y", 0.5 * share * permeability[cell] / static_cast<double>(along_y[cell]));
        }
        if (weight != "active") {
            add(weight, permeability[cell]);
        }
    }
}

/// By each cell of radial_transmissivity(), lengths / sum of (length / sum over the column).
std::vector<double> radial_transmissivity_slopes(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "active", which);
    const std::vector<double>& r = dataset.r_edges();
    const auto columns = static_cast<std::size_t>(dataset.columns());
    const double value = radial_transmissivity(dataset, which);
    const std::size_t first = r.front() > 0.0 ? 0 : 1;
    const double lengths = std::log(r.back() / r[first]);
    std::vector<double> slopes(cells.size());
    for (std::size_t column = first; column < columns; ++column) {
        double sum = 0.0;
        for (std::size_t cell = column; cell < cells.size(); cell += columns) {
            sum += cells[cell];
        }
        const double length = std::log(r[column + 1] / r[column]);
        const double slope = sum > 0.0 ? value * value / lengths * length / (sum * sum) : 0.0;
        for (std::size_t cell = column; cell < cells.size(); cell += columns) {
            slopes[cell] = slope;
        }
    }
    return slopes;
}

/// By each cell of mean_transmissivity(): the share of its column in the area that counts.
std::vector<double> mean_transmissivity_slopes(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "active", which);
    const std::vector<float> x = cell_geometry(dataset, "cell_width_x"), y = cell_geometry(dataset, "cell_width_y");
    const auto columns = cells.size() / static_cast<std::size_t>(dataset.rows());
    std::vector<double> slopes(cells.size());
    double area = 0.0;
    for (std::size_t column = 0; column < columns; ++column) {
        const double own = static_cast<double>(x[column]) * static_cast<double>(y[column]);
        double above = 0.0;
        for (std::size_t cell = column; cell < cells.size(); cell += columns) {
            above += cells[cell];
            slopes[cell] = own;
        }
        area += above > 0.0 ? own : 0.0;
    }
    for (double& slope : slopes) {
        slope = area > 0.0 ? slope / area : 0.0;
    }
    return slopes;
}

}  // namespace

void add_scalar_cotangent(const Dataset& dataset, std::string_view name, std::int64_t which, double cotangent,
                          CaseCotangents& inputs) {
    expects(!is_physics_source(name), "a scalar of the data set");
    if (name == "transmissivity") {
        std::vector<double> by_cell = dataset.geometry() == Geometry::radial
                                          ? radial_transmissivity_slopes(dataset, which)
                                          : mean_transmissivity_slopes(dataset, which);
        for (double& value : by_cell) {
            value *= cotangent;
        }
        add_cell_cotangents(dataset, "active", which, by_cell, inputs);
    } else if (name == "perforated_transmissivity") {
        const std::vector<double> by_cell(static_cast<std::size_t>(dataset.cells()), cotangent);
        add_cell_cotangents(dataset, "perforation", which, by_cell, inputs);
    } else {
        add_to(inputs, name, 0, 1, cotangent);
    }
}

// The share of a row is its sum over the total, in every cell of the row.
void add_inflow_share_cotangents(const Dataset& dataset, std::int64_t which, std::span<const double> cotangents,
                                 CaseCotangents& inputs) {
    const std::vector<double> cells = weighted_transmissivities(dataset, "perforation", which);
    const double total = std::accumulate(cells.begin(), cells.end(), 0.0);
    const auto columns = static_cast<std::size_t>(dataset.columns());
    std::vector<double> by_cell(cells.size());
    double mean = 0.0;
    for (std::size_t row = 0; row < cells.size(); row += columns) {
        double by_row = 0.0, sum = 0.0;
        for (std::size_t cell = row; cell < row + columns; ++cell) {
            by_row += cotangents[cell];
            sum += cells[cell];
        }
        mean += by_row * sum / total;
        std::fill_n(by_cell.begin() + static_cast<std::ptrdiff_t>(row), columns, by_row);
    }
    for (double& value : by_cell) {
        value = (value - mean) / total;
    }
    add_cell_cotangents(dataset, "perforation", which, by_cell, inputs);
}

}  // namespace plumecast
