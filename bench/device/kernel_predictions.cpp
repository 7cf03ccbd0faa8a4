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
#include <plumecast/passes/narrow_fields.hpp>
#include <plumecast/plan/plan.hpp>
#include <plumecast/plan/work.hpp>

#include "backend/arena.hpp"
#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/replay.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "program.hpp"

namespace plumecast::bench {
namespace {

/// The name of a kernel as scripts/ci/check_kernels.py says it.
std::string kernel_name(const char* mangled, bool narrow) {
    const std::unique_ptr<char, void (*)(void*)> shown(abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr),
                                                       std::free);
    std::string name = shown.get();
    for (const std::string part : {"plumecast::cuda::kernel::", "plumecast::cuda::", "plumecast::"}) {
        for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part)) {
            name.erase(at, part.size());
        }
    }
    for (std::size_t at = name.find(" >"); at != std::string::npos; at = name.find(" >")) {
        name.erase(at, 1);
    }
    return name + (narrow ? "" : ", 64 bits");
}

/// Notes the kernels that it is to start, on memory that is not there.
class NotingExecutor {
   public:
    explicit NotingExecutor(std::vector<std::string>* kernels) : kernels_(kernels) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        cuda::with_position_type(count, kernel, [&]<class Position>() {
            constexpr bool narrow = sizeof(Position) == sizeof(cuda::NarrowPosition);
            kernels_->push_back(kernel_name(typeid(Kernel).name(), narrow));
        });
    }
    void copy_in(const void*, void*, std::size_t) {}
    void copy_out(const void*, void*, std::size_t) {}

    MemoryResource& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return capacity; }

   private:
    static constexpr std::size_t capacity = std::size_t{1} << 40;
    std::vector<std::string>* kernels_;
    Arena arena_{reinterpret_cast<void*>(std::uintptr_t{64}), capacity};  // NOLINT(performance-no-int-to-ptr)
};

class NotingKernels final : public cuda::KernelBackend<NotingExecutor> {
   public:
    explicit NotingKernels(Precision precision) : KernelBackend(precision, &kernels) {}
    std::string description() const override { return "notes the kernels of the CUDA backend"; }
    /// As the CUDA backend has it.
    std::int64_t rows_at_once(std::size_t row_bytes) const override {
        return static_cast<std::int64_t>((std::size_t{64} << 20) / row_bytes);
    }

    std::vector<std::string> kernels;
};

/// The ops of a plan in their order with their kernels, and the pass, counted by itself.
Json predicted(NotingKernels& backend, const Plan& plan, const Feed& inputs, View output) {
    Tensor workspace = plan.make_workspace();
    std::vector<std::size_t> first;
    backend.kernels.clear();
    plan.run(workspace, inputs, std::array{output}, [&](int) { first.push_back(backend.kernels.size()); });
    first.push_back(backend.kernels.size());
    Json::Array ops;
    for (std::size_t n = 0; n + 1 < first.size(); ++n) {
        const Node& node = plan.graph().nodes()[static_cast<std::size_t>(plan.order()[n])];
        const OpWork work = work_of(plan.graph(), node, backend);
        Json::Array kernels;
        for (std::size_t k = first[n]; k < first[n + 1]; ++k) {
            kernels.emplace_back(backend.kernels[k]);
        }
        const std::string name = std::visit([]<class Kind>(const Kind&) { return std::string(Kind::name); }, node.op);
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
                        {"pass", Json::Object{{"kernels", static_cast<double>(backend.kernels.size())},
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
    NotingKernels backend(bf16 ? Precision::bf16 : Precision::fp32);
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
                  backend, plan, [&](const std::string&) { return input.view(); }, output)
                  .dump(-1)
                  .c_str());
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
