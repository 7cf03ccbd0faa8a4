#include "reservoir/physics/box_case.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/cylinder.hpp"

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
    box.irreducible_water_saturation = 0.2;
    box.van_genuchten_lambda = 0.5;
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
