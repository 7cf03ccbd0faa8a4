#include "reservoir/simulation/deck_sections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "reservoir/physics/saturation_functions.hpp"

namespace plumecast::deck {
namespace {

constexpr std::size_t values_per_line = 8;

/// Relative permeabilities and capillary pressure of both phases by the saturation of gas, for brine as oil.
std::string gas_and_oil(const std::vector<SaturationRow>& table) {
    std::string text = "SGOF\n";
    for (const SaturationRow& row : table) {
        fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g} {:.8g}\n", row.gas_saturation,
                       row.gas_permeability, row.water_permeability, row.capillary_pressure);
    }
    return text + "/\n";
}

/// The same for brine as water, by the saturation of each phase. The simulator takes capillary pressure from SWFN.
std::string gas_function(const std::vector<SaturationRow>& table) {
    std::string text;
    for (const SaturationRow& row : table) {
        fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g}\n", row.gas_saturation, row.gas_permeability,
                       row.capillary_pressure);
    }
    return text + "/\n";
}

std::string water_function(const std::vector<SaturationRow>& table) {
    std::string text;
    for (auto row = table.rbegin(); row != table.rend(); ++row) {
        fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g}\n", 1.0 - row->gas_saturation,
                       row->water_permeability, row->capillary_pressure);
    }
    return text + "/\n";
}

std::string gas_and_water(const std::vector<SaturationRow>& table) {
    return "SGFN\n" + gas_function(table) + "SWFN\n" + water_function(table);
}

/// Tables of drainage and imbibition, and Killough's curves between them without a change of capillary pressure; item 4
/// of EHYSTR leaves Land's formula as it is.
std::string hysteresis(const SampledCase& inputs, const std::vector<SaturationRow>& drainage) {
    const auto imbibition = imbibition_table(inputs.irreducible_water_saturation, inputs.van_genuchten_lambda,
                                             inputs.residual_gas_saturation);
    std::string gas = "SGFN\n", water = "SWFN\n";
    for (const auto* table : {&drainage, &imbibition}) {
        gas += gas_function(*table);
        water += water_function(*table);
    }
    return gas + water + "EHYSTR\n 0.1 2 1.0 0.0 KR /\n";
}

/// Which of the tables is that of drainage, and which that of imbibition.
std::string regions(std::size_t cells) { return fmt::format("REGIONS\nSATNUM\n {0}*1 /\nIMBNUM\n {0}*2 /\n", cells); }

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

bool has_hysteresis(const SampledCase& inputs) { return inputs.residual_gas_saturation > residual_gas_saturation; }

std::string runspec(const std::string& title, std::size_t columns, std::size_t lines, std::size_t rows,
                    std::size_t wells, BrinePhase brine, bool has_hysteresis) {
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
                       has_hysteresis ? "2 1 73 /\nSATOPTS\n HYSTER /" : "1 1 73 /", wells, rows, wells);
}

std::string array(const char* keyword, const std::vector<double>& values) {
    std::string text = std::string(keyword) + "\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool ends_line = (i + 1) % values_per_line == 0 && i + 1 < values.size();
        fmt::format_to(std::back_inserter(text), " {:.9g}{}", values[i], ends_line ? "\n" : "");
    }
    return text + " /\n";
}

std::string rock(const Geology& rock) {
    return array("PERMX", rock.permeability_r) + "COPY\n PERMX PERMY /\n/\n" + array("PERMZ", rock.permeability_z) +
           array("PORO", rock.porosity);
}

std::string capillary_scaling(BrinePhase brine) {
    if (brine == BrinePhase::oil) {
        return "";
    }
    // The simulator multiplies the table of a cell by 0.318316 times this tension [dyn/cm] times the root of porosity
    // over permeability [mD]: by 1 where leverett_factor() is 1.
    const double tension = leverett_factor(1.0, 1.0) / 0.318316;
    return fmt::format("JFUNC\n BOTH {0:.8f} {0:.8f} 0.5 0.5 X /\n", tension);
}

std::string props(const SampledCase& inputs, const Geology& rock, BrinePhase brine) {
    const auto table = saturation_table(inputs.irreducible_water_saturation, inputs.van_genuchten_lambda);
    return fmt::format("PROPS\nROCK\n {:.6f} {:g} /\nSALINITY\n {:.9g} /\n", inputs.initial_pressure,
                       rock_compressibility, molality_of(inputs.salinity)) +
           (brine == BrinePhase::oil ? gas_and_oil(table) + capillary_limits(table, rock)
            : has_hysteresis(inputs) ? hysteresis(inputs, table) + regions(rock.porosity.size())
                                     : gas_and_water(table));
}

std::string solution_and_summary(const SampledCase& inputs, BrinePhase brine) {
    // RTEMP, because a table of temperature against depth leaves part of the simulator at surface temperature. The
    // contact of gas lies above all cells (with oil that of water below them). Item 7 of EQUIL with RSVD makes oil
    // start without CO2; water starts without it by itself.
    const bool is_water = brine == BrinePhase::water;
    return fmt::format(R"(SOLUTION
RTEMP
 {:.6f} /
EQUIL
 {} {:.6f} {} /
{}{}SUMMARY
FGIT
{}WBHP
/
WGIR
/
)",
                       inputs.temperature, top_depth, inputs.initial_pressure, is_water ? "0" : "5000 0 0 0 1 1* 0",
                       is_water ? "" : "RSVD\n 0 0\n 5000 0 /\n", restart_arrays(brine),
                       has_hysteresis(inputs) ? "FGMGP\nFGMMO\nFGMDS\n" : "");
}

std::string restart_arrays(BrinePhase brine) {
    return fmt::format("RPTRST\n BASIC=2 BG {} /\n", brine == BrinePhase::water ? "BW PCGW" : "BO");
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

}  // namespace plumecast::deck
