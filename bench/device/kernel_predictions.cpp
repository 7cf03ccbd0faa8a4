// What each kernel of a pass of the published size moves and computes on a CUDA device, found without one: the plan is
// run by an executor that starts nothing. One line of JSON, for scripts/gpu/kernel_predictions.py.
#include <cxxabi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "backend/cuda/planning.hpp"
#include "passes/narrow_fields.hpp"
#include "plan/work.hpp"
#include "program.hpp"

namespace plumecast::bench {
namespace {

/// The name of a kernel as scripts/ci/check_kernels.py says it.
std::string kernel_name(const cuda::PlannedKernel& kernel) {
    const std::unique_ptr<char, void (*)(void*)> shown(
        abi::__cxa_demangle(kernel.type.name(), nullptr, nullptr, nullptr), std::free);
    std::string name = shown.get();
    for (const std::string part : {"plumecast::cuda::kernel::", "plumecast::cuda::", "plumecast::"}) {
        for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part)) {
            name.erase(at, part.size());
        }
    }
    for (std::size_t at = name.find(" >"); at != std::string::npos; at = name.find(" >")) {
        name.erase(at, 1);
    }
    return name + (kernel.is_narrow ? "" : ", 64 bits");
}

/// The ops of a plan in their order with the kernels that a run names, and the pass, counted by itself.
Json predicted(const Backend& backend, std::vector<std::string>& names, const Plan& plan, const Feed& inputs,
               View output) {
    Tensor workspace = plan.make_workspace();
    std::vector<std::size_t> first;
    names.clear();
    plan.run(workspace, inputs, std::array{output}, [&](int) { first.push_back(names.size()); });
    first.push_back(names.size());
    Json::Array ops;
    for (std::size_t n = 0; n + 1 < first.size(); ++n) {
        const Node& node = plan.graph().nodes()[static_cast<std::size_t>(plan.order()[n])];
        const OpWork work = work_of(plan.graph(), node, backend);
        Json::Array kernels;
        for (std::size_t k = first[n]; k < first[n + 1]; ++k) {
            kernels.emplace_back(names[k]);
        }
        const std::string name = node.op->name();
        ops.push_back(Json::Object{{"op", name},
                                   {"result", node.type.shape.text()},
                                   {"kernels", kernels},
                                   {"bytes", work.bytes},
                                   {"operations", work.operations}});
    }
    OpWork whole;
    for (const Node& node : plan.graph().nodes()) {
        whole += work_of(plan.graph(), node, backend);
    }
    return Json::Object{{"ops", ops},
                        {"pass", Json::Object{{"kernels", static_cast<double>(names.size())},
                                              {"bytes", whole.bytes},
                                              {"operations", whole.operations}}}};
}

int run(int argc, char** argv) {
    CLI::App app("Kernels of a pass of the published size with what they move and compute, as JSON.");
    std::string architecture = "ufno";
    bool bf16 = false;
    app.add_option("--network", architecture)->capture_default_str();
    app.add_flag("--bf16", bf16, "With bfloat16 fields");
    CLI11_PARSE(app, argc, argv);
    std::vector<std::string> names;
    const std::unique_ptr<Backend> planner =
        cuda::make_cuda_planner(bf16 ? Precision::bf16 : Precision::fp32,
                                [&](const cuda::PlannedKernel& kernel) { names.push_back(kernel_name(kernel)); });
    Backend& backend = *planner;
    const NetworkConfig config = NetworkConfig::published(architecture);
    const NetworkShapes shapes = whole_input(config, 1, {96, 200, 24});
    Graph described = describe(config, shapes, ExecutionMode::evaluation);
    described = bf16 ? narrow_fields(described) : described;
    std::map<std::string, Tensor> memory;
    for (const WeightOp& weight : described.weights()) {
        memory.emplace(weight.of, Tensor(backend.memory(), weight.shape, backend.compute_type()));
    }
    const Feed weights = [&](const std::string& name) { return memory.at(name).view(); };
    const Plan plan(backend, for_prediction(backend, described, weights), weights);
    const Tensor input(backend.memory(), shapes.groups.front().values, DType::float32);
    Tensor output(backend.memory(), {1, 96, 200, 24, 1}, DType::float32);
    std::puts(predicted(
                  backend, names, plan, [&](const std::string&) { return input.view(); }, output)
                  .dump(-1)
                  .c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
