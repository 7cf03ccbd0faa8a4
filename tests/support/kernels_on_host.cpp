#include "support/kernels_on_host.hpp"

#include <string>
#include <utility>

#include "backend/cuda/dnn/narrow.hpp"
#include "backend/cuda/dnn/wide.hpp"
#include "backend/cuda/fft/transforms.hpp"
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

class KernelsOnHost final : public cuda::DnnBackend<HostExecutor> {
   public:
    KernelsOnHost(std::unique_ptr<CountedMemory> memory, Precision precision, std::unique_ptr<cuda::FftFunctions> fft,
                  std::unique_ptr<cuda::DnnFunctions> dnn)
        : DnnBackend(precision, cuda::ConvRoute::automatic, {}, std::move(memory)),
          fft_(fft ? std::make_unique<cuda::FftPlans>(std::move(fft)) : nullptr) {
        if (dnn) {
            use_dnn(std::move(dnn));
        }
    }

    std::string description() const override { return "kernels of the CUDA backend on the host"; }
    /// A device keeps many cases busy at once.
    int host_threads() const override { return 16; }

    bool transforms_by_fft(const FourierGeometry& geometry, const Shape& field, DType /*type*/) override {
        return fft_ && cuda::fft_takes(*fft_, geometry, field);
    }
    void forward_fft(const FourierGeometry& geometry, ConstView x, View spectrum) override {
        cuda::forward_fft(executor(), *fft_, geometry, x, spectrum);
    }
    void inverse_fft(const FourierGeometry& geometry, ConstView spectrum, OutputRef y, Activation f) override {
        cuda::inverse_fft(executor(), *fft_, geometry, spectrum, y, f);
    }

   private:
    std::unique_ptr<cuda::FftPlans> fft_;
};

}  // namespace

std::unique_ptr<Backend> make_kernels_on_host(std::unique_ptr<CountedMemory> memory, Precision precision,
                                              std::unique_ptr<cuda::FftFunctions> fft,
                                              std::unique_ptr<cuda::DnnFunctions> dnn) {
    return std::make_unique<KernelsOnHost>(std::move(memory), precision, std::move(fft), std::move(dnn));
}

}  // namespace plumecast::testing
