
#include "reservoir/simulation/box_deck.hpp"
#include "reservoir/eclipse/record_file.hpp"
#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/cylinder.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/simulation/box_sample.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/flow_process.hpp"
#include "reservoir/simulation/simulator_folder.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(BoxDeck, NamesEveryWellWithItsCellsAndRate) {
    const BoxReservoir reservoir = sample_box();
    ASSERT_EQ(reservoir.wells.size(), 2U);
    const std::string deck = deck_text(reservoir, std::vector{30.0, 90.0});
    EXPECT_THAT(deck, HasSubstr("DIMENS\n 8 6 3 /"));
    EXPECT_THAT(deck, HasSubstr("TSTEP\n 30 60 /"));
    for (std::size_t i = 0; i < 2; ++i) {
        const BoxWell& well = reservoir.wells[i];
        const std::string name = "INJ" + std::to_string(i + 1);
        const std::string place = std::to_string(well.column + 1) + " " + std::to_string(well.line + 1);
        EXPECT_THAT(deck, HasSubstr(" " + name + " G " + place));
        EXPECT_THAT(deck, HasSubstr(" " + name + " " + place + " 2 2 OPEN"));
        EXPECT_THAT(deck, HasSubstr(" " + name + " GAS OPEN RATE "));
    }
}

TEST(BoxDeck, ChangesTheWellsWhoseRatesChange) {
    BoxReservoir reservoir = sample_box();
    reservoir.inputs.schedule_ends = {10.0, 50.0, 90.0};
    const std::vector<double> first = {0.2, 0.1, 0.1}, second = {0.0, 0.1, 0.0};
    for (std::size_t i = 0; i < 2; ++i) {
        reservoir.inputs.wells[i].schedule_rates = reservoir.wells[i].schedule_rates = i == 0 ? first : second;
    }
    reservoir.inputs.schedule_rates = {0.2, 0.2, 0.1};  // the first change leaves the sum as it is
    const std::vector<double> times = {30.0, 100.0};
    EXPECT_EQ(report_days(reservoir.inputs, times), (std::vector<double>{10.0, 30.0, 50.0, 90.0, 100.0}));
    const std::string deck = deck_text(reservoir, times);
    const auto rate = [](double of) { return fmt::format("RATE {:.10g} 1* 950 /\n", surface_rate(of)); };
    const std::string schedule = deck.substr(deck.find("WCONINJE"));
    EXPECT_EQ(schedule, "WCONINJE\n INJ1 GAS OPEN " + rate(0.2) + " INJ2 GAS SHUT RATE 0 1* 950 /\n/\nTSTEP\n 10 /\n" +
                            "WCONINJE\n INJ1 GAS OPEN " + rate(0.1) + " INJ2 GAS OPEN " + rate(0.1) +
                            "/\nTSTEP\n 20 20 /\nWCONINJE\n INJ2 GAS SHUT RATE 0 1* 950 /\n/\nTSTEP\n 40 /\n" +
                            "WCONINJE\n INJ1 GAS SHUT RATE 0 1* 950 /\n/\nTSTEP\n 10 /\nEND\n");
}

TEST(BoxDeck, ConnectsWellsAsPeacemanDoes) {
    // Square cells of side d: the pressure of a cell is met at 0.2 d.
    const double factor = box_connection_factor(100.0, 100.0, 10.0, 50.0, 50.0, 0.1);
    const double expected = 2.0 * std::numbers::pi * cylinder::darcy * 500.0 / std::log(0.198 * 100.0 / 0.1);
    EXPECT_NEAR(factor / expected, 1.0, 1e-3);
}

