
#include "reservoir/simulation/flow_process.hpp"
#include "reservoir/eclipse/record_file.hpp"
#include "reservoir/physics/cylinder.hpp"

#include <atomic>
#include <chrono>
#include <numbers>
#include <thread>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/simulation/case_check.hpp"
#include "reservoir/simulation/sample_reservoir.hpp"
#include "support/environment.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class FlowProcess : public TemporaryFolder {
   protected:
    FlowOutcome shell(
        const std::string& script, double seconds = 60.0,
        const std::function<bool()>& is_stopped = [] { return false; }) {
        return run_flow("/bin/sh", folder_, {"-c", script}, seconds, is_stopped);
    }
};

TEST_F(FlowProcess, RunsInItsFolderOnOneThreadAndKeepsWhatIsPrinted) {
    EXPECT_EQ(shell("pwd; echo threads $OMP_NUM_THREADS >&2; touch made"), FlowOutcome::finished);
    EXPECT_THAT(read(folder_ / "flow.log"), HasSubstr(folder_.filename().string()));
    EXPECT_THAT(read(folder_ / "flow.log"), HasSubstr("threads 1"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "made"));
}

TEST_F(FlowProcess, SparesTheSimulatorMpiItDoesNotNeedUnlessTheUserChoseIt) {
    const std::string script = "echo $OMPI_MCA_ess_singleton_isolated $OMPI_MCA_pml";
    EXPECT_EQ(shell(script), FlowOutcome::finished);
    EXPECT_EQ(read(folder_ / "flow.log"), "1 ob1\n");
    const EnvironmentScope chosen("OMPI_MCA_pml", "ucx");
    EXPECT_EQ(shell(script), FlowOutcome::finished);
    EXPECT_EQ(read(folder_ / "flow.log"), "1 ucx\n");
}

TEST_F(FlowProcess, TellsFailureAndKillFromSuccess) {
    EXPECT_EQ(shell("exit 3"), FlowOutcome::failed);
    EXPECT_EQ(shell("kill -SEGV $$"), FlowOutcome::failed);
    EXPECT_EQ(shell("kill -9 $$"), FlowOutcome::killed);
    EXPECT_EQ(shell("kill -TERM $$"), FlowOutcome::killed);
}

TEST_F(FlowProcess, KillsWhatRunsOutOfTimeWithItsChildren) {
    EXPECT_EQ(shell("(sleep 2; touch late) & sleep 100", 0.2), FlowOutcome::out_of_time);
    std::this_thread::sleep_for(std::chrono::milliseconds(2300));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "late"));
}

TEST_F(FlowProcess, KillsWhenAskedToStop) {
    std::atomic<bool> is_stopped = false;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        is_stopped = true;
    });
    EXPECT_EQ(shell("sleep 100", 60.0, [&] { return is_stopped.load(); }), FlowOutcome::stopped);
}

TEST_F(FlowProcess, RefusesAProgramThatIsNotThere) {
    EXPECT_THROW(find_program("no-such-simulator"), InvalidInput);
    EXPECT_EQ(find_program("sh").back(), 'h');
    EXPECT_THROW(run_flow((folder_ / "nothing").string(), folder_, {}, 1.0, [] { return false; }), IoError);
}

