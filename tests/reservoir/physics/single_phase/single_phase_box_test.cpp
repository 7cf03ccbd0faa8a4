
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/single_phase/single_phase_box.hpp"

namespace plumecast {
namespace {

/// A uniform box of cells of 100 x 100 x 5 m, 100 mD (10 mD upwards), porosity 0.2, at 200 bar and 60 degC, no well.
BoxCase uniform_box(std::size_t rows, std::size_t lines, std::size_t columns) {
    BoxCase box;
    for (std::size_t i = 0; i <= columns; ++i) {
        box.x_edges.push_back(100.0 * static_cast<double>(i));
    }
    for (std::size_t i = 0; i <= lines; ++i) {
        box.y_edges.push_back(100.0 * static_cast<double>(i));
    }
    for (std::size_t i = 0; i <= rows; ++i) {
        box.z_edges.push_back(5.0 * static_cast<double>(i));
    }
    box.times = {1.0, 30.0, 365.25};
    box.permeability_x.assign(box.cells(), 100.0);
    box.permeability_y.assign(box.cells(), 100.0);
    box.permeability_z.assign(box.cells(), 10.0);
    box.porosity.assign(box.cells(), 0.2);
    box.perforation.assign(box.cells(), 0.0);
    box.active.assign(box.cells(), 1);
    box.cell_injection_rate.assign(box.cells(), 0.0);
    box.initial_pressure = 200.0;
    box.temperature = 60.0;
    return box;
}

std::size_t cell_of(const BoxCase& box, std::size_t row, std::size_t line, std::size_t column) {
    return row * box.plane() + line * box.columns() + column;
}

/// Opens all rows of a column to a well of a rate [Mt/year].
void add_well(BoxCase& box, std::size_t line, std::size_t column, double rate) {
    for (std::size_t row = 0; row < box.rows(); ++row) {
        box.perforation[cell_of(box, row, line, column)] = 1.0;
        box.cell_injection_rate[cell_of(box, row, line, column)] = rate / static_cast<double>(box.rows());
    }
}

/// Permeability between 10^-3 and 10^3 mD drawn for each cell alone, some inactive cells, two wells.
BoxCase rough_box(std::size_t rows, std::size_t lines, std::size_t columns, unsigned seed) {
    BoxCase box = uniform_box(rows, lines, columns);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        for (auto* permeability : {&box.permeability_x, &box.permeability_y, &box.permeability_z}) {
            (*permeability)[cell] = std::pow(10.0, -3.0 + 6.0 * uniform(random));
        }
        box.porosity[cell] = 0.05 + 0.3 * uniform(random);
        box.active[cell] = uniform(random) > 0.1 ? 1 : 0;
    }
    for (const auto& [line, column] : {std::pair{1ul, 1ul}, {lines - 2, columns - 1}}) {
        for (std::size_t row = 0; row < rows; ++row) {
            box.active[cell_of(box, row, line, column)] = 1;
        }
        add_well(box, line, column, 0.2);
    }
    return box;
}

double stored_over_injected(const BoxCase& box, const BoxFlow& flow, std::size_t time) {
    double stored = 0.0, injected = 0.0;
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t line = cell % box.plane() / box.columns(), column = cell % box.columns();
        const bool at_side = line == 0 || column == 0 || line + 1 == box.lines() || column + 1 == box.columns();
        const double volume = 100.0 * 100.0 * 5.0 * box.porosity[cell] * (at_side ? box.aquifer : 1.0);
        stored += box.active[cell] != 0
                      ? volume * flow.compressibility * flow.pressure_buildup[time * box.cells() + cell]
                      : 0.0;
    }
    for (const double rate : flow.volume_rates) {
        injected += rate * box.times[time];
    }
    return stored / injected;
}

