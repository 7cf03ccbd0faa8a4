#include <algorithm>
#include <cmath>
#include <regex>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/simulation/deck.hpp"
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
        EXPECT_EQ(run_flow(program_, folder_, flow_arguments(cells, flow_release(program_, folder_), 0.0), 300.0,
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

}  // namespace
}  // namespace plumecast::testing
