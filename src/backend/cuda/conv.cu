#include "backend/cuda/kernels/conv/ops.hpp"

#include <array>
#include <string>
#include <vector>

#include "backend/cuda/backend.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/split.hpp"

namespace plumecast::cuda {

template void KernelBackend<DeviceExecutor>::conv(const ConvGeometry&, std::span<const ConstView>, ConstView, ConstView,
                                                  OutputRef, Activation);
template void KernelBackend<DeviceExecutor>::conv_data_gradient(const ConvGeometry&, ConstView, ConstView,
                                                                std::span<const OutputRef>);
template void KernelBackend<DeviceExecutor>::conv_weight_gradient(const ConvGeometry&, std::span<const ConstView>,
                                                                  ConstView, OutputRef);
template void KernelBackend<DeviceExecutor>::coarse_from_fine(const ConvPart&, ConstView, ConstView, float*, float);
template void KernelBackend<DeviceExecutor>::fine_from_coarse(const ConvPart&, ConstView, ConstView, float*, float);
template void KernelBackend<DeviceExecutor>::weight_from_both(const ConvPart&, ConstView, ConstView, float*, float);

namespace {

/// Under which the weights of a part are kept side by side.
std::string form_name(const ConvPart& part) {
    return "channels " + std::to_string(part.first_fine) + " to " + std::to_string(part.first_fine + part.fine[4]);
}

Tensor packed_part(DeviceExecutor& executor, const ConvPart& part, ConstView weight) {
    Tensor packed(executor.memory(), part.packed(), DType::float32);
    executor.run(packed.shape().count(),
                 kernel::PackChannels<float>{weight.as<float>() + part.first_weight(), packed.view().as<float>(),
                                             part.packed().count(0, 4), part.weight[4], part.first_fine, part.fine[4],
                                             part.fine[4]});
    return packed;
}

/// The weights of a part side by side, copied only where they are not and no such copy is kept.
class PackedWeight {
   public:
    PackedWeight(DeviceExecutor& executor, const ConvPart& part, ConstView weight)
        : data_(weight.as<float>() + part.first_weight()) {
        if (!part.is_packed()) {
            const auto pack = [&] { return packed_part(executor, part, weight); };
            data_ = form_of(weight, form_name(part), copy_, pack).as<float>();
        }
    }
    const float* data() const { return data_; }

   private:
    const float* data_;
    Tensor copy_;
};

/// An array as two of numbers with ten bits.
class SplitArray {
   public:
    SplitArray(DeviceExecutor& executor, const float* whole, std::int64_t count)
        : parts_(executor.memory(), {2, count}, DType::float32) {
        float* high = parts_.view().as<float>();
        executor.run(count, kernel::Split{whole, high, high + count});
        split_ = {high, high + count};
    }
    const TenBitParts& parts() const { return split_; }

