#include "reservoir/case_model/box_reservoir.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "reservoir/case_model/fluid_estimates.hpp"
#include "reservoir/case_model/schedule_sampling.hpp"

namespace plumecast {
namespace {

std::size_t cell_at(const std::vector<double>& edges, double place) {
    const auto next = std::upper_bound(edges.begin() + 1, edges.end() - 1, place);
    return static_cast<std::size_t>(next - edges.begin()) - 1;
}

void add_wells(BoxReservoir& reservoir) {
    for (const SampledWell& sampled : reservoir.inputs.wells) {
        BoxWell well{cell_at(reservoir.grid.y_edges, sampled.y), cell_at(reservoir.grid.x_edges, sampled.x),
                     sampled.injection_rate,
                     covered_fractions(reservoir.grid.z_edges, reservoir.active_rows, sampled.perforation_top,
                                       sampled.perforation_length),
                     sampled.schedule_rates};
        const auto same = std::ranges::find_if(reservoir.wells, [&](const BoxWell& other) {
            return other.line == well.line && other.column == well.column;
        });
        if (same == reservoir.wells.end()) {
            reservoir.wells.push_back(std::move(well));
        } else {
            same->injection_rate += well.injection_rate;
            std::ranges::transform(same->schedule_rates, well.schedule_rates, same->schedule_rates.begin(),
                                   std::plus<>());
        }
    }
}

Geology first_rows(Geology rock, std::size_t cells) {
    for (auto* map : {&rock.permeability_r, &rock.permeability_z, &rock.porosity}) {
        map->resize(cells);
    }
    return rock;
}

void add_topography(BoxReservoir& reservoir, const GeneratorConfiguration& configuration) {
    const BoxSettings& box = *configuration.box;
    if (!box.topography) {
        return;
    }
    reservoir.corner_points = box_corner_points(box, reservoir.grid);
    reservoir.faults = fault_traces(box, reservoir.grid);
    const RandomStream stream = case_stream(configuration.seed, reservoir.inputs.number, "fault_multiplier");
    for (std::size_t i = 0; i < reservoir.faults.size(); ++i) {
        const ValueRange& range = box.topography->faults[i].multiplier;
        reservoir.fault_multipliers.push_back(range.low * std::pow(range.high / range.low, stream.uniform(i)));
    }
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Build-up [bar] that one well makes in a column at a distance [m]; in its own at 0.
double well_buildup(const BoxReservoir& reservoir, const BoxWell& well, double distance, double days) {
    using namespace estimate;  // NOLINT: only here
    const SampledCase& inputs = reservoir.inputs;
    const double width = reservoir.grid.x_edges[1] - reservoir.grid.x_edges[0];
    const double reach = 0.5 * (reservoir.grid.x_edges.back() - reservoir.grid.x_edges.front());
    const double rate = volume_rate(well.largest_rate(), inputs.initial_pressure + 30.0, inputs.temperature);
    const double pores = mean(reservoir.rock.porosity) * reservoir.thickness() * plume_saturation;
    const double plume = std::sqrt(rate * days * seconds_per_day / (std::numbers::pi * pores));
    const double far = mean(reservoir.rock.permeability_r) * reservoir.thickness();
    double near = 0.0;
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        near += reservoir.rock.permeability_r[reservoir.cell(row, well)] * well.perforation[row];
    }
    near *= reservoir.row_height();
    const auto resistance = [&](double from, double to, double transmissivity) {
        const double edge = std::clamp(plume, from, std::max(from, to));
        return (plume_resistance * std::log(edge / from) + std::log(std::max(edge, to) / edge)) /
               (transmissivity * square_metres_per_millidarcy);
    };
    const double own = 0.2 * width;  // where a cell's pressure is met (Peaceman 1978)
    const double beyond = resistance(std::max(distance, width), reach, far);
    const double around = distance > 0.0 ? 0.0 : resistance(own, width, near);
    return (around + beyond) * rate * water_viscosity(inputs.temperature) / (2.0 * std::numbers::pi) / pascals_per_bar;
}

}  // namespace

CellConnections BoxReservoir::connections() const {
    CellConnections found = corner_point_connections(
        first_rows(*corner_points, active_rows),
        {rock.permeability_r, rock.permeability_r, rock.permeability_z, std::vector<char>(rock.porosity.size(), 1)});
    // By which the flow between two cells of neighbouring columns is multiplied, given their places.
    const auto factor = [this](std::size_t one, std::size_t other) {
        double product = 1.0;
        for (std::size_t i = 0; i < faults.size(); ++i) {
            const bool is_along_y = faults[i].along == FaultAxis::y;
            const auto across = [&](std::size_t cell) {
                return is_along_y ? cell % grid.columns() : cell % plane() / grid.columns();
            };
            const std::size_t along = is_along_y ? one % plane() / grid.columns() : one % grid.columns();
            const bool crosses = across(one) + 1 == faults[i].at && across(other) == faults[i].at;
            product *= crosses && along >= faults[i].first && along < faults[i].end ? fault_multipliers[i] : 1.0;
        }
        return product;
    };
    for (std::size_t cell = 0; cell < found.x.size(); ++cell) {
        found.x[cell] *= factor(cell, cell + 1);
        found.y[cell] *= factor(cell, cell + grid.columns());
    }
    for (BoxConnection& one : found.apart) {  // the first may lie on either side
        one.transmissibility *= factor(one.first, one.second) * factor(one.second, one.first);
    }
    return found;
}

double BoxReservoir::depth(std::size_t cell) const {
    const double in_layers = (static_cast<double>(cell / plane()) + 0.5) * row_height();
    return corner_points ? corner_points->centre_depth(cell) : in_layers;
}

std::vector<double> BoxReservoir::pore_volumes() const {
    std::vector<double> volumes;
    const double cell_volume = row_height() * (grid.x_edges[1] - grid.x_edges[0]) * (grid.y_edges[1] - grid.y_edges[0]);
    for (std::size_t cell = 0; cell < rock.porosity.size(); ++cell) {
        const std::size_t line = cell % plane() / grid.columns(), column = cell % grid.columns();
        const bool is_side = line == 0 || column == 0 || line + 1 == grid.lines() || column + 1 == grid.columns();
        volumes.push_back(cell_volume * rock.porosity[cell] * (is_side ? aquifer : 1.0));
    }
    return volumes;
}

std::vector<double> BoxReservoir::shares(const BoxWell& well) const {
    std::vector<double> result;
    for (std::size_t row = 0; row < active_rows; ++row) {
        result.push_back(well.perforation[row] * rock.permeability_r[cell(row, well)]);
    }
    const double total = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& share : result) {
        share /= total;
    }
    return result;
}

