#include "deck.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "data/simulation/cylinder.hpp"
#include "data/simulation/saturation_functions.hpp"

namespace plumecast {
namespace {

constexpr double bottom_hole_pressure_limit = 950;  // [bar]
constexpr std::size_t values_per_line = 8;          // lines of a deck end at 128 characters

std::string runspec(const Reservoir& reservoir) {
    return fmt::format(R"(RUNSPEC
TITLE
 CO2 radial case {}
DIMENS
 {} 1 {} /
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
 1 {} 1 1 /
UNIFOUT
)",
                       reservoir.inputs.number, reservoir.columns(), reservoir.active_rows, reservoir.active_rows);
}

std::string array(const char* keyword, const std::vector<double>& values) {
    std::string text = std::string(keyword) + "\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool ends_line = (i + 1) % values_per_line == 0 && i + 1 < values.size();
        fmt::format_to(std::back_inserter(text), " {:.9g}{}", values[i], ends_line ? "\n" : "");
    }
    return text + " /\n";
}

/// Pillars at (r, -pi r) and (r, +pi r): a trapezoid of them has the area of the ring.
std::string pillars(const Reservoir& reservoir) {
    std::string text = "COORD\n";
    for (const double side : {-std::numbers::pi, std::numbers::pi}) {
        for (const double r : reservoir.grid.r_edges) {
            fmt::format_to(std::back_inserter(text), " {0:.10g} {1:.10g} {2:.10g} {0:.10g} {1:.10g} {3:.10g}\n", r,
                           side * r, top_depth, top_depth + reservoir.grid.z_edges.back());
        }
    }
    return text + "/\n";
}

std::string corner_depths(const Reservoir& reservoir) {
    std::string text = "ZCORN\n";
    const std::size_t corners = 4 * reservoir.columns();
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        for (const std::size_t edge : {row, row + 1}) {
            fmt::format_to(std::back_inserter(text), " {}*{:.10g}\n", corners,
                           top_depth + reservoir.grid.z_edges[edge]);
        }
    }
    return text + "/\n";
}

std::string grid(const Reservoir& reservoir) {
    return "GRID\nINIT\n" + pillars(reservoir) + corner_depths(reservoir) +
           array("PERMX", reservoir.rock.permeability_r) + "COPY\n PERMX PERMY /\n/\n" +
           array("PERMZ", reservoir.rock.permeability_z) + array("PORO", reservoir.rock.porosity);
}

cylinder::Ring ring(const Reservoir& reservoir, std::size_t column) {
    return {reservoir.grid.r_edges[column], reservoir.grid.r_edges[column + 1]};
}

std::string edit(const Reservoir& reservoir) {
    const std::size_t columns = reservoir.columns();
    std::vector<double> outwards;
    std::vector<double> downwards;
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        const double dz = reservoir.row_height(row);
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t cell = row * columns + j;
            const auto& kr = reservoir.rock.permeability_r;
            const auto& kz = reservoir.rock.permeability_z;
            const bool has_next = j + 1 < columns;
            const bool has_below = row + 1 < reservoir.active_rows;
            outwards.push_back(has_next ? cylinder::radial_transmissibility(ring(reservoir, j), kr[cell],
                                                                            ring(reservoir, j + 1), kr[cell + 1], dz)
                                        : 0.0);
            downwards.push_back(has_below ? cylinder::vertical_transmissibility(ring(reservoir, j), dz, kz[cell],
                                                                                reservoir.row_height(row + 1),
                                                                                kz[cell + columns])
                                          : 0.0);
        }
    }
    return "EDIT\n" + array("TRANX", outwards) + array("TRANZ", downwards);
}

std::string props(const Reservoir& reservoir) {
    const SampledCase& inputs = reservoir.inputs;
    std::string text = fmt::format("PROPS\nROCK\n {:.6f} {:g} /\nSALINITY\n 0 /\nSGOF\n", inputs.initial_pressure,
                                   rock_compressibility);
    const auto table = saturation_table(inputs.irreducible_water_saturation, inputs.van_genuchten_lambda);
    for (const SaturationRow& row : table) {
        fmt::format_to(std::back_inserter(text), " {:.8f} {:.8g} {:.8g} {:.8g}\n", row.gas_saturation,
                       row.gas_permeability, row.water_permeability, row.capillary_pressure);
    }
    // The simulator scales the table of a cell so that its largest value becomes PCG.
    std::vector<double> limits;
    for (std::size_t cell = 0; cell < reservoir.rock.porosity.size(); ++cell) {
        limits.push_back(table.back().capillary_pressure *
                         leverett_factor(reservoir.rock.permeability_r[cell], reservoir.rock.porosity[cell]));
    }
    return text + "/\n" + array("PCG", limits);
}

std::string solution_and_summary(const Reservoir& reservoir) {
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
                       reservoir.inputs.temperature, top_depth, reservoir.inputs.initial_pressure);
}

std::string connections(const Reservoir& reservoir) {
    std::string text = "COMPDAT\n";
    for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
        if (reservoir.perforation[row] > 0.0) {
            const double factor = cylinder::well_connection_factor(
                ring(reservoir, 0), reservoir.rock.permeability_r[row * reservoir.columns()],
                reservoir.row_height(row) * reservoir.perforation[row]);
            fmt::format_to(std::back_inserter(text), " INJ 1 1 {0} {0} OPEN 1* {1:.9g} {2:g} /\n", row + 1, factor,
                           2.0 * reservoir.grid.r_edges.front());
        }
    }
    return text + "/\n";
}

std::string schedule(const Reservoir& reservoir, std::span<const double> times) {
    const auto first = std::ranges::find_if(reservoir.perforation, [](double part) { return part > 0.0; });
    const auto row = static_cast<std::size_t>(first - reservoir.perforation.begin());
    const double depth = top_depth + 0.5 * (reservoir.grid.z_edges[row] + reservoir.grid.z_edges[row + 1]);
    std::vector<double> steps;
    for (std::size_t i = 0; i < times.size(); ++i) {
        steps.push_back(times[i] - (i > 0 ? times[i - 1] : 0.0));
    }
    return fmt::format("SCHEDULE\nRPTRST\n BASIC=2 BG BO /\nWELSPECS\n INJ G 1 1 {:.6f} GAS /\n/\n", depth) +
           connections(reservoir) +
           fmt::format("WCONINJE\n INJ GAS OPEN RATE {:.10g} 1* {} /\n/\n",
                       surface_rate(reservoir.inputs.injection_rate), bottom_hole_pressure_limit) +
           array("TSTEP", steps) + "END\n";
}

}  // namespace

double surface_rate(double megatonnes_per_year) {
    constexpr double kilograms_per_megatonne = 1e9;
    constexpr double days_per_year = 365.25;
    return megatonnes_per_year * kilograms_per_megatonne / days_per_year / surface_density;
}

std::string deck_text(const Reservoir& reservoir, std::span<const double> times) {
    return runspec(reservoir) + grid(reservoir) + edit(reservoir) + props(reservoir) + solution_and_summary(reservoir) +
           schedule(reservoir, times);
}

}  // namespace plumecast
