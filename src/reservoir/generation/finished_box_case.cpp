#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "reservoir/generation/corner_point_arrays.hpp"
#include "reservoir/generation/finished_arrays.hpp"
#include "reservoir/generation/finished_case.hpp"

namespace plumecast {
namespace {

/// Rates [most_wells, P] in the order of the columns that the wells open, line by line; 0 of wells that a case lacks.
std::vector<float> rates_of_wells(const BoxReservoir& reservoir) {
    std::vector<const BoxWell*> order;
    std::ranges::transform(reservoir.wells, std::back_inserter(order), [](const BoxWell& well) { return &well; });
    std::ranges::sort(order, {}, [](const BoxWell* well) { return std::pair(well->line, well->column); });
    std::vector<float> rates;
    for (const BoxWell* well : order) {
        std::ranges::transform(well->schedule_rates, std::back_inserter(rates),
                               [](double rate) { return static_cast<float>(rate); });
    }
    rates.resize(reservoir.most_wells * reservoir.inputs.schedule_ends.size(), 0.0F);
    return rates;
}

}  // namespace

FinishedCase drawn_case(const BoxReservoir& reservoir) {
    FinishedCase finished{reservoir.inputs.number, reservoir.inputs.medium, {}};
    const std::size_t cells = reservoir.grid.cells(), active = reservoir.rock.porosity.size();
    std::vector<double> perforation(active, 0.0), rate(active, 0.0);
    for (const BoxWell& well : reservoir.wells) {
        const std::vector<double> shares = reservoir.shares(well);
        for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
            perforation[reservoir.cell(row, well)] = well.perforation[row];
            rate[reservoir.cell(row, well)] = shares[row] * well.injection_rate;
        }
    }
    const auto put = [&](const char* name, const std::vector<double>& values) {
        finished.arrays[name] = over_all_rows(cells, values);
    };
    put("permeability_x", reservoir.rock.permeability_r);
    put("permeability_y", reservoir.rock.permeability_r);
    put("permeability_z", reservoir.rock.permeability_z);
    put("porosity", reservoir.rock.porosity);
    put("perforation", perforation);
    put("cell_injection_rate", rate);
    put("active", std::vector<double>(active, 1.0));
    if (reservoir.corner_points) {
        add_corner_point_arrays(reservoir, finished.arrays);
    }
    add_scalars(reservoir.inputs, reservoir.thickness(), finished.arrays);
    if (!reservoir.inputs.schedule_ends.empty()) {
        finished.arrays["schedule_rate"] = rates_of_wells(reservoir);
    }
    return finished;
}

FinishedCase finished_case(const BoxReservoir& reservoir, const FlowResults& results, int output_bits) {
    FinishedCase finished = drawn_case(reservoir);
    add_outputs(results, reservoir.grid.cells(), output_bits, finished.arrays);
    return finished;
}

}  // namespace plumecast
