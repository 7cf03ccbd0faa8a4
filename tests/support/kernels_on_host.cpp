#include "support/kernels_on_host.hpp"

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

namespace plumecast::testing {
namespace {

class KernelsOnHost final : public cuda::KernelBackend<HostExecutor> {
   public:
    KernelsOnHost(std::unique_ptr<CountedMemory> memory, Precision precision)
        : KernelBackend(precision, std::move(memory)) {}

    std::string description() const override { return "kernels of the CUDA backend on the host"; }
};

}  // namespace

std::unique_ptr<Backend> make_kernels_on_host(std::unique_ptr<CountedMemory> memory, Precision precision) {
    return std::make_unique<KernelsOnHost>(std::move(memory), precision);
}

}  // namespace plumecast::testing
