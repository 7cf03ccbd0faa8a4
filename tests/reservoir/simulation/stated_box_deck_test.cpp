#include "reservoir/simulation/stated_box_deck.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/simulation/box_sample.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/simulator_folder.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What a data set would state of a drawn case: its active rows, in the words of the reduced physics.
StatedBox stated(const BoxReservoir& drawn) {
    StatedBox one;
    one.inputs = drawn.inputs;
    BoxCase& box = one.box;
    const std::size_t cells = drawn.rock.porosity.size();
    box.x_edges = drawn.grid.x_edges;
    box.y_edges = drawn.grid.y_edges;
    box.z_edges = drawn.grid.z_edges;
    box.z_edges.resize(drawn.active_rows + 1);
    box.permeability_x = box.permeability_y = drawn.rock.permeability_r;
    box.permeability_z = drawn.rock.permeability_z;
    box.porosity = drawn.rock.porosity;
    box.active.assign(cells, 1);
    box.perforation.assign(cells, 0.0);
    box.cell_injection_rate.assign(cells, 0.0);
    for (const BoxWell& well : drawn.wells) {
        const std::vector<double> shares = drawn.shares(well);
        for (std::size_t row = 0; row < drawn.active_rows; ++row) {
            box.perforation[drawn.cell(row, well)] = well.perforation[row];
            box.cell_injection_rate[drawn.cell(row, well)] = shares[row] * well.injection_rate;
        }
    }
    box.initial_pressure = drawn.inputs.initial_pressure;
    box.temperature = drawn.inputs.temperature;
    box.irreducible_water_saturation = drawn.inputs.irreducible_water_saturation;
    box.van_genuchten_lambda = drawn.inputs.van_genuchten_lambda;
    box.aquifer = drawn.aquifer;
    if (drawn.corner_points) {
        one.corner_points = first_rows(*drawn.corner_points, drawn.active_rows);
        box.pore_volume = drawn.pore_volumes();
        for (std::size_t cell = 0; cell < cells; ++cell) {
            box.cell_depth.push_back(drawn.depth(cell));
            box.cell_volume.push_back(300.0 * 300.0 * 20.0);
        }
    }
    return one;
}

/// sample_site() with transmissibilities of its own: other ones throughout, nothing between two cells that a fault
/// brings together, something between two that are apart, and one cell without rock.
StatedBox stated_site() {
    const BoxReservoir drawn = sample_site();
    StatedBox one = stated(drawn);
    one.states_flow = true;
    one.box.active[0] = 0;
    one.box.porosity[0] = one.box.permeability_x[0] = one.box.permeability_y[0] = 0.0;
    CellConnections flow = drawn.connections();
    flow.x[0] = flow.y[0] = flow.z[0] = 0.0;
    const auto change = [](std::size_t i) { return 0.5 + static_cast<double>(i % 7) / 4.0; };
    for (std::vector<double>* values : {&flow.x, &flow.y, &flow.z}) {
        for (std::size_t cell = 0; cell < values->size(); ++cell) {
            (*values)[cell] *= change(cell);
        }
    }
    one.box.transmissibility_x = flow.x;
    one.box.transmissibility_y = flow.y;
    one.box.transmissibility_z = flow.z;
    one.box.connections.assign(flow.apart.begin() + 1, flow.apart.end());
    for (std::size_t i = 0; i < one.box.connections.size(); ++i) {
        one.box.connections[i].transmissibility *= change(i);
    }
    one.box.connections.push_back({8, 107, 0.75});
    return one;
}

std::vector<std::pair<std::size_t, std::size_t>> open_cells(const BoxCase& box) {
    std::vector<std::pair<std::size_t, std::size_t>> places;  // well, row
    const std::vector<BoxCaseWell> wells = box_wells(box);
    for (std::size_t well = 0; well < wells.size(); ++well) {
        for (std::size_t row = 0; row < box.rows(); ++row) {
            if (wells[well].factors[row] > 0.0) {
                places.emplace_back(well, row);
            }
        }
    }
    return places;
}

