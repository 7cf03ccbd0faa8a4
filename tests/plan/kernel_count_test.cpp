#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "backend/arena.hpp"
#include "backend/cuda/dnn/narrow.hpp"
#include "backend/cuda/dnn/wide.hpp"
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
#include "backend/cuda/planning.hpp"
#include "backend/cuda/workspace.hpp"
#include "passes/narrow_fields.hpp"

namespace plumecast::testing {
namespace {

/// Memory for the weights of a graph, by name.
std::map<std::string, Tensor> room_for_weights(Backend& backend, const Graph& graph) {
    std::map<std::string, Tensor> weights;
    for (const WeightOp& weight : graph.weights()) {
        weights.emplace(weight.of, Tensor(backend.memory(), weight.shape, backend.compute_type()));
    }
    return weights;
}

/// Runs one pass of the published size; `start` is called before it, when the plan is made.
template <class Start>
Plan run_published(Backend& backend, const std::string& architecture, Precision precision, const Start& start) {
    const NetworkConfig config = NetworkConfig::published(architecture);
    const NetworkShapes shapes = whole_input(config, 1, {96, 200, 24});
    Graph described = describe(config, shapes, ExecutionMode::evaluation);
    described = precision == Precision::bf16 ? narrow_fields(described) : described;
    const std::map<std::string, Tensor> memory = room_for_weights(backend, described);
    const Feed weights = [&](const std::string& name) { return memory.at(name).view(); };
    Plan plan(backend, for_prediction(backend, described, weights), weights, PlannedWeights::stay);
    Tensor workspace = plan.make_workspace();
    const Tensor input(backend.memory(), shapes.groups.front().values, DType::float32);
    Tensor output(backend.memory(), {1, 96, 200, 24, 1}, DType::float32);
    start();
    plan.run(
        workspace, [&](const std::string&) { return input.view(); }, std::array{output.view()});
    return plan;
}

std::int64_t kernels_of_plan(const std::string& architecture, Precision precision) {
    std::int64_t kernels = 0;
    const std::unique_ptr<Backend> planner =
        cuda::make_cuda_planner(precision, [&](const cuda::PlannedKernel& /*kernel*/) { ++kernels; });
    run_published(*planner, architecture, precision, [&] { kernels = 0; });
    return kernels;
}

// A product, transform or convolution counts as one, which libraries may make two of.
TEST(KernelCount, OfAPublishedPassIsAtMost150) {
    for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        for (const char* architecture : {"fno", "conv_fno", "ufno", "cnn"}) {
            const std::int64_t kernels = kernels_of_plan(architecture, precision);
            RecordProperty(std::string(architecture) + (precision == Precision::bf16 ? "_bf16" : "_fp32"),
                           std::to_string(kernels));
            EXPECT_GT(kernels, 20) << architecture;
            EXPECT_LE(kernels, 150) << architecture;
        }
    }
}

/// What a pass is made of: kernels, those of them that move channels, and products of a library.
struct Started {
    std::int64_t kernels = 0, moves = 0, products = 0;
    double moved_bytes = 0.0;  ///< read or written by the moves
};

template <class Kernel>
struct ChannelBytes {
    static constexpr std::size_t of_an_index = 0;
};
template <int n, class From, class To>
struct ChannelBytes<cuda::kernel::MoveChannels<n, From, To>> {
    static constexpr std::size_t of_an_index = n * (sizeof(From) + sizeof(To));
};

/// Counts what is started; no memory lies behind its addresses.
class CountingExecutor {
   public:
    explicit CountingExecutor(Started& started) : started_(&started) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& /*kernel*/) {
        constexpr std::size_t bytes = ChannelBytes<Kernel>::of_an_index;
        started_->kernels += count > 0 ? 1 : 0;
        started_->moves += bytes > 0 ? 1 : 0;
        started_->moved_bytes += static_cast<double>(count) * static_cast<double>(bytes);
    }
    void copy_in(const void*, void*, std::size_t) {}
    void copy_out(const void*, void*, std::size_t) {}

