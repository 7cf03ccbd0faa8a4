#include "reservoir/simulation/stated_box_deck.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reservoir/physics/connections/box_transmissibilities.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/deck_sections.hpp"

namespace plumecast {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

/// Values of all cells; those of inactive ones play no part, but have to be above 0.
std::vector<double> of_rock(const BoxCase& box, std::vector<double> values) {
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
        values[cell] = box.active[cell] != 0 ? values[cell] : 1.0;
    }
    return values;
}

/// What capillary pressures are scaled by.
Geology rock_of(const BoxCase& box) {
    Geology rock{of_rock(box, box.permeability_x), of_rock(box, box.permeability_z), of_rock(box, box.porosity)};
    const std::vector<double> along_y = of_rock(box, box.permeability_y);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        rock.permeability_r[cell] = std::sqrt(rock.permeability_r[cell] * along_y[cell]);
    }
    return rock;
}

/// Depths of corners count from where those of centres do in the case.
double top_of_corners(const StatedBox& stated) {
    const auto first = std::ranges::find_if(stated.box.active, [](char active) { return active != 0; });
    const auto cell = static_cast<std::size_t>(first - stated.box.active.begin());
    return deck::top_depth + stated.box.depth(cell) - stated.corner_points.centre_depth(cell);
}

/// What flows between the cells where the simulator goes by their shapes. Level layers have neighbours alone. Cells of
/// one column with pinched out ones between them are not connected without PINCH.
CellConnections flow_of_shapes(const StatedBox& stated) {
    const BoxCase& box = stated.box;
    if (!stated.corner_points.pillars.empty()) {
        CellConnections flow = corner_point_connections(
            stated.corner_points, {box.permeability_x, box.permeability_y, box.permeability_z, box.active});
        std::erase_if(flow.apart,
                      [&box](const BoxConnection& one) { return one.first % box.plane() == one.second % box.plane(); });
        return flow;
    }
    const std::vector<double> open(box.cells(), 1.0);  // neighbours of level layers always share a side
    return {open, open, open, {}};
}

/// "I1 J1 K1 I2 J2 K2", counted from 1.
std::string pair_text(const BoxCase& box, const Pair& pair) {
    const auto place = [&box](std::size_t cell) {
        return fmt::format("{} {} {}", cell % box.columns() + 1, cell % box.plane() / box.columns() + 1,
                           cell / box.plane() + 1);
    };
    return place(pair.first) + " " + place(pair.second);
}

/// The sections that make what flows between the cells that of the case.
class FlowSections {
   public:
    explicit FlowSections(const StatedBox& stated) : box_(stated.box), shapes_(flow_of_shapes(stated)) {
        if (stated.states_flow) {
            take_neighbours(box_.transmissibility_x, shapes_.x, 1);
            take_neighbours(box_.transmissibility_y, shapes_.y, box_.columns());
            take_neighbours(box_.transmissibility_z, shapes_.z, box_.plane());
            edit_ = deck::array("TRANX", box_.transmissibility_x) + deck::array("TRANY", box_.transmissibility_y) +
                    deck::array("TRANZ", box_.transmissibility_z);
        }
        take_connections();
    }

    /// Of GRID: connections that the shapes of the cells do not have.
    std::string grid() const { return added_.empty() ? "" : "NNC\n" + added_ + "/\n"; }
    /// Of EDIT: those that they have, changed to what the case states.
    std::string edit() const { return edit_ + (changed_.empty() ? "" : "EDITNNC\n" + changed_ + "/\n"); }

   private:
    /// Neighbours without a side in common, which TRANX, TRANY and TRANZ do not connect.
    void take_neighbours(const std::vector<double>& stated, const std::vector<double>& of_shapes, std::size_t step) {
        for (std::size_t cell = 0; cell + step < box_.cells(); ++cell) {
            if (stated[cell] > 0.0 && of_shapes[cell] == 0.0) {
                add({cell, cell + step}, stated[cell]);
            }
        }
    }
    void take_connections() {
        std::map<Pair, double> wanted, found;
        for (const BoxConnection& one : box_.connections) {
            wanted[std::minmax(one.first, one.second)] += one.transmissibility;
        }
        for (const BoxConnection& one : shapes_.apart) {
            found[{one.first, one.second}] += one.transmissibility;
        }
        for (const auto& [pair, transmissibility] : found) {
            constexpr double single_precision = 1e-6;  // of what data sets store
            const auto of_case = wanted.find(pair);
            const double factor = of_case == wanted.end() ? 0.0 : of_case->second / transmissibility;
            if (std::abs(factor - 1.0) > single_precision) {
                fmt::format_to(std::back_inserter(changed_), " {} {:.9g} /\n", pair_text(box_, pair), factor);
            }
        }
        for (const auto& [pair, transmissibility] : wanted) {
            if (!found.contains(pair) && transmissibility > 0.0) {
                add(pair, transmissibility);
            }
        }
    }
    void add(const Pair& pair, double transmissibility) {
        fmt::format_to(std::back_inserter(added_), " {} {:.9g} /\n", pair_text(box_, pair), transmissibility);
    }

