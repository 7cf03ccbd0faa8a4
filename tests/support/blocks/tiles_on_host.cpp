#include "support/blocks/tiles_on_host.hpp"

#include <algorithm>
#include <string>

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

namespace plumecast::cuda::tile {

template bool conv(testing::BlockExecutor&, Precision, const ConvGeometry&, std::span<const ConstView>, ConstView,
                   ConstView, OutputRef, Activation);
template bool conv_data_gradient(testing::BlockExecutor&, Precision, const ConvGeometry&, ConstView, ConstView,
                                 std::span<const OutputRef>);
template bool conv_weight_gradient(testing::BlockExecutor&, Precision, const ConvGeometry&, std::span<const ConstView>,
                                   ConstView, OutputRef);
template bool gather_by_tiles<TenBitProduct<true>>(testing::BlockExecutor&, const Gather&, const Fields<float>&,
                                                   ConstView, const Targets<float>&, const Finish<float>&);

}  // namespace plumecast::cuda::tile

namespace plumecast::testing {
namespace {

class TilesOnHost final : public cuda::KernelBackend<BlockExecutor> {
    using Kernels = cuda::KernelBackend<BlockExecutor>;

   public:
    TilesOnHost(Precision precision, int shared_bytes)
        : Kernels(precision, std::make_unique<CountedMemory>(), shared_bytes), precision_(precision) {}

    std::string description() const override { return "convolutions by tiles on the host"; }

    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override {
        if (y.view.shape.count() == 0) {
            return;
        }
        const bool done = cuda::tile::conv(executor(), precision_, geometry, inputs, weight, bias, y, f);
        expects(done, "a convolution that tiles take");
    }
    PackedForms pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                 View y, WeightReader reader) override {
        PackedForms forms;
        cuda::tile::pack_conv_weight(executor(), precision_, geometry, inputs, weight, y, reader, forms);
        return forms;
    }
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override {
        if (gradient_y.shape.count() == 0) {
            return;
        }
        const bool done =
            cuda::tile::conv_data_gradient(executor(), precision_, geometry, gradient_y, weight, gradient_inputs);
        expects(done, "a data gradient that tiles take");
    }

    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override {
        if (gradient_y.shape.count() == 0) {
            return Kernels::conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        }
        const bool done =
            cuda::tile::conv_weight_gradient(executor(), precision_, geometry, inputs, gradient_y, gradient_weight);
        expects(done, "a weight gradient that tiles take");
    }

   private:
    Precision precision_;
};

}  // namespace

std::unique_ptr<Backend> make_tiles_on_host(Precision precision, int shared_bytes) {
    return std::make_unique<TilesOnHost>(precision, shared_bytes);
}

}  // namespace plumecast::testing
