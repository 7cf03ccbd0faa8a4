#include "reservoir/simulation/deck_sections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units.hpp"
#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/simulation/deck_constants.hpp"

namespace plumecast::deck {
namespace {

constexpr std::size_t values_per_line = 8;

}  // namespace

std::string runspec(const std::string& title, std::size_t columns, std::size_t lines, std::size_t rows,
                    std::size_t wells) {
    return fmt::format(R"(RUNSPEC
TITLE
 {}
DIMENS
 {} {} {} /
METRIC
OIL
GAS
DISGAS
CO2STORE
START
 1 JAN 2020 /
EQLDIMS
/
TABDIMS
 1 1 73 /
ENDSCALE
/
WELLDIMS
 {} {} 1 {} /
UNIFOUT
)",
                       title, columns, lines, rows, wells, rows, wells);
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

std::string props(const SampledCase& inputs, const Geology& rock) {
    std::string text = fmt::format("PROPS\nROCK\n {:.6f} {:g} /\nSALINITY\n {:.9g} /\nSGOF\n", inputs.initial_pressure,
                                   rock_compressibility, molality_of(inputs.salinity));
    const auto table = saturation_table(inputs.irreducible_water_saturation, inputs.van_genuchten_lambda);
    for (const SaturationRow& row : table) {
        fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g} {:.8g}\n", row.gas_saturation,
                       row.gas_permeability, row.water_permeability, row.capillary_pressure);
    }
    // The simulator scales the table of a cell so that its largest value becomes PCG.
    std::vector<double> limits;
    for (std::size_t cell = 0; cell < rock.porosity.size(); ++cell) {
        limits.push_back(table.back().capillary_pressure *
                         leverett_factor(rock.permeability_r[cell], rock.porosity[cell]));
    }
    return text + "/\n" + array("PCG", limits);
}

std::string solution_and_summary(const SampledCase& inputs) {
    // RTEMP, because a table of temperature against depth leaves part of the simulator at surface temperature. Item 7
    // of EQUIL with RSVD makes the brine start without CO2.
    return fmt::format(R"(SOLUTION
RTEMP
 {:.6f} /
EQUIL
 {} {:.6f} 5000 0 0 0 1 1* 0 /
RSVD
 0 0
 5000 0 /
RPTRST
 BASIC=2 BG BO /
SUMMARY
FGIT
WBHP
/
)",
                       inputs.temperature, top_depth, inputs.initial_pressure);
}

std::string steps(std::span<const double> times) {
    std::vector<double> steps;
    for (std::size_t i = 0; i < times.size(); ++i) {
        steps.push_back(times[i] - (i > 0 ? times[i - 1] : 0.0));
    }
    return array("TSTEP", steps);
}

}  // namespace plumecast::deck