BoxReservoir draw_box(const GeneratorConfiguration& configuration, const BoxGrid& grid, std::int64_t number,
                      double last) {
    BoxReservoir reservoir;
    reservoir.inputs = sample_case(configuration, number);
    draw_schedule(configuration, last, reservoir.inputs);
    reservoir.grid = grid;
    reservoir.aquifer = configuration.box->aquifer;
    reservoir.active_rows = whole_rows(grid.z_edges, reservoir.inputs.thickness);
    reservoir.rock =
        first_rows(draw_geology(configuration, reservoir.inputs, grid), reservoir.active_rows * reservoir.plane());
    add_wells(reservoir);
    add_topography(reservoir, configuration);
    reservoir.most_wells = static_cast<std::size_t>(configuration.wells.count.high);
    return reservoir;
}

double estimated_buildup(const BoxReservoir& reservoir, double days) {
    const std::vector<double> x = centres_of(reservoir.grid.x_edges), y = centres_of(reservoir.grid.y_edges);
    double largest = 0.0;
    for (const BoxWell& here : reservoir.wells) {
        double sum = 0.0;
        for (const BoxWell& well : reservoir.wells) {
            sum += well_buildup(reservoir, well,
                                std::hypot(x[here.column] - x[well.column], y[here.line] - y[well.line]), days);
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

}  // namespace plumecast