TEST(StatedBoxDeck, StatesVolumesOfPoresAndFactorsOfWells) {
    StatedBox one = stated(sample_box());
    one.box.well_connection_factor.assign(one.box.cells(), 0.0);
    const std::vector<BoxCaseWell> wells = box_wells(one.box);
    ASSERT_EQ(wells.size(), 2U);
    const auto [well, row] = open_cells(one.box).back();
    one.box.well_connection_factor[row * one.box.plane() + wells[well].line * one.box.columns() + wells[well].column] =
        12.5;
    const std::string deck = deck_text(one, std::vector{30.0});
    EXPECT_THAT(deck, HasSubstr("\nDIMENS\n 8 6 3 /"));
    EXPECT_THAT(deck, HasSubstr("\nTOPS\n 48*1000 /\n"));
    EXPECT_THAT(deck, HasSubstr(fmt::format("\nPORV\n {:.9g} ", 300.0 * 300.0 * 20.0 * one.box.porosity[0] * 1000.0)));
    for (const auto& [of, at] : open_cells(one.box)) {
        const double factor = of == well && at == row ? 12.5 : wells[of].factors[at];
        EXPECT_THAT(deck, HasSubstr(fmt::format(" INJ{0} {1} {2} {3} {3} OPEN 1* {4:.9g} 0.2 /\n", of + 1,
                                                wells[of].column + 1, wells[of].line + 1, at + 1, factor)));
        EXPECT_THAT(deck, HasSubstr(fmt::format(" INJ{} GAS OPEN RATE {:.10g} 1* 950 /\n", of + 1,
                                                surface_rate(wells[of].injection_rate))));
    }
    for (const char* keyword : {"ACTNUM", "TRANX", "EDITNNC", "NNC\n", "MULTPV"}) {
        EXPECT_THAT(deck, Not(HasSubstr(keyword)));
    }
}

TEST(StatedBoxDeck, FollowsSchedulesAndPropertiesOfRockAndFluids) {
    StatedBox one = stated(sample_box());
    one.box.schedule_ends = one.inputs.schedule_ends = {10.0, 50.0};
    one.box.schedule_rates = {{0.2, 0.1}, {0.0, 0.1}};
    one.inputs.schedule_rates = {0.2, 0.2};
    one.inputs.wells.assign(2, {});
    for (std::size_t i = 0; i < 2; ++i) {
        one.inputs.wells[i].schedule_rates = one.box.schedule_rates[i];
    }
    one.box.rock_fluid.rock_compressibility = 1.25e-5;
    one.box.rock_fluid.residual_gas_saturation = 0.125;
    std::ranges::transform(one.box.permeability_x, one.box.permeability_y.begin(), [](double k) { return 2.0 * k; });
    const std::string deck = deck_text(one, std::vector{30.0, 100.0}, BrinePhase::water);
    EXPECT_THAT(deck, HasSubstr("\nTSTEP\n 10 /\n"));
    EXPECT_THAT(deck,
                HasSubstr(fmt::format("WCONINJE\n INJ1 GAS OPEN RATE {0:.10g} 1* 950 /\n INJ2 GAS OPEN RATE {0:.10g} "
                                      "1* 950 /\n/\nTSTEP\n 20 20 /\n",
                                      surface_rate(0.1))));
    EXPECT_THAT(deck, HasSubstr(" 1.25e-05 /\nSALINITY"));
    EXPECT_THAT(deck, HasSubstr(" 0.5 0.5 XY /\n"));
    EXPECT_THAT(deck, HasSubstr(fmt::format("\nPERMY\n {:.9g} ", 2.0 * one.box.permeability_x[0])));
    const auto table = saturation_table(one.box.irreducible_water_saturation, one.box.van_genuchten_lambda, 0.125);
    EXPECT_NE(table[20].gas_permeability,
              saturation_table(one.box.irreducible_water_saturation, 0.5)[20].gas_permeability);
    EXPECT_THAT(deck, HasSubstr(fmt::format("\n {:.8f} {:.8g} {:.8g}\n", table[20].gas_saturation,
                                            table[20].gas_permeability, table[20].capillary_pressure)));
}