   private:
    Tensor parts_;
    TenBitParts split_{};
};

std::vector<std::int64_t> kind_of(const ConvPart& part, std::int64_t product) {
    std::vector<std::int64_t> kind = part.numbers();
    kind.push_back(product);
    return kind;
}

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

bool CudaBackend::convolve_split(const LibraryProduct& product, const LibraryOperands& of) {
    if (precision_ != Precision::fp32 || !dnn_.takes_ten_bits()) {
        return false;
    }
    const SplitArray first(executor(), of.first, of.first_count), second(executor(), of.second, of.second_count);
    const bool direct = of.beta == 0.0f;  // a refusal in the middle leaves nothing behind that is not overwritten
    Tensor scratch = direct ? Tensor() : Tensor(memory(), {of.result_count}, DType::float32);
    float* result = direct ? of.result : scratch.view().as<float>();
    const Dnn::Types types{.ten_bits = true};
    const bool done = in_three_products(
        first.parts(), second.parts(), 0.0f,
        [&](const float* x, const float* w, float beta) { return product(types, x, w, result, beta); });
    if (done && !direct) {
        run_elements(executor(), of.result_count, kernel::Add{1.0f, of.beta}, of.result, result);
    }
    return done;
}

bool CudaBackend::convolve(ConvProduct kind, const ConvPart& part, const LibraryOperands& of,
                           const LibraryProduct& product, const std::function<void()>& by_kernels) {
    const auto plainly = [&] { return product({}, of.first, of.second, of.result, of.beta); };
    const auto split = [&] { return convolve_split(product, of); };
    const auto own = [&] {
        expect_kernels_allowed(part);
        by_kernels();
        return true;
    };
    const auto text = [&] {
        constexpr std::array names{"the convolution", "the transposed convolution", "the weight gradient"};
        return std::string(names.at(static_cast<std::size_t>(kind))) + " in float32 between " + part.coarse.text() +
               " and " + part.fine.text();
    };
    return fallback_.run(kind_of(part, static_cast<std::int64_t>(kind)),
                         {{"cuDNN", plainly}, {"cuDNN by three products in TF32", split}, {"a kernel of our own", own}},
                         text);
}

void CudaBackend::pack_parts(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, View y,
                             PackedForms& forms) {
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        if (const ConvPart part(geometry, input.shape, y.shape, weight.shape, channel); !part.is_packed()) {
            forms.add(form_name(part), packed_part(executor(), part, weight));
        }
        channel += input.shape[4];
    }
}

void CudaBackend::coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse, float beta) {
    const auto by_kernels = [&] { Kernels::coarse_from_fine(part, fine, weight, coarse, beta); };
    if (!library_convolves(part) || fine.type != DType::float32) {
        return by_kernels();
    }
    const PackedWeight packed(executor(), part, weight);
    convolve(
        ConvProduct::coarse, part,
        {fine.as<float>(), part.fine.count(), packed.data(), part.packed().count(), coarse, part.coarse.count(), beta},
        [&](const Dnn::Types& types, const float* x, const float* w, float* y, float kept) {
            return dnn_.coarse_from_fine(part, types, x, w, y, kept, memory());
        },
        by_kernels);
}

void CudaBackend::fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine, float beta) {
    const auto by_kernels = [&] { Kernels::fine_from_coarse(part, coarse, weight, fine, beta); };
    if (!library_convolves(part) || coarse.type != DType::float32) {
        return by_kernels();
    }
    const PackedWeight packed(executor(), part, weight);
    convolve(
        ConvProduct::fine, part,
        {coarse.as<float>(), part.coarse.count(), packed.data(), part.packed().count(), fine, part.fine.count(), beta},
        [&](const Dnn::Types& types, const float* x, const float* w, float* y, float kept) {
            return dnn_.fine_from_coarse(part, types, x, w, y, kept, memory());
        },
        by_kernels);
}

void CudaBackend::weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta) {
    if (!library_convolves(part) || coarse.type != DType::float32) {
        return Kernels::weight_from_both(part, coarse, fine, weight, beta);
    }
    // Through memory of its own: the gradient of a part may lie scattered, and cuDNN's may not accumulate.
    Tensor gradient(memory(), part.packed(), DType::float32);
    float* packed = gradient.view().as<float>();
    bool is_packed = true;
    convolve(
        ConvProduct::weight, part,
        {coarse.as<float>(), part.coarse.count(), fine.as<float>(), part.fine.count(), packed, gradient.shape().count(),
         0.0f},
        [&](const Dnn::Types& types, const float* x, const float* w, float* y, float kept) {
            return dnn_.weight_from_both(part, types, x, w, y, kept, memory());
        },
        [&] {
            is_packed = false;
            Kernels::weight_from_both(part, coarse, fine, weight, beta);
        });
    if (is_packed) {
        executor().run(gradient.shape().count(),
                       kernel::UnpackChannels<float>{packed, weight + part.first_weight(), part.weight[4],
                                                     part.first_fine, part.fine[4], part.fine[4], beta});
    }
}

}  // namespace plumecast::cuda
