#include "reservoir/metrics/mass_balance.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/rock_fluid.hpp"

namespace plumecast {

namespace {

void check_edges(std::span<const double> edges, const std::string& name) {
    if (edges.size() < 2) {
        throw InvalidInput(name + " has " + std::to_string(edges.size()) +
                           " values (a grid of n cells has n + 1 edges); give at least two");
    }
    for (std::size_t i = 1; i < edges.size(); ++i) {
        if (!(edges[i] > edges[i - 1])) {
            throw InvalidInput(name + "[" + std::to_string(i) +
                               "] is not above the edge before it (cells would have no volume); sort the edges");
        }
    }
}

/// Whether a cell of a box is at one of its four sides.
bool is_at_side(const Dataset& dataset, std::size_t cell) {
    const std::size_t columns = dataset.x_edges().size() - 1, lines = dataset.y_edges().size() - 1;
    const std::size_t column = cell % columns, line = cell / columns % lines;
    return column == 0 || line == 0 || column + 1 == columns || line + 1 == lines;
}

}  // namespace

std::vector<double> cell_volumes(std::span<const double> r_edges, std::span<const double> z_edges) {
    check_edges(r_edges, "r_edges");
    check_edges(z_edges, "z_edges");
    if (r_edges.front() < 0.0) {
        throw InvalidInput("r_edges[0] is negative (a radius is not); measure from the axis of the well");
    }
    std::vector<double> volumes;
    volumes.reserve((r_edges.size() - 1) * (z_edges.size() - 1));
    for (std::size_t z = 0; z + 1 < z_edges.size(); ++z) {
        for (std::size_t r = 0; r + 1 < r_edges.size(); ++r) {
            const double ring = r_edges[r + 1] * r_edges[r + 1] - r_edges[r] * r_edges[r];
            volumes.push_back(std::numbers::pi * ring * (z_edges[z + 1] - z_edges[z]));
        }
    }
    return volumes;
}

std::vector<double> cell_volumes(const Dataset& dataset) {
    if (dataset.geometry() == Geometry::radial) {
        return cell_volumes(dataset.r_edges(), dataset.z_edges());
    }
    const std::vector<float>& own = dataset.cell_values("cell_volume");
    if (!own.empty()) {
        return {own.begin(), own.end()};
    }
    const std::vector<double>&x = dataset.x_edges(), &y = dataset.y_edges(), &z = dataset.z_edges();
    std::vector<double> volumes;
    volumes.reserve(static_cast<std::size_t>(dataset.cells()));
    for (std::size_t k = 0; k + 1 < z.size(); ++k) {
        for (std::size_t j = 0; j + 1 < y.size(); ++j) {
            for (std::size_t i = 0; i + 1 < x.size(); ++i) {
                volumes.push_back((x[i + 1] - x[i]) * (y[j + 1] - y[j]) * (z[k + 1] - z[k]));
            }
        }
    }
    return volumes;
}

std::vector<double> pore_volumes(std::span<const double> volumes, ConstView porosity, ConstView active) {
    const auto cells = static_cast<std::int64_t>(volumes.size());
    if (porosity.shape.count() != cells || active.shape != porosity.shape) {
        throw InvalidInput("porosity " + porosity.shape.text() + " and active " + active.shape.text() +
                           " do not fit the grid (it has " + std::to_string(cells) + " cells); give maps of one grid");
    }
    const float* phi = porosity.as<float>();
    const float* inside = active.as<float>();
    std::vector<double> pores(volumes.size());
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        pores[i] = inside[i] != 0.0F ? volumes[i] * static_cast<double>(phi[i]) : 0.0;
    }
    return pores;
}

std::vector<double> pore_volumes(const Dataset& dataset, std::int64_t which, std::span<const double> volumes,
                                 const std::vector<float>& porosity, const std::vector<float>& active) {
    const Shape cells{dataset.cells()};
    std::vector<double> pores = pore_volumes(volumes, ConstView(cells, DType::float32, porosity.data()),
                                             ConstView(cells, DType::float32, active.data()));
    if (dataset.has("pore_volume")) {
        std::vector<float> stated(pores.size());
        dataset.read_map("pore_volume", {&which, 1}, stated);
        for (std::size_t cell = 0; cell < pores.size(); ++cell) {
            pores[cell] = active[cell] != 0.0F ? static_cast<double>(stated[cell]) : 0.0;
        }
        return pores;
    }
    const double factor = rock_fluid_of(dataset).aquifer_factor;
    const bool has_aquifer = !std::isnan(factor) && dataset.geometry() == Geometry::cartesian && is_box(dataset);
    for (std::size_t cell = 0; has_aquifer && cell < pores.size(); ++cell) {
        pores[cell] *= is_at_side(dataset, cell) ? factor : 1.0;
    }
    return pores;
}

std::vector<double> pore_volumes(const Dataset& dataset, std::int64_t which) {
    const auto cells = static_cast<std::size_t>(dataset.cells());
    std::vector<float> porosity(cells), active(cells);
    dataset.read_map("porosity", {&which, 1}, porosity);
    dataset.read_map("active", {&which, 1}, active);
    return pore_volumes(dataset, which, cell_volumes(dataset), porosity, active);
}

double gas_volume(ConstView gas_saturation, std::span<const double> pore_volumes, std::int64_t time) {
    const Shape& shape = gas_saturation.shape;
    if (shape.rank() != 3 || shape.count(0, 2) != static_cast<std::int64_t>(pore_volumes.size())) {
        throw InvalidInput("gas saturation " + shape.text() + " does not fit " + std::to_string(pore_volumes.size()) +
                           " pore volumes (it is [Z, R, T]); give both on one grid");
    }
    if (time < 0 || time >= shape[2]) {
        throw InvalidInput("time index " + std::to_string(time) + " does not exist (the field has " +
                           std::to_string(shape[2]) + " times); count from 0");
    }
    const float* saturation = gas_saturation.as<float>() + time;
    double volume = 0.0;
    for (std::size_t i = 0; i < pore_volumes.size(); ++i) {
        // Skipped, not multiplied by zero: inactive cells may hold fill values.
        if (pore_volumes[i] != 0.0) {
            volume += pore_volumes[i] * static_cast<double>(saturation[static_cast<std::int64_t>(i) * shape[2]]);
        }
    }
    return volume;
}

double relative_volume_error(double predicted, double simulated) {
    if (simulated == 0.0) {
        return predicted == 0.0 ? 0.0 : 1.0;
    }
    return std::abs(predicted - simulated) / std::abs(simulated);
}

double mass_error(ConstView prediction, ConstView truth, std::span<const double> pore_volumes) {
    return relative_volume_error(gas_volume(prediction, pore_volumes, prediction.shape[-1] - 1),
                                 gas_volume(truth, pore_volumes, truth.shape[-1] - 1));
}

}  // namespace plumecast