    const BoxCase& box_;
    CellConnections shapes_;
    std::string added_, edit_, changed_;
};

std::string active_cells(const BoxCase& box) {
    return std::ranges::all_of(box.active, [](char active) { return active != 0; })
               ? ""
               : deck::array("ACTNUM", {box.active.begin(), box.active.end()});
}

std::string rock_arrays(const BoxCase& box) {
    std::string text;
    for (const auto& [keyword, values] : {std::pair("PERMX", &box.permeability_x),
                                          {"PERMY", &box.permeability_y},
                                          {"PERMZ", &box.permeability_z},
                                          {"PORO", &box.porosity}}) {
        text += deck::array(keyword, of_rock(box, *values));
    }
    return text;
}

std::string grid(const StatedBox& stated, const FlowSections& flow, BrinePhase brine) {
    const BoxCase& box = stated.box;
    const bool is_alike = box.permeability_x == box.permeability_y;
    const std::string shape = stated.corner_points.pillars.empty()
                                  ? deck::level_layers({box.x_edges, box.y_edges, box.z_edges}, box.rows())
                                  : deck::corner_points(stated.corner_points, top_of_corners(stated));
    const std::string scaling =
        box.saturation_tables.empty() ? deck::capillary_scaling(brine, is_alike ? "X" : "XY") : "";
    return "GRID\nINIT\n" + scaling + shape + active_cells(box) + rock_arrays(box) + flow.grid() + "EDIT\n" +
           deck::array("PORV", box_pore_volumes(box)) + flow.edit();
}

std::string temperatures(const BoxCase& box) {
    if (!box.grows_warmer()) {
        return deck::temperature(box.temperature);
    }
    // A line through all depths, those of corners too.
    const double below = box.z_edges.back() + 1000.0;
    return deck::temperature({deck::top_depth, deck::top_depth + below},
                             {box.temperature_at(0.0), box.temperature_at(below)});
}

InjectionSchedule injection_of(const StatedBox& stated, std::size_t well, double rate) {
    return stated.box.schedule_ends.empty()
               ? InjectionSchedule{{std::numeric_limits<double>::infinity()}, {rate}}
               : InjectionSchedule{stated.box.schedule_ends, stated.box.schedule_rates[well]};
}

/// Depth of the uppermost open cell of a well in the deck [m].
double reference_depth(const BoxCase& box, const BoxCaseWell& well) {
    const auto first = std::ranges::find_if(well.factors, [](double factor) { return factor > 0.0; });
    const auto row = static_cast<std::size_t>(first - well.factors.begin());
    return deck::top_depth + box.depth(row * box.plane() + well.line * box.columns() + well.column);
}

std::string schedule(const StatedBox& stated, const std::vector<BoxCaseWell>& wells, std::span<const double> times,
                     BrinePhase brine) {
    std::vector<deck::BoxDeckWell> opened;
    for (std::size_t i = 0; i < wells.size(); ++i) {
        opened.push_back({wells[i].line, wells[i].column, reference_depth(stated.box, wells[i]), wells[i].factors,
                          injection_of(stated, i, wells[i].injection_rate)});
    }
    return deck::box_schedule(opened, stated.box.well_radius, report_days(stated.inputs, times), brine);
}

}  // namespace

std::string deck_text(const StatedBox& stated, std::span<const double> times, BrinePhase brine) {
    const BoxCase& box = stated.box;
    const std::vector<BoxCaseWell> wells = box_wells(box);
    const deck::SaturationFunctions functions =
        box.saturation_tables.empty()
            ? deck::saturation_functions(stated.inputs, box.rock_fluid)
            : deck::saturation_functions(stated.inputs, box.saturation_tables, box.saturation_region);
    return deck::runspec(fmt::format("CO2 box case {}", stated.inputs.number), box.columns(), box.lines(), box.rows(),
                         wells.size(), brine, functions) +
           grid(stated, FlowSections(stated), brine) +
           deck::props(stated.inputs, box.rock_fluid.rock_compressibility, functions, rock_of(box), brine) +
           deck::solution_and_summary(stated.inputs, temperatures(box), brine, functions.has_hysteresis()) +
           schedule(stated, wells, times, brine);
}

}  // namespace plumecast
