#include "reservoir/simulation/deck_sections.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast::deck {
namespace {

constexpr std::size_t values_per_line = 8;

using Tables = std::vector<std::vector<SaturationRow>>;

/// Relative permeabilities and capillary pressure of both phases by the saturation of gas, for brine as oil.
std::string gas_and_oil(const Tables& tables) {
    std::string text = "SGOF\n";
    for (const auto& table : tables) {
        for (const SaturationRow& row : table) {
            fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g} {:.8g}\n", row.gas_saturation,
                           row.gas_permeability, row.water_permeability, row.capillary_pressure);
        }
        text += "/\n";
    }
    return text;
}

/// The same for brine as water, by the saturation of each phase. The simulator takes capillary pressure from SWFN.
std::string gas_functions(const Tables& tables) {
    std::string text;
    for (const auto& table : tables) {
        for (const SaturationRow& row : table) {
            fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g}\n", row.gas_saturation,
                           row.gas_permeability, row.capillary_pressure);
        }
        text += "/\n";
    }
    return text;
}

std::string water_functions(const Tables& tables) {
    std::string text;
    for (const auto& table : tables) {
        for (auto row = table.rbegin(); row != table.rend(); ++row) {
            fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g}\n", 1.0 - row->gas_saturation,
                           row->water_permeability, row->capillary_pressure);
        }
        text += "/\n";
    }
    return text;
}

/// Tables of drainage and imbibition, and Killough's curves between them without a change of capillary pressure; item 4
/// of EHYSTR leaves Land's formula as it is.
std::string gas_and_water(const SaturationFunctions& functions) {
    return "SGFN\n" + gas_functions(functions.drainage) + gas_functions(functions.imbibition) + "SWFN\n" +
           water_functions(functions.drainage) + water_functions(functions.imbibition) +
           (functions.has_hysteresis() ? "EHYSTR\n 0.1 2 1.0 0.0 KR /\n" : "");
}

std::string region_numbers(const char* keyword, const std::vector<std::size_t>& region, std::size_t before) {
    std::vector<double> numbers;
    for (const std::size_t one : region) {
        numbers.push_back(static_cast<double>(std::max(one, std::size_t{1}) + before));  // inactive cells have 0
    }
    return array(keyword, numbers);
}

/// Which of the tables is that of drainage, and which that of imbibition; nothing where there is one alone.
std::string regions(const SaturationFunctions& functions, std::size_t cells) {
    if (functions.drainage.size() == 1 && !functions.has_hysteresis()) {
        return "";
    }
    const auto numbers = [&](const char* keyword, std::size_t before) {
        return functions.region.empty() ? fmt::format("{}\n {}*{} /\n", keyword, cells, before + 1)
                                        : region_numbers(keyword, functions.region, before);
    };
    return "REGIONS\n" + numbers("SATNUM", 0) +
           (functions.has_hysteresis() ? numbers("IMBNUM", functions.drainage.size()) : "");
}

std::vector<double> widths(const std::vector<double>& edges, std::size_t count) {
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(edges[i + 1] - edges[i]);
    }
    return result;
}

/// Largest capillary pressures: the simulator scales the table of a cell so that its largest value becomes PCG.
std::string capillary_limits(const std::vector<SaturationRow>& table, const Geology& rock) {
    std::vector<double> limits;
    for (std::size_t cell = 0; cell < rock.porosity.size(); ++cell) {
        limits.push_back(table.back().capillary_pressure *
                         leverett_factor(rock.permeability_r[cell], rock.porosity[cell]));
    }
    return array("PCG", limits);
}

}  // namespace

SaturationFunctions saturation_functions(const SampledCase& inputs, const RockFluidSettings& rock_fluid) {
    const double water = inputs.irreducible_water_saturation, lambda = inputs.van_genuchten_lambda;
    const double residual = rock_fluid.residual_gas_saturation, entry = rock_fluid.entry_pressure;
    SaturationFunctions functions{{saturation_table(water, lambda, residual, entry)}, {}, {}, true};
    if (inputs.residual_gas_saturation > residual) {
        functions.imbibition.push_back(
            imbibition_table(water, lambda, inputs.residual_gas_saturation, residual, entry));
    }
    return functions;
}

