#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/generation/case_run.hpp"
#include "reservoir/generation/described_case.hpp"
#include "reservoir/generation/finished_case.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/deck.hpp"
#include "reservoir/simulation/flow_process.hpp"
#include "support/repository.hpp"

namespace plumecast::testing {
namespace {

const std::string sample_path = repository_folder() + "/data/radial_sample.h5";

/// ||a - b|| / ||b||
double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::pow(double{a[i]} - double{b[i]}, 2);
        size += std::pow(double{b[i]}, 2);
    }
    return std::sqrt(difference / size);
}

class Resimulation : public TemporaryFolder {};

TEST_F(Resimulation, ReproducesACaseOfTheSample) {
    std::string program;
    try {
        program = find_program("flow");
    } catch (const InvalidInput&) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    const Dataset dataset(sample_path);
    const auto& thickness = dataset.scalar("thickness");
    const std::int64_t number = std::ranges::min_element(thickness) - thickness.begin();
    const Reservoir reservoir = described_reservoir(dataset, number);
    const std::size_t cells = reservoir.rock.porosity.size();
    const FlowRelease release = flow_release(program, folder_);
    write(folder_ / "CASE.DATA", deck_text(reservoir, dataset.times(), release.brine));
    ASSERT_EQ(run_flow(program, folder_, flow_arguments(cells, release, 0.0), 300.0, [] { return false; }),
              FlowOutcome::finished);
    const FlowResults results = read_flow_results(folder_, cells, dataset.times());
    EXPECT_FALSE(check_case(CheckSettings{}, reservoir, results));
    const FinishedCase finished = finished_case(reservoir, results, 23);
    for (const char* field : {"gas_saturation", "pressure_buildup"}) {
        const std::vector<float>& simulated = finished.arrays.at(field);
        std::vector<float> expected(simulated.size());
        dataset.read_output(field, std::span(&number, 1), expected);
        EXPECT_LT(relative_difference(simulated, expected), 0.01) << field;
    }
}

}  // namespace
}  // namespace plumecast::testing