TEST(StatedBoxDeck, HasTheTablesOfItsRegions) {
    StatedBox one = stated(sample_box());
    one.box.saturation_tables = {{{0.0, 0.0, 1.0, 0.0}, {0.1, 0.0, 0.5, 0.25}, {0.8, 1.0, 0.0, 2.0}},
                                 {{0.0, 0.0, 1.0, 0.125}, {0.9, 0.75, 0.0, 4.0}}};
    one.box.saturation_region.assign(one.box.cells(), 1);
    one.box.saturation_region[2] = 2;
    const std::string gas =
                          "\nSGFN\n 0.00000000 0 0\n 0.10000000 0 0.25\n 0.80000000 1 2\n/\n 0.00000000 0 0.125\n "
                          "0.90000000 0.75 4\n/\n",
                      water =
                          "SWFN\n 0.20000000 0 2\n 0.90000000 0.5 0.25\n 1.00000000 1 0\n/\n 0.10000000 0 4\n "
                          "1.00000000 1 0.125\n/\n";
    const std::string drained = deck_text(one, std::vector{30.0}, BrinePhase::water);
    EXPECT_THAT(drained, HasSubstr(gas + water + "REGIONS\nSATNUM\n 1 1 2 1 "));
    EXPECT_THAT(drained, HasSubstr("\nTABDIMS\n 2 1 73 /\n"));
    EXPECT_THAT(drained, Not(HasSubstr("JFUNC")));  // tables are those of their rock
    const std::string as_oil = deck_text(one, std::vector{30.0}, BrinePhase::oil);
    EXPECT_THAT(as_oil, HasSubstr("\nSGOF\n 0.00000000 0 1 0\n 0.10000000 0 0.5 0.25\n"));
    EXPECT_THAT(as_oil, Not(HasSubstr("PCG\n")));
    one.inputs.residual_gas_saturation = 0.3;
    const std::string trapping = deck_text(one, std::vector{30.0}, BrinePhase::water);
    EXPECT_THAT(trapping, HasSubstr("\nTABDIMS\n 4 1 73 /\nSATOPTS\n HYSTER /"));
    EXPECT_THAT(trapping, HasSubstr("EHYSTR\n 0.1 2 1.0 0.0 KR /\nREGIONS\nSATNUM\n 1 1 2 1 "));
    EXPECT_THAT(trapping, HasSubstr("\nIMBNUM\n 3 3 4 3 "));
}

TEST(StatedBoxDeck, GrowsWarmerWithDepthWhereTheCaseDoes) {
    StatedBox one = stated(sample_box());
    EXPECT_THAT(deck_text(one, std::vector{30.0}), HasSubstr(fmt::format("\nRTEMP\n {:.6f} /\n", one.box.temperature)));
    one.box.rock_fluid.temperature_gradient = 0.03;
    const double below = one.box.z_edges.back() + 1000.0;
    EXPECT_THAT(deck_text(one, std::vector{30.0}, BrinePhase::water),
                HasSubstr(fmt::format("\nRTEMPVD\n 1000.000000 {:.6f}\n {:.6f} {:.6f} /\n", one.box.temperature_at(0.0),
                                      1000.0 + below, one.box.temperature_at(0.0) + 0.03 * below)));
}