TEST_F(FlowProcess, TellsReleasesThatStopAtPcgUnlessTheyAreLenient) {
    const auto release_of = [&](const std::string& option, const std::string& version = "2023.04") {
        const std::filesystem::path program = folder_ / "stand_in";
        write(program,
              "#!/bin/sh\n[ $1 = --version ] && echo flow " + version + " || echo '    " + option + "=STRING  Text'\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return flow_release(program.string(), folder_);
    };
    const FlowRelease lenient = release_of("--parsing-strictness");
    EXPECT_EQ(lenient.version, "flow 2023.04");
    EXPECT_FALSE(lenient.weighs_brine_at_surface_temperature);
    EXPECT_THAT(flow_arguments(100, lenient, 0.0), Contains("--parsing-strictness=low"));
    EXPECT_THAT(flow_arguments(100, lenient, 0.0), Each(Not(HasSubstr("after-event"))));
    EXPECT_THAT(flow_arguments(100, lenient, 0.05), Contains("--time-step-after-event-in-days=0.05"));
    EXPECT_THAT(flow_arguments(100, release_of("--ecl-strict-parsing"), 0.0), Each(Not(HasSubstr("strict"))));
    EXPECT_EQ(lenient.brine, BrinePhase::oil);
    EXPECT_EQ(release_of("--parsing-strictness", "2024.10").brine, BrinePhase::water);
    EXPECT_EQ(release_of("--parsing-strictness", "2025.04-pre").brine, BrinePhase::water);
    EXPECT_EQ(release_of("--parsing-strictness", "of today").brine, BrinePhase::oil);
    EXPECT_THROW(flow_release("/bin/false", folder_), InvalidInput);
}

TEST_F(FlowProcess, FindsTheReleaseAfterWarningsOfLibraries) {
    const std::filesystem::path program = folder_ / "stand_in";
    write(program,
          "#!/bin/sh\n[ $1 = --version ] && printf 'hwloc: no topology\\nflow 2024.10\\n' || echo ' "
          "--parsing-strictness=STRING'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const FlowRelease release = flow_release(program.string(), folder_);
    EXPECT_EQ(release.version, "flow 2024.10");
    EXPECT_EQ(release.brine, BrinePhase::water);
}

TEST_F(FlowProcess, SimulatorTakesGeometryAndTransmissibilitiesOfTheCylinder) {
    std::string program;
    try {
        program = find_program("flow");
    } catch (const InvalidInput&) {
        GTEST_SKIP() << "OPM Flow is not installed (program 'flow' is not on PATH)";
    }
    const Reservoir reservoir = sample_reservoir();
    const std::vector<double> times = {1.0, 10.0, 100.0};
    const FlowRelease release = flow_release(program, folder_);
    write(folder_ / "CASE.DATA", deck_text(reservoir, times, release.brine));
    const std::size_t cells = reservoir.rock.porosity.size();
    ASSERT_EQ(run_flow(program, folder_, flow_arguments(cells, release, 0.0), 300.0, [] { return false; }),
              FlowOutcome::finished)
        << read(folder_ / "flow.log");
    const FlowResults results = read_flow_results(folder_, cells, times);
    const auto problem = check_case(CheckSettings{}, reservoir, results);
    EXPECT_FALSE(problem) << problem->detail;

    std::map<std::string, std::vector<double>> init;
    eclipse::RecordFile file(folder_ / "CASE.INIT");
    while (const auto record = file.next()) {
        if (record->keyword.starts_with("TRAN")) {
            init[record->keyword] = file.numbers(*record);
        }
    }
    const auto& r = reservoir.grid.r_edges;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::size_t j = cell % 8;
        const cylinder::Ring ring{r[j], r[j + 1]};
        EXPECT_NEAR(results.pore_volume[cell] / (ring.area() * 20.0 * reservoir.rock.porosity[cell]), 1.0, 1e-6);
        if (j + 1 < 8) {
            const double expected =
                cylinder::radial_transmissibility(ring, reservoir.rock.permeability_r[cell], {r[j + 1], r[j + 2]},
                                                  reservoir.rock.permeability_r[cell + 1], 20.0);
            EXPECT_NEAR(init.at("TRANX")[cell] / expected, 1.0, 1e-6);
        }
        if (cell + 8 < cells) {
            const double expected = cylinder::vertical_transmissibility(ring, 20.0, reservoir.rock.permeability_z[cell],
                                                                        20.0, reservoir.rock.permeability_z[cell + 8]);
            EXPECT_NEAR(init.at("TRANZ")[cell] / expected, 1.0, 1e-6);
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
