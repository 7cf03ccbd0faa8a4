#include <algorithm>
#include <cmath>
#include <regex>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/physics/single_phase.hpp>

#include "data/simulation/flow_process.hpp"
#include "data/simulation/sample_reservoir.hpp"
#include "data/temporary_folder.hpp"

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

/// The deck of a case with brine, which is the simulator's oil, in place of the CO2: `rate` [sm3/day].
std::string brine_deck(const Reservoir& reservoir, const std::vector<double>& times, double rate) {
    std::string deck = deck_text(reservoir, times);
    deck = std::regex_replace(deck, std::regex(R"((WELSPECS\n INJ G 1 1 \S+) GAS)"), "$1 OIL");
    return std::regex_replace(deck, std::regex(R"(WCONINJE\n INJ GAS OPEN RATE \S+)"),
                              "WCONINJE\n INJ OIL OPEN RATE " + std::to_string(rate));
}

class BrineInjection : public TemporaryFolder {
   protected:
    FlowResults simulate(const std::string& program, const Reservoir& reservoir, const std::vector<double>& times,
                         double rate) {
        write(folder_ / "CASE.DATA", brine_deck(reservoir, times, rate));
        const std::size_t cells = reservoir.rock.porosity.size();
        EXPECT_EQ(run_flow(program, folder_, flow_arguments(cells), 300.0, [] { return false; }), FlowOutcome::finished)
            << read(folder_ / "flow.log");
        return read_flow_results(folder_, cells, times);
    }
};

TEST_F(BrineInjection, HasThePressureOfTheSimulator) {
    std::string program;
    try {
        program = find_program("flow");
    } catch (const InvalidInput&) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    // Short intervals, so that both take the same time steps.
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
        times.push_back(std::pow(1.15, i));
    }
    const Reservoir reservoir = sample_reservoir();
    const SinglePhaseFlow flow = single_phase_flow(radial_case(reservoir, times), 1);
    // A build-up of few bar, at which the compressibility of brine does not change. What the simulator's pressure does
    // without injection, 0.01 bar of settling, is taken off.
    const double rate = flow.volume_rate * 3.0 / flow.well_buildup.back();
    const FlowResults still = simulate(program, reservoir, times, 1e-6 * rate);
    const FlowResults injecting = simulate(program, reservoir, times, rate);
    const std::size_t cells = reservoir.rock.porosity.size();
    for (const std::size_t time : {10ul, 30ul, 59ul}) {
        const Snapshot& snapshot = injecting.snapshots[time];
        const double scale = rate / snapshot.inverse_brine_volume[0] / flow.volume_rate;
        const double* found = flow.pressure_buildup.data() + time * cells;
        const double largest = scale * *std::max_element(found, found + cells);
        EXPECT_GT(largest, 0.3);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double expected = snapshot.pressure[cell] - still.snapshots[time].pressure[cell];
            EXPECT_NEAR(scale * found[cell], expected, 1e-3 * largest) << "day " << times[time] << ", cell " << cell;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