TEST(SinglePhaseBox, ConservesTheInjectedVolumeForContrastsOfAMillion) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        BoxCase box = rough_box(4 + seed, 11, 9, seed);
        box.aquifer = 50.0;
        box.check("the case");
        const BoxFlow flow = single_phase_box(box, 2);
        for (std::size_t time = 0; time < box.times.size(); ++time) {
            EXPECT_NEAR(stored_over_injected(box, flow, time), 1.0, 1e-10) << seed << " " << time;
        }
        for (const double pressure : flow.pressure_buildup) {
            ASSERT_TRUE(std::isfinite(pressure) && pressure >= 0.0);
        }
        EXPECT_LT(flow.iterations, 6 * 100);
    }
}

TEST(SinglePhaseBox, IsTheissSolutionAwayFromTheWell) {
    BoxCase box = uniform_box(2, 81, 81);
    add_well(box, 40, 40, 0.2);
    box.times.clear();
    for (int i = 0; i <= 40; ++i) {
        box.times.push_back(0.05 * std::pow(160.0, i / 40.0));  // to 8 days, before the sides are felt
    }
    const BoxFlow flow = single_phase_box(box, 4);
    const double pressure =
        flow.volume_rates[0] * flow.viscosity / (4.0 * std::numbers::pi * cylinder::darcy * 100.0 * 10.0);
    const double storage = 0.2 * flow.viscosity * flow.compressibility / (4.0 * cylinder::darcy * 100.0);
    const double* found = flow.pressure_buildup.data() + 40 * box.cells();
    for (const auto& [line, column] : {std::pair{40ul, 45ul}, {50ul, 40ul}, {47ul, 47ul}, {40ul, 55ul}}) {
        const double radius = 100.0 * std::hypot(static_cast<double>(line) - 40.0, static_cast<double>(column) - 40.0);
        const double expected = -pressure * std::expint(-radius * radius * storage / 8.0);
        EXPECT_NEAR(found[cell_of(box, 1, line, column)], expected, 0.02 * pressure) << line << " " << column;
    }
    // Peaceman's factor makes the well's pressure that of its radius.
    EXPECT_NEAR(flow.well_buildup.back(), -pressure * std::expint(-0.01 * storage / 8.0), 0.02 * pressure);
}

TEST(SinglePhaseBox, AddsUpOverWells) {
    BoxCase both = rough_box(3, 8, 10, 4);
    const BoxFlow together = single_phase_box(both, 1);
    ASSERT_EQ(together.wells.size(), 2u);
    std::vector<double> sum(together.pressure_buildup.size());
    for (std::size_t silent = 0; silent < 2; ++silent) {
        BoxCase one = both;
        const BoxCaseWell& well = together.wells[silent];
        for (std::size_t row = 0; row < one.rows(); ++row) {
            one.cell_injection_rate[cell_of(one, row, well.line, well.column)] = 0.0;
        }
        const BoxFlow alone = single_phase_box(one, 1);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += alone.pressure_buildup[i];
        }
    }
    const double largest = *std::max_element(together.well_buildup.begin(), together.well_buildup.end());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        ASSERT_NEAR(together.pressure_buildup[i], sum[i], 1e-5 * largest) << i;
    }
}

TEST(SinglePhaseBox, IsReciprocal) {
    // A unit of volume into one well raises the other as much as the other way round.
    double response[2];
    for (std::size_t injecting = 0; injecting < 2; ++injecting) {
        BoxCase box = rough_box(3, 8, 10, 6);
        const BoxCaseWell silent = box_wells(box)[1 - injecting];
        for (std::size_t row = 0; row < box.rows(); ++row) {
            box.cell_injection_rate[cell_of(box, row, silent.line, silent.column)] = 0.0;
        }
        const BoxFlow flow = single_phase_box(box, 1);
        response[injecting] = flow.well_buildup[2 * 2 + 1 - injecting] / flow.volume_rates[injecting];
        EXPECT_GT(response[injecting], 0.0);
    }
    EXPECT_NEAR(response[0] / response[1], 1.0, 1e-4);
}

