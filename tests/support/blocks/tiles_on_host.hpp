#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/kernels/conv/tile/ops.hpp"
#include "support/blocks/host_block.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {

/// Runs blocks as well as single kernels.
class BlockExecutor : public HostExecutor {
   public:
    explicit BlockExecutor(std::unique_ptr<CountedMemory> memory = std::make_unique<CountedMemory>(),
                           int shared_bytes = 224 << 10)
        : HostExecutor(std::move(memory)), shared_bytes_(shared_bytes) {}

    template <class Kernel>
    void run_blocks(std::int64_t blocks, int shared_bytes, const Kernel& kernel) {
        expects(shared_bytes <= shared_bytes_, "as much shared memory as there is");
        for (std::int64_t index = 0; index < blocks; ++index) {
            HostBlock block(static_cast<int>(index), Kernel::threads, shared_bytes, counts_);
            kernel(block);
        }
    }
    int most_shared_bytes(int blocks) const { return shared_bytes_ / blocks; }
    int multiprocessors() const { return 3; }
    const BlockCounts& counts() const { return counts_; }

   private:
    int shared_bytes_;
    BlockCounts counts_;
};

}  // namespace plumecast::testing

/// The kernels take long to compile, so one source does it for all tests.
namespace plumecast::cuda::tile {

extern template bool conv(testing::BlockExecutor&, Precision, const ConvGeometry&, std::span<const ConstView>,
                          ConstView, ConstView, OutputRef, Activation);
extern template bool conv_data_gradient(testing::BlockExecutor&, Precision, const ConvGeometry&, ConstView, ConstView,
                                        std::span<const OutputRef>);
extern template bool conv_weight_gradient(testing::BlockExecutor&, Precision, const ConvGeometry&,
                                          std::span<const ConstView>, ConstView, OutputRef);
extern template bool gather_by_tiles<TenBitProduct<true>>(testing::BlockExecutor&, const Gather&, const Fields<float>&,
                                                          ConstView, const Targets<float>&, const Finish<float>&);

}  // namespace plumecast::cuda::tile

namespace plumecast::testing {

/// The kernels of the CUDA backend on the host, with convolutions by tiles on emulated tensor cores, which take them
/// all. Little shared memory makes many windows of channels.
std::unique_ptr<Backend> make_tiles_on_host(Precision precision, int shared_bytes = 224 << 10);

}  // namespace plumecast::testing
