#include <algorithm>
#include <cmath>
#include <regex>
#include <utility>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/single_phase/single_phase_box.hpp"
#include "reservoir/simulation/box_deck.hpp"
#include "reservoir/simulation/box_sample.hpp"
#include "reservoir/simulation/flow_process.hpp"
#include "reservoir/simulation/sample_reservoir.hpp"

namespace plumecast::testing {
namespace {

RadialCase radial_case(const Reservoir& reservoir, const std::vector<double>& times) {
    RadialCase radial;
    radial.r_edges = reservoir.grid.r_edges;
    const auto rows = static_cast<std::ptrdiff_t>(reservoir.active_rows);
    radial.z_edges.assign(reservoir.grid.z_edges.begin(), reservoir.grid.z_edges.begin() + rows + 1);
    radial.times = times;
    radial.permeability_r = reservoir.rock.permeability_r;
    radial.permeability_z = reservoir.rock.permeability_z;
    radial.porosity = reservoir.rock.porosity;
    radial.active.assign(radial.cells(), 1);
    for (const double part : reservoir.perforation) {
        radial.perforation.insert(radial.perforation.end(), radial.columns(), part);
    }
    radial.injection_rate = reservoir.inputs.injection_rate;
    radial.initial_pressure = reservoir.inputs.initial_pressure;
    radial.temperature = reservoir.inputs.temperature;
    radial.irreducible_water_saturation = reservoir.inputs.irreducible_water_saturation;
    radial.van_genuchten_lambda = reservoir.inputs.van_genuchten_lambda;
    return radial;
}

BoxCase box_case(const BoxReservoir& reservoir, const std::vector<double>& times) {
    BoxCase box;
    box.x_edges = reservoir.grid.x_edges;
    box.y_edges = reservoir.grid.y_edges;
    const auto rows = static_cast<std::ptrdiff_t>(reservoir.active_rows);
    box.z_edges.assign(reservoir.grid.z_edges.begin(), reservoir.grid.z_edges.begin() + rows + 1);
    box.times = times;
    box.permeability_x = box.permeability_y = reservoir.rock.permeability_r;
    box.permeability_z = reservoir.rock.permeability_z;
    box.porosity = reservoir.rock.porosity;
    box.active.assign(box.cells(), 1);
    box.perforation.resize(box.cells());
    box.cell_injection_rate.resize(box.cells());
    for (const BoxWell& well : reservoir.wells) {
        for (std::size_t row = 0; row < reservoir.active_rows; ++row) {
            box.perforation[reservoir.cell(row, well)] = well.perforation[row];
            box.cell_injection_rate[reservoir.cell(row, well)] =
                well.perforation[row] > 0.0 ? well.injection_rate * reservoir.shares(well)[row] : 0.0;
        }
    }
    box.initial_pressure = reservoir.inputs.initial_pressure;
    box.temperature = reservoir.inputs.temperature;
    box.aquifer = reservoir.aquifer;
    return box;
}

/// A deck with brine, which is the simulator's oil, in place of the CO2, the wells' rates [sm3/day] in their order.
std::string with_brine(std::string deck, const std::vector<double>& rates) {
    deck = std::regex_replace(deck, std::regex(R"(( INJ\d* G \d+ \d+ \S+) GAS)"), "$1 OIL");
    for (const double rate : rates) {
        deck = std::regex_replace(deck, std::regex(R"(( INJ\d*) GAS OPEN RATE \S+)"),
                                  "$1 OIL OPEN RATE " + fmt::format("{:f}", rate),
                                  std::regex_constants::format_first_only);
    }
    return deck;
}

/// The largest difference of a map from the pressure that injection adds in the simulator, over the largest value.
double largest_difference(const double* found, double scale, const Snapshot& injecting, const Snapshot& still) {
    double difference = 0.0, largest = 0.0;
    for (std::size_t cell = 0; cell < still.pressure.size(); ++cell) {
        const double expected = injecting.pressure[cell] - still.pressure[cell];
        difference = std::max(difference, std::abs(scale * found[cell] - expected));
        largest = std::max(largest, expected);
    }
    EXPECT_GT(largest, 0.3);
    return difference / largest;
}

/// Short intervals [day], so that both take the same time steps.
std::vector<double> short_intervals() {
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
        times.push_back(std::pow(1.15, i));
    }
    return times;
}

class BrineInjection : public TemporaryFolder {
   protected:
    void SetUp() override {
        TemporaryFolder::SetUp();
        try {
            program_ = find_program("flow");
        } catch (const InvalidInput&) {
            GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
        }
    }

    FlowResults simulate(const std::string& deck, std::size_t cells, const std::vector<double>& times) {
        write(folder_ / "CASE.DATA", deck);
        EXPECT_EQ(run_flow(program_, folder_, flow_arguments(cells, flow_release(program_, folder_)), 300.0,
                           [] { return false; }),
                  FlowOutcome::finished)
            << read(folder_ / "flow.log");
        return read_flow_results(folder_, cells, times);
    }

    std::string program_;
};

// The build-up is a few bar, so that the compressibility of brine does not change. What the simulator's pressure does
// without injection, 0.01 bar of settling, is taken off.

TEST_F(BrineInjection, HasThePressureOfTheSimulatorAroundOneWell) {
    const std::vector<double> times = short_intervals();
    const Reservoir reservoir = sample_reservoir();
    const SinglePhaseFlow flow = single_phase_flow(radial_case(reservoir, times), 1);
    const double rate = flow.volume_rate * 3.0 / flow.well_buildup.back();
    const std::string deck = deck_text(reservoir, times);
    const std::size_t cells = reservoir.rock.porosity.size();
    const FlowResults still = simulate(with_brine(deck, {1e-6}), cells, times);
    const FlowResults injecting = simulate(with_brine(deck, {rate}), cells, times);
    for (const std::size_t time : {10ul, 30ul, 59ul}) {
        const Snapshot& snapshot = injecting.snapshots[time];
        const double scale = rate / snapshot.inverse_brine_volume[0] / flow.volume_rate;
        EXPECT_LT(
            largest_difference(flow.pressure_buildup.data() + time * cells, scale, snapshot, still.snapshots[time]),
            1e-3)
            << "day " << times[time];
    }
}

TEST_F(BrineInjection, HasThePressureOfTheSimulatorInABoxOfTwoWells) {
    const std::vector<double> times = short_intervals();
    const BoxReservoir reservoir = sample_box();
    const BoxFlow flow = single_phase_box(box_case(reservoir, times), 1);
    const double surface = 3.0 / *std::max_element(flow.well_buildup.begin(), flow.well_buildup.end());
    const std::string deck = deck_text(reservoir, times);
    const std::size_t cells = reservoir.rock.porosity.size();
    const FlowResults still = simulate(with_brine(deck, {1e-6, 1e-6}), cells, times);
    const FlowResults injecting =
        simulate(with_brine(deck, {surface * flow.volume_rates[0], surface * flow.volume_rates[1]}), cells, times);
    // In the end the box only fills, with brine that is 0.4 % more compressible over 3 bar than over the 50 bar of
    // water_compressibility().
    for (const auto& [time, tolerance] : {std::pair{10ul, 1e-3}, {30ul, 1e-3}, {59ul, 2.5e-3}}) {
        const Snapshot& snapshot = injecting.snapshots[time];
        const double scale = surface / snapshot.inverse_brine_volume[0];
        EXPECT_LT(
            largest_difference(flow.pressure_buildup.data() + time * cells, scale, snapshot, still.snapshots[time]),
            tolerance)
            << "day " << times[time];
    }
}

}  // namespace
}  // namespace plumecast::testing