TEST(SinglePhaseBox, DoesNotDependOnTheNamesOfTheAxes) {
    const BoxCase box = rough_box(3, 7, 9, 5);
    BoxCase turned = uniform_box(3, 9, 7);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t line = 0; line < 7; ++line) {
            for (std::size_t column = 0; column < 9; ++column) {
                const std::size_t from = cell_of(box, row, line, column), to = cell_of(turned, row, column, line);
                turned.permeability_x[to] = box.permeability_y[from];
                turned.permeability_y[to] = box.permeability_x[from];
                turned.permeability_z[to] = box.permeability_z[from];
                turned.porosity[to] = box.porosity[from];
                turned.active[to] = box.active[from];
                turned.perforation[to] = box.perforation[from];
                turned.cell_injection_rate[to] = box.cell_injection_rate[from];
            }
        }
    }
    const BoxFlow one = single_phase_box(box, 1);
    const BoxFlow other = single_phase_box(turned, 1);
    for (std::size_t line = 0; line < 7; ++line) {
        for (std::size_t column = 0; column < 9; ++column) {
            EXPECT_NEAR(one.pressure_buildup[cell_of(box, 1, line, column)],
                        other.pressure_buildup[cell_of(turned, 1, column, line)], 1e-5 * one.well_buildup[0]);
        }
    }
}

TEST(BoxWells, AreThePerforatedColumnsWithTheSumOfTheirRates) {
    BoxCase box = uniform_box(3, 4, 5);
    add_well(box, 1, 2, 0.6);
    add_well(box, 3, 4, 0.3);
    box.active[cell_of(box, 0, 3, 4)] = 0;
    box.cell_injection_rate[cell_of(box, 0, 3, 4)] = 0.0;
    const std::vector<BoxCaseWell> wells = box_wells(box);
    ASSERT_EQ(wells.size(), 2u);
    EXPECT_EQ(wells[0].line, 1u);
    EXPECT_EQ(wells[0].column, 2u);
    EXPECT_NEAR(wells[0].injection_rate, 0.6, 1e-12);
    EXPECT_NEAR(wells[0].depth, 7.5, 1e-12);
    EXPECT_EQ(wells[1].factors[0], 0.0);
    EXPECT_NEAR(wells[1].injection_rate, 0.2, 1e-12);
    EXPECT_NEAR(wells[1].depth, 10.0, 1e-12);
}

TEST(BoxConnectionFactor, IsPeacemansForRockThatConductsMoreAlongOneAxis) {
    // Stretching x by the square root of the ratio makes the rock alike in all directions.
    const double stretched = box_connection_factor(100.0, 200.0, 5.0, 40.0, 40.0, 0.1);
    EXPECT_NEAR(stretched,
                2.0 * std::numbers::pi * cylinder::darcy * 40.0 * 5.0 / std::log(0.14 * std::hypot(100, 200) / 0.1),
                1e-9);
    EXPECT_DOUBLE_EQ(box_connection_factor(100.0, 200.0, 5.0, 10.0, 90.0, 0.1),
                     box_connection_factor(200.0, 100.0, 5.0, 90.0, 10.0, 0.1));
    EXPECT_THROW(box_connection_factor(0.2, 0.2, 5.0, 10.0, 10.0, 0.1), InvalidInput);
}

TEST(BoxCaseCheck, NamesCaseCellAndRemedy) {
    BoxCase box = uniform_box(2, 3, 4);
    const auto refusal = [&] {
        try {
            box.check("cases.h5: case 2");
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal().find("no active cell is perforated"), std::string::npos);
    add_well(box, 1, 1, 0.5);
    EXPECT_EQ(refusal(), "");
    box.permeability_y[cell_of(box, 1, 2, 3)] = 0.0;
    EXPECT_EQ(
        refusal().rfind("cases.h5: case 2: permeability_y [mD] of the active cell in row 1, line 2, column 3 is 0", 0),
        0u);
    box.active[cell_of(box, 1, 2, 3)] = 0;
    EXPECT_EQ(refusal(), "");
    box.cell_injection_rate[0] = 0.1;
    EXPECT_NE(refusal().find("row 0, line 0, column 0 is 0.1 (it is inactive or not perforated"), std::string::npos);
    box.cell_injection_rate[0] = 0.0;
    box.temperature = 200.0;
    EXPECT_NE(refusal().find("temperature"), std::string::npos);
}

}  // namespace
}  // namespace plumecast
