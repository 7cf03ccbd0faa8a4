// Time and balance of the two-phase physics of a box: bench_box_physics CASES.h5 [--substeps N]. One line of JSON for
// the first case, on one thread; docs/benchmarks/three_dimensions.md says what was measured.

#include <cstdio>
#include <ctime>
#include <string>

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "program.hpp"
#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/physics/connections/box_model.hpp"
#include "reservoir/physics/connections/connection_flow.hpp"

namespace plumecast::bench {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int body(int argc, char** argv) {
    CLI::App app("Time of the two-phase physics of a box, and how far its CO2 is conserved");
    std::string path;
    int substeps = 2;
    app.add_option("cases", path, "data set, of which the first case is computed")->required();
    app.add_option("--substeps", substeps, "time steps while time grows by 1.36");
    CLI11_PARSE(app, argc, argv);

    const Dataset dataset(path);
    const BoxCase box = box_case(dataset, 0);
    const double begin = processor_seconds();
    const connections::BoxModel model = connections::box_model(box);
    const double modelled = processor_seconds();
    const auto tell = [&](const connections::FlowSimulation& simulation, std::size_t time, double share) {
        if (share < 0.5) {  // a snapshot is told of at both ends of its step
            return;
        }
        std::fprintf(stderr, "time %zu of %zu, %.1f s, %d iterations of the pressure\n", time + 1, box.times.size(),
                     processor_seconds() - modelled, simulation.pressure_iterations());
    };
    const connections::FlowRun run = connections::run(model.flow, box.times, {.substeps = substeps}, path, tell);
    std::printf("%s\n",
                fmt::format("{{\"cells\": {}, \"connections\": {}, \"steps\": {}, \"retaken\": {}, "
                            "\"pressure_iterations\": {}, \"mass_error\": {:.3g}, \"model_seconds\": {:.3f}, "
                            "\"run_seconds\": {:.3f}}}",
                            model.flow.cells(), model.flow.connections.size(), run.steps, run.retaken,
                            run.pressure_iterations, run.mass_error, modelled - begin, processor_seconds() - modelled)
                    .c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::body, argc, argv); }
