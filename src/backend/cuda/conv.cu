#include "backend/cuda/kernels/conv/ops.hpp"

#include "backend/cuda/backend.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::conv(const ConvGeometry&, std::span<const ConstView>, ConstView, ConstView,
                                                  OutputRef, Activation);
template void KernelBackend<DeviceExecutor>::conv_data_gradient(const ConvGeometry&, ConstView, ConstView,
                                                                std::span<const OutputRef>);
template void KernelBackend<DeviceExecutor>::conv_weight_gradient(const ConvGeometry&, std::span<const ConstView>,
                                                                  ConstView, OutputRef);
template void KernelBackend<DeviceExecutor>::coarse_from_fine(const ConvPart&, ConstView, const float*, float*, float);
template void KernelBackend<DeviceExecutor>::fine_from_coarse(const ConvPart&, ConstView, const float*, float*, float);
template void KernelBackend<DeviceExecutor>::weight_from_both(const ConvPart&, ConstView, ConstView, float*, float);

namespace {

/// The weights of a part side by side, copied only where they are not.
class PackedWeight {
   public:
    PackedWeight(DeviceExecutor& executor, const ConvPart& part, const float* weight)
        : data_(weight + part.first_weight()) {
        if (!part.is_packed()) {
            copy_ = Tensor(executor.memory(), part.packed(), DType::float32);
            const kernel::PackChannels<float> pack{data_,          copy_.view().as<float>(), part.packed().count(0, 4),
                                                   part.weight[4], part.first_fine,          part.fine[4],
                                                   part.fine[4]};
            executor.run(copy_.shape().count(), pack);
            data_ = pack.packed;
        }
    }
    const float* data() const { return data_; }

   private:
    const float* data_;
    Tensor copy_;
};

}  // namespace

bool CudaBackend::library_convolves(const ConvPart& part) const {
    return route_ != ConvRoute::kernels && part.coarse.count() > 0 && part.fine.count() > 0;
}

void CudaBackend::expect_kernels_allowed(const ConvPart& part) const {
    if (route_ == ConvRoute::library && library_convolves(part)) {
        throw DeviceError("cuDNN has no algorithm for a convolution between " + part.coarse.text() + " and " +
                          part.fine.text() + " (PLUMECAST_CUDA_CONV=cudnn allows no other); unset the variable");
    }
}

void CudaBackend::coarse_from_fine(const ConvPart& part, ConstView fine, const float* weight, float* coarse,
                                   float beta) {
    if (library_convolves(part) && fine.type == DType::float32) {
        const PackedWeight packed(executor(), part, weight);
        if (dnn_.coarse_from_fine(part, {}, fine.data, packed.data(), coarse, beta, memory())) {
            return;
        }
    }
    expect_kernels_allowed(part);
    Kernels::coarse_from_fine(part, fine, weight, coarse, beta);
}

void CudaBackend::fine_from_coarse(const ConvPart& part, ConstView coarse, const float* weight, float* fine,
                                   float beta) {
    if (library_convolves(part) && coarse.type == DType::float32) {
        const PackedWeight packed(executor(), part, weight);
        if (dnn_.fine_from_coarse(part, {}, coarse.data, packed.data(), fine, beta, memory())) {
            return;
        }
    }
    expect_kernels_allowed(part);
    Kernels::fine_from_coarse(part, coarse, weight, fine, beta);
}

void CudaBackend::weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta) {
    if (library_convolves(part) && coarse.type == DType::float32) {
        // Through memory of its own: the gradient of a part may lie scattered, and cuDNN's may not accumulate.
        Tensor gradient(memory(), part.packed(), DType::float32);
        const float* packed = gradient.view().as<float>();
        if (dnn_.weight_from_both(part, {}, coarse.data, fine.data, gradient.view().data, memory())) {
            executor().run(gradient.shape().count(),
                           kernel::UnpackChannels<float>{packed, weight + part.first_weight(), part.weight[4],
                                                         part.first_fine, part.fine[4], part.fine[4], beta});
            return;
        }
    }
    expect_kernels_allowed(part);
    Kernels::weight_from_both(part, coarse, fine, weight, beta);
}

}  // namespace plumecast::cuda