SaturationFunctions saturation_functions(const SampledCase& inputs, const Tables& tables,
                                         const std::vector<std::size_t>& region) {
    SaturationFunctions functions{tables, {}, region, false};
    bool has_hysteresis = false;
    for (const auto& table : tables) {
        const LandTrapping land(critical_gas_saturation(table), inputs.residual_gas_saturation,
                                table.back().gas_saturation);
        has_hysteresis = has_hysteresis || land.is_active();
        functions.imbibition.push_back(land.is_active() ? imbibition_table(table, land) : table);
    }
    if (!has_hysteresis) {
        functions.imbibition.clear();
    }
    return functions;
}

std::string runspec(const std::string& title, std::size_t columns, std::size_t lines, std::size_t rows,
                    std::size_t wells, BrinePhase brine, const SaturationFunctions& functions) {
    std::size_t most_rows = 73;  // of the usual tables
    for (const Tables* tables : {&functions.drainage, &functions.imbibition}) {
        for (const auto& table : *tables) {
            most_rows = std::max(most_rows, table.size());
        }
    }
    return fmt::format(R"(RUNSPEC
TITLE
 {}
DIMENS
 {} {} {} /
METRIC
{}
CO2STORE
START
 1 JAN 2020 /
EQLDIMS
/
TABDIMS
 {}
ENDSCALE
/
WELLDIMS
 {} {} 1 {} /
UNIFOUT
)",
                       title, columns, lines, rows,
                       brine == BrinePhase::water ? "WATER\nGAS\nDISGASW" : "OIL\nGAS\nDISGAS",
                       fmt::format("{} 1 {} /{}", functions.drainage.size() + functions.imbibition.size(), most_rows,
                                   functions.has_hysteresis() ? "\nSATOPTS\n HYSTER /" : ""),
                       wells, rows, wells);
}

std::string array(const char* keyword, const std::vector<double>& values) {
    std::string text = std::string(keyword) + "\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool ends_line = (i + 1) % values_per_line == 0 && i + 1 < values.size();
        fmt::format_to(std::back_inserter(text), " {:.9g}{}", values[i], ends_line ? "\n" : "");
    }
    return text + " /\n";
}

std::string level_layers(const BoxGrid& grid, std::size_t rows) {
    return array("DXV", widths(grid.x_edges, grid.columns())) + array("DYV", widths(grid.y_edges, grid.lines())) +
           array("DZV", widths(grid.z_edges, rows)) +
           fmt::format("TOPS\n {}*{:.10g} /\n", grid.columns() * grid.lines(), top_depth + grid.z_edges.front());
}

std::string corner_points(CornerPoints grid, double top) {
    for (std::size_t i = 2; i < grid.pillars.size(); i += 3) {
        grid.pillars[i] += top;
    }
    for (double& depth : grid.depths) {
        depth += top;
    }
    return array("COORD", grid.pillars) + array("ZCORN", grid.depths);
}

std::string rock(const Geology& rock) {
    return array("PERMX", rock.permeability_r) + "COPY\n PERMX PERMY /\n/\n" + array("PERMZ", rock.permeability_z) +
           array("PORO", rock.porosity);
}

std::string capillary_scaling(BrinePhase brine, std::string_view permeability) {
    if (brine == BrinePhase::oil) {
        return "";
    }
    // The simulator multiplies the table of a cell by 0.318316 times this tension [dyn/cm] times the root of porosity
    // over permeability [mD]: by 1 where leverett_factor() is 1.
    const double tension = leverett_factor(1.0, 1.0) / 0.318316;
    return fmt::format("JFUNC\n BOTH {0:.8f} {0:.8f} 0.5 0.5 {1} /\n", tension, permeability);
}

std::string props(const SampledCase& inputs, double compressibility, const SaturationFunctions& functions,
                  const Geology& rock, BrinePhase brine) {
    const std::string fluids = fmt::format("PROPS\nROCK\n {:.6f} {:g} /\nSALINITY\n {:.9g} /\n",
                                           inputs.initial_pressure, compressibility, molality_of(inputs.salinity));
    const std::size_t cells = rock.porosity.size();
    if (brine == BrinePhase::oil) {
        return fluids + gas_and_oil(functions.drainage) +
               (functions.is_scaled ? capillary_limits(functions.drainage.front(), rock) : "") +
               regions(functions, cells);
    }
    return fluids + gas_and_water(functions) + regions(functions, cells);
}

std::string temperature(double everywhere) { return fmt::format("RTEMP\n {:.6f} /\n", everywhere); }