    Arena& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return capacity; }

   private:
    static constexpr std::size_t capacity = std::size_t{1} << 46;
    Started* started_;
    Arena arena_{reinterpret_cast<void*>(std::uintptr_t{4096}), capacity};  // NOLINT(performance-no-int-to-ptr)
};

/// cuDNN that takes whatever it is given, by one plan without a workspace.
class TakesAll final : public cuda::DnnFunctions {
   public:
    explicit TakesAll(Started& started) : started_(&started) {}

    int create(cuda::DnnKind /*kind*/, void** descriptor) override {
        *descriptor = this;
        return 0;
    }
    int destroy(void* /*descriptor*/) override { return 0; }
    int set(void*, cuda::DnnAttribute, cuda::DnnType, std::int64_t, const void*) override { return 0; }
    int finalize(void* /*descriptor*/) override { return 0; }
    int get(void* /*descriptor*/, cuda::DnnAttribute name, cuda::DnnType, std::int64_t, std::int64_t* count,
            void* /*values*/) override {
        *count = name == cuda::DnnAttribute::heuristic_results ? 1 : 0;
        return 0;
    }
    int execute(void* /*plan*/, void* /*variant_pack*/) override {
        ++started_->products;
        return 0;
    }
    void* handle() override { return this; }
    std::size_t version() override { return 91900; }
    std::string error_text(int /*status*/) override { return {}; }

   private:
    Started* started_;
};

/// The kernels of a device whose convolutions go to cuDNN.
class CountingDevice final : public cuda::DnnBackend<CountingExecutor> {
   public:
    CountingDevice(Precision precision, Started& started)
        : DnnBackend(precision, cuda::ConvRoute::library, {}, started) {
        use_dnn(std::make_unique<TakesAll>(started));
    }
    std::string description() const override { return "counts what a device is to start, computes nothing"; }
    bool shares_host_memory() const override { return false; }
    std::int64_t rows_at_once(std::size_t row_bytes) const override { return cuda::rows_of_a_device(row_bytes); }
};

/// Rows of 36 channels are rounded up to 40 for cuDNN, two of them joined to 72 (docs/benchmarks/gpu.md).
TEST(KernelCount, OfABfloat16PassMovesEachFieldOfAConvolutionByOneKernel) {
    Started started;
    CountingDevice device(Precision::bf16, started);
    const Plan plan = run_published(device, "ufno", Precision::bf16, [&] { started = {}; });
    std::int64_t convolutions = 0, moves = 0;
    double bytes = 0.0;
    const auto rounded_up = [](const Shape& field, std::int64_t channels) {
        return static_cast<double>(2 * field.count(0, 4) * ((channels + 7) / 8 * 8));
    };
    for (const Node& node : plan.graph().nodes()) {
        if (const auto* conv = node.op.as<ConvOp>()) {
            const std::vector<ValueType> inputs = input_types(plan.graph(), node);
            std::int64_t channels = 0;
            for (int part = 0; part < conv->parts; ++part) {
                channels += inputs[static_cast<std::size_t>(part)].shape[-1];
            }
            ++convolutions;
            moves += conv->parts + 1;
            bytes += 2.0 * rounded_up(inputs[0].shape, channels);
            bytes += 4.0 * static_cast<double>(node.type.shape.count());
        }
    }
    RecordProperty("kernels", std::to_string(started.kernels));
    RecordProperty("moves", std::to_string(started.moves));
    RecordProperty("moved_megabytes", std::to_string(started.moved_bytes / 1e6));
    EXPECT_EQ(started.products, convolutions);
    EXPECT_EQ(started.moves, moves) << "inputs, and the result with bias and activation";
    EXPECT_LE(started.moved_bytes, bytes) << "each number read once and written once";
    EXPECT_LE(started.kernels + started.products, 168);
}

}  // namespace
}  // namespace plumecast::testing
