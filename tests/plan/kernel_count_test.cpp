#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/passes/narrow_fields.hpp>
#include <plumecast/plan/plan.hpp>

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

namespace plumecast::testing {
namespace {

/// Counts the kernels that it is to start, on memory that is not there (cuda::KernelBackend says what an executor is).
class CountingExecutor {
   public:
    explicit CountingExecutor(std::int64_t* kernels) : kernels_(kernels) {}

    template <class Kernel>
    void run(std::int64_t /*count*/, const Kernel& /*kernel*/) {
        ++*kernels_;
    }
    void copy_in(const void* /*host*/, void* /*device*/, std::size_t /*bytes*/) {}
    void copy_out(const void* /*device*/, void* /*host*/, std::size_t /*bytes*/) {}

    MemoryResource& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return capacity; }

   private:
    static constexpr std::size_t capacity = std::size_t{1} << 40;

    std::int64_t* kernels_;
    Arena arena_{reinterpret_cast<void*>(std::uintptr_t{64}), capacity};
};

class CountingKernels final : public cuda::KernelBackend<CountingExecutor> {
   public:
    explicit CountingKernels(Precision precision) : KernelBackend(precision, &kernels) {}
    std::string description() const override { return "counts the kernels of the CUDA backend"; }
    /// As the CUDA backend has it.
    std::int64_t rows_at_once(std::size_t row_bytes) const override {
        return static_cast<std::int64_t>((std::size_t{64} << 20) / row_bytes);
    }

    std::int64_t kernels = 0;
};

/// Memory for the weights of a graph, by name.
std::map<std::string, Tensor> room_for_weights(Backend& backend, const Graph& graph) {
    std::map<std::string, Tensor> weights;
    for (const WeightOp& weight : graph.weights()) {
        weights.emplace(weight.of, Tensor(backend.memory(), weight.shape, backend.compute_type()));
    }
    return weights;
}

/// Kernels of one pass of the published size.
std::int64_t kernels_of_plan(const std::string& architecture, Precision precision) {
    CountingKernels backend(precision);
    const NetworkConfig config = NetworkConfig::published(architecture);
    const NetworkShapes shapes = whole_input(config, 1, {96, 200, 24});
    Graph described = describe(config, shapes, ExecutionMode::evaluation);
    described = precision == Precision::bf16 ? narrow_fields(described) : described;
    const std::map<std::string, Tensor> memory = room_for_weights(backend, described);
    const Feed weights = [&](const std::string& name) { return memory.at(name).view(); };
    const Plan plan(backend, for_prediction(backend, described, weights), weights);
    Tensor workspace = plan.make_workspace();
    const Tensor input(backend.memory(), shapes.groups.front().values, DType::float32);
    Tensor output(backend.memory(), {1, 96, 200, 24, 1}, DType::float32);
    backend.kernels = 0;
    plan.run(
        workspace, [&](const std::string&) { return input.view(); }, std::array{output.view()});
    return backend.kernels;
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

}  // namespace
}  // namespace plumecast::testing