// Release 2022.10 takes it, but leaves the appearance of gas at the surface temperature.
std::string temperature(std::pair<double, double> depths, std::pair<double, double> at) {
    return fmt::format("RTEMPVD\n {:.6f} {:.6f}\n {:.6f} {:.6f} /\n", depths.first, at.first, depths.second, at.second);
}

std::string solution_and_summary(const SampledCase& inputs, const std::string& temperatures, BrinePhase brine,
                                 bool has_hysteresis) {
    // The contact of gas lies above all cells (with oil that of water below them). Item 7 of EQUIL with RSVD makes oil
    // start without CO2; water starts without it by itself.
    const bool is_water = brine == BrinePhase::water;
    return fmt::format(R"(SOLUTION
{}EQUIL
 {} {:.6f} {} /
{}{}SUMMARY
FGIT
{}WBHP
/
WGIR
/
)",
                       temperatures, top_depth, inputs.initial_pressure, is_water ? "0" : "5000 0 0 0 1 1* 0",
                       is_water ? "" : "RSVD\n 0 0\n 5000 0 /\n", restart_arrays(brine),
                       has_hysteresis ? "FGMGP\nFGMMO\nFGMDS\n" : "");
}

std::string restart_arrays(BrinePhase brine) {
    return fmt::format("RPTRST\n BASIC=2 BG {} /\n", brine == BrinePhase::water ? "BW PCGW" : "BO");
}

std::string limit_of_dissolution(const SampledCase& inputs) {
    if (!std::isfinite(inputs.dissolution_rate_limit)) {
        return "";
    }
    constexpr double surface_pressure = 1.01325, surface_temperature = 15.56;  // [bar], [degC]
    const double at_surface = brine_density(surface_pressure, surface_temperature, inputs.salinity);
    const double shrinkage = at_surface / brine_density(inputs.initial_pressure, inputs.temperature, inputs.salinity);
    const double ratio = inputs.dissolution_rate_limit * shrinkage / (surface_density * days_per_year);
    return fmt::format("DRSDT\n {:.9g} /\n", ratio);
}

namespace {

/// A line of WCONINJE for a rate [Mt/year].
std::string control(const ScheduledWell& well, double rate) {
    return rate > 0.0 ? fmt::format(" {} GAS OPEN RATE {:.10g} 1* {:.8g} /\n", well.name, surface_rate(rate),
                                    well.pressure_limit)
                      : fmt::format(" {} GAS SHUT RATE 0 1* {:.8g} /\n", well.name, well.pressure_limit);
}

}  // namespace

std::string steps_and_rates(const std::vector<ScheduledWell>& wells, std::span<const double> days) {
    std::string text;
    std::vector<double> steps, rates(wells.size(), -1.0);
    double before = 0.0;
    for (const double day : days) {
        std::string controls;
        for (std::size_t i = 0; i < wells.size(); ++i) {
            if (const double next = wells[i].schedule.rate(day); next != rates[i]) {
                controls += control(wells[i], next);
                rates[i] = next;
            }
        }
        if (!controls.empty()) {
            text += (steps.empty() ? "" : array("TSTEP", steps)) + "WCONINJE\n" + controls + "/\n";
            steps.clear();
        }
        steps.push_back(day - before);
        before = day;
    }
    return text + array("TSTEP", steps);
}

std::string box_schedule(const std::vector<BoxDeckWell>& wells, double well_radius, std::span<const double> days,
                         BrinePhase brine) {
    std::string heads = "WELSPECS\n", open = "COMPDAT\n";
    std::vector<ScheduledWell> scheduled;
    for (const BoxDeckWell& well : wells) {
        const std::string name = fmt::format("INJ{}", scheduled.size() + 1);
        fmt::format_to(std::back_inserter(heads), " {} G {} {} {:.6f} GAS /\n", name, well.column + 1, well.line + 1,
                       well.depth);
        for (std::size_t row = 0; row < well.factors.size(); ++row) {
            if (well.factors[row] > 0.0) {
                fmt::format_to(std::back_inserter(open), " {0} {1} {2} {3} {3} OPEN 1* {4:.9g} {5:g} /\n", name,
                               well.column + 1, well.line + 1, row + 1, well.factors[row], 2.0 * well_radius);
            }
        }
        scheduled.push_back({name, well.injection});
    }
    return "SCHEDULE\n" + restart_arrays(brine) + heads + "/\n" + open + "/\n" + steps_and_rates(scheduled, days) +
           "END\n";
}

}  // namespace plumecast::deck