TEST(StatedBoxDeck, StatesWhatFlowsBetweenCells) {
    const StatedBox one = stated_site();
    const std::string deck = deck_text(one, std::vector{30.0});
    const BoxConnection& kept = one.box.connections[1];
    const CellConnections of_shapes = corner_point_connections(
        one.corner_points, {one.box.permeability_x, one.box.permeability_y, one.box.permeability_z, one.box.active});
    const auto same = std::ranges::find_if(of_shapes.apart, [&](const BoxConnection& pair) {
        return pair.first == kept.first && pair.second == kept.second;
    });
    ASSERT_NE(same, of_shapes.apart.end());
    const double factor = kept.transmissibility / same->transmissibility;
    EXPECT_THAT(deck, HasSubstr("\nACTNUM\n 0 1 1 "));
    EXPECT_THAT(deck, HasSubstr("\nNNC\n 1 2 1 4 2 3 0.75 /\n/\n"));
    EXPECT_THAT(deck, HasSubstr("\nEDITNNC\n "));
    const auto place = [&one](std::size_t cell) {
        return fmt::format("{} {} {}", cell % 8 + 1, cell / 8 % 6 + 1, cell / one.box.plane() + 1);
    };
    const std::string edited = deck.substr(deck.find("\nEDITNNC\n"));
    EXPECT_THAT(edited.substr(0, edited.find("\n/\n")),
                HasSubstr(fmt::format("\n {} {} {:.9g} /", place(kept.first), place(kept.second), factor)));
    EXPECT_THAT(deck, HasSubstr(fmt::format("\nTRANX\n 0 {:.9g} ", one.box.transmissibility_x[1])));
    StatedBox by_shapes = one;
    by_shapes.states_flow = false;
    by_shapes.box.connections = sample_site().connections().apart;
    EXPECT_THAT(deck_text(by_shapes, std::vector{30.0}), Not(HasSubstr("TRANX")));
}

TEST(StatedBoxDeck, ConnectsCellsAcrossPinchedOutOnes) {
    StatedBox one = stated(sample_site());
    const std::size_t column = 47, plane = one.box.plane();  // the last column of the last line
    CornerPoints& shape = one.corner_points;
    const auto corner = [&shape](std::size_t level, std::size_t line, std::size_t at) -> double& {
        return shape.depths[(level * 2 * shape.lines + line) * 2 * shape.columns + at];
    };
    for (const std::size_t line : {10U, 11U}) {
        for (const std::size_t at : {14U, 15U}) {
            corner(3, line, at) = corner(4, line, at) = corner(2, line, at);  // the second row has no height there
        }
    }
    one.box.active[plane + column] = 0;
    const CellConnections flow = corner_point_connections(
        shape, {one.box.permeability_x, one.box.permeability_y, one.box.permeability_z, one.box.active});
    one.box.connections = flow.apart;
    const auto across = std::ranges::find_if(flow.apart, [&](const BoxConnection& pair) {
        return pair.first == column && pair.second == 2 * plane + column;
    });
    ASSERT_NE(across, flow.apart.end());
    EXPECT_THAT(deck_text(one, std::vector{30.0}),
                HasSubstr(fmt::format("\nNNC\n 8 6 1 8 6 3 {:.9g} /\n/\n", across->transmissibility)));
}

class StatedBoxSimulation : public SimulatorFolder {};

TEST_F(StatedBoxSimulation, FlowsAsTheCaseStates) {
    const StatedBox one = stated_site();
    const std::size_t cells = one.box.cells() - 1;
    const std::vector<double> times = {30.0};
    if (!simulates(one, times, cells)) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    const FlowResults results = read_flow_results(folder_, cells, times);
    const auto problem = check_case(CheckSettings{}, one.inputs, results);
    EXPECT_FALSE(problem) << problem->detail;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        EXPECT_NEAR(results.pore_volume[cell] / one.box.pore_volume[cell + 1], 1.0, 1e-6);
    }
    const std::map<std::string, std::vector<double>> found = arrays("CASE.INIT", "TRAN");
    for (const auto& [keyword, values] : {std::pair("TRANX", &one.box.transmissibility_x),
                                          {"TRANY", &one.box.transmissibility_y},
                                          {"TRANZ", &one.box.transmissibility_z}}) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double expected = (*values)[cell + 1];
            EXPECT_NEAR(found.at(keyword)[cell], expected, 1e-5 * expected) << keyword << ' ' << cell;
        }
    }
    auto apart = connections_apart();
    std::erase_if(apart, [](const auto& connection) { return connection.second == 0.0; });
    ASSERT_EQ(apart.size(), one.box.connections.size());
    for (const BoxConnection& connection : one.box.connections) {
        EXPECT_NEAR((apart.at(std::minmax(connection.first, connection.second))), connection.transmissibility,
                    1e-5 * connection.transmissibility);
    }
}

}  // namespace
}  // namespace plumecast::testing