TEST(BoxDeck, StatesCornersAndFaults) {
    const BoxReservoir reservoir = sample_site();
    const std::string deck = deck_text(reservoir, std::vector{30.0});
    EXPECT_THAT(deck, HasSubstr("\nFAULTS\n F1 5 5 1 6 1 3 X /\n F2 2 7 4 4 1 3 Y /\n/\nMULTFLT\n F1 "));
    EXPECT_THAT(deck, HasSubstr(fmt::format("\nMULTFLT\n F1 {:.9g} /\n F2 1 /\n/\n", reservoir.fault_multipliers[0])));
    EXPECT_THAT(deck, HasSubstr("\nZCORN\n"));
    EXPECT_THAT(deck, ::testing::Not(HasSubstr("\nTOPS\n")));
    const BoxWell& well = reservoir.wells[0];
    const auto first = static_cast<std::size_t>(
        std::ranges::find_if(well.perforation, [](double open) { return open > 0.0; }) - well.perforation.begin());
    EXPECT_THAT(deck, HasSubstr(fmt::format(" INJ1 G {} {} {:.6f} GAS", well.column + 1, well.line + 1,
                                            1000.0 + reservoir.depth(reservoir.cell(first, well)))));
}

class BoxSimulation : public SimulatorFolder {};

TEST_F(BoxSimulation, TakesVolumesTransmissibilitiesAndRates) {
    const BoxReservoir reservoir = sample_box();
    const std::vector<double> times = {30.0, 100.0};
    if (!simulates(reservoir, times, reservoir.rock.porosity.size())) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    const std::size_t cells = reservoir.rock.porosity.size();
    const FlowResults results = read_flow_results(folder_, cells, times);
    const auto problem = check_case(CheckSettings{}, reservoir.inputs, results);
    EXPECT_FALSE(problem) << problem->detail;

    const std::map<std::string, std::vector<double>> init = arrays("CASE.INIT", "TRAN");
    const double dx = 300.0, dy = 300.0, dz = 20.0;
    const auto& k = reservoir.rock.permeability_r;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::size_t i = cell % 8, j = cell / 8 % 6;
        const bool is_side = i == 0 || i == 7 || j == 0 || j == 5;
        const double pores = dx * dy * dz * reservoir.rock.porosity[cell] * (is_side ? 1000.0 : 1.0);
        EXPECT_NEAR(results.pore_volume[cell] / pores, 1.0, 1e-5);
        if (i + 1 < 8) {
            const double expected = cylinder::darcy * dy * dz / (0.5 * dx / k[cell] + 0.5 * dx / k[cell + 1]);
            EXPECT_NEAR(init.at("TRANX")[cell] / expected, 1.0, 1e-5);
        }
    }
    // Gas is where the wells are, and nowhere near the sides yet.
    for (const BoxWell& well : reservoir.wells) {
        EXPECT_GT(results.snapshots.back().gas_saturation[reservoir.cell(1, well)], 0.0);
    }
    EXPECT_EQ(results.snapshots.back().gas_saturation[0], 0.0);
}

TEST_F(BoxSimulation, ConnectsCornerPointsAsTheSimulatorDoes) {
    BoxReservoir reservoir = sample_site();
    for (std::size_t at = 0; at < reservoir.corner_points->pillars.size(); at += 6) {  // pillars lean, some more
        double* ends = &reservoir.corner_points->pillars[at];
        ends[3] += 0.1 * ends[0] + 20.0;
        ends[4] -= 0.05 * ends[0];
    }
    const std::vector<double> times = {30.0};
    if (!simulates(reservoir, times, reservoir.rock.porosity.size())) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    const std::size_t cells = reservoir.rock.porosity.size();
    const std::map<std::string, std::vector<double>> stated = arrays("CASE.INIT", "TRAN");
    const CellConnections found = reservoir.connections();
    std::size_t neighbours = 0;
    for (const auto& [keyword, values] :
         {std::pair("TRANX", &found.x), std::pair("TRANY", &found.y), std::pair("TRANZ", &found.z)}) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            EXPECT_NEAR(stated.at(keyword)[cell], (*values)[cell], 1e-5 * (*values)[cell]) << keyword << ' ' << cell;
            neighbours += (*values)[cell] > 0.0 ? 1U : 0U;
        }
    }
    EXPECT_GT(neighbours, 2 * cells);
    const std::map<std::pair<std::size_t, std::size_t>, double> apart = connections_apart();
    ASSERT_EQ(apart.size(), found.apart.size());
    EXPECT_GT(apart.size(), 10U);
    for (const BoxConnection& one : found.apart) {
        EXPECT_NEAR((apart.at({one.first, one.second})), one.transmissibility, 1e-5 * one.transmissibility);
    }
}

}  // namespace
}  // namespace plumecast::testing
