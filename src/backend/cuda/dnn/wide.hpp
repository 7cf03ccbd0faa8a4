#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/cuda/dnn/backend.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/split.hpp"

/// Convolutions of float32 fields by cuDNN.
namespace plumecast::cuda {

/// Under which the weights of a part are kept side by side.
inline std::string form_name(const ConvPart& part) {
    return "channels " + std::to_string(part.first_fine) + " to " + std::to_string(part.first_fine + part.fine[4]);
}

template <class Executor>
Tensor packed_part(Executor& executor, const ConvPart& part, ConstView weight) {
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
    template <class Executor>
    PackedWeight(Executor& executor, const ConvPart& part, ConstView weight)
        : data_(weight.as<float>() + part.first_weight()) {
        if (!part.is_packed()) {
            const auto pack = [&] { return packed_part(executor, part, weight); };
            const ConstView kept = form_of(weight, form_name(part), copy_, pack);
            data_ = kept.as<float>();
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
    template <class Executor>
    SplitArray(Executor& executor, const float* whole, std::int64_t count)
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

inline std::vector<std::int64_t> kind_of(const ConvPart& part, std::int64_t product) {
    std::vector<std::int64_t> kind = part.numbers();
    kind.push_back(product);
    return kind;
}

template <class Executor>
bool DnnBackend<Executor>::library_convolves(const ConvPart& part) const {
    return dnn_ && route_ != ConvRoute::kernels && part.coarse.count() > 0 && part.fine.count() > 0;
}

template <class Executor>
void DnnBackend<Executor>::expect_kernels_allowed(const ConvPart& part) const {
    if (route_ == ConvRoute::library && library_convolves(part)) {
        throw DeviceError("cuDNN has no algorithm for a convolution between " + part.coarse.text() + " and " +
                          part.fine.text() + " (PLUMECAST_CUDA_CONV=cudnn allows no other); unset the variable");
    }
}

template <class Executor>
bool DnnBackend<Executor>::convolve_split(DnnProduct product, const LibraryOperands& of) {
    if (precision_ != Precision::fp32 || !dnn_->takes_ten_bits()) {
        return false;
    }
    const SplitArray first(this->executor(), of.first, of.first_count),
        second(this->executor(), of.second, of.second_count);
    const bool direct = of.beta == 0.0f;  // a refusal in the middle leaves nothing behind that is not overwritten
    Tensor scratch = direct ? Tensor() : Tensor(this->memory(), {of.result_count}, DType::float32);
    float* result = direct ? of.result : scratch.view().as<float>();
    product.ten_bits = true;
    product.result = result;
    const auto multiply = [&](const float* x, const float* w, float beta) {
        product.first = x;
        product.second = w;
        product.beta = beta;
        return dnn_->run(product, this->memory());
    };
    const bool done = in_three_products(first.parts(), second.parts(), 0.0f, multiply);
    if (done && !direct) {
        run_elements(this->executor(), of.result_count, kernel::Add{1.0f, of.beta}, of.result, result);
    }
    return done;
}

template <class Executor>
void DnnBackend<Executor>::convolve(ConvProduct kind, const ConvPart& part, const LibraryOperands& of,
                                    const std::function<void()>& by_kernels) {
    const DnnProduct product{
        .gives = kind, .part = part, .first = of.first, .second = of.second, .result = of.result, .beta = of.beta};
    const auto plainly = [&] { return dnn_->run(product, this->memory()); };
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
    fallback_.run(kind_of(part, static_cast<std::int64_t>(kind)),
                  {{"cuDNN", plainly}, {"cuDNN by three products in TF32", split}, {"a kernel of our own", own}}, text);
}

template <class Executor>
void DnnBackend<Executor>::pack_parts(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                      View y, PackedForms& forms) {
    std::int64_t channel = 0;
    for (const ConstView& input : inputs) {
        if (const ConvPart part(geometry, input.shape, y.shape, weight.shape, channel); !part.is_packed()) {
            forms.add(form_name(part), packed_part(this->executor(), part, weight));
        }
        channel += input.shape[4];
    }
}

template <class Executor>
void DnnBackend<Executor>::coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse,
                                            float beta) {
    const auto by_kernels = [&] { Kernels::coarse_from_fine(part, fine, weight, coarse, beta); };
    if (!library_convolves(part) || fine.type != DType::float32) {
        return by_kernels();
    }
    const PackedWeight packed(this->executor(), part, weight);
    convolve(
        ConvProduct::coarse, part,
        {fine.as<float>(), part.fine.count(), packed.data(), part.packed().count(), coarse, part.coarse.count(), beta},
        by_kernels);
}

template <class Executor>
void DnnBackend<Executor>::fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine,
                                            float beta) {
    const auto by_kernels = [&] { Kernels::fine_from_coarse(part, coarse, weight, fine, beta); };
    if (!library_convolves(part) || coarse.type != DType::float32) {
        return by_kernels();
    }
    const PackedWeight packed(this->executor(), part, weight);
    convolve(
        ConvProduct::fine, part,
        {coarse.as<float>(), part.coarse.count(), packed.data(), part.packed().count(), fine, part.fine.count(), beta},
        by_kernels);
}

template <class Executor>
void DnnBackend<Executor>::weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight,
                                            float beta) {
    if (!library_convolves(part) || coarse.type != DType::float32) {
        return Kernels::weight_from_both(part, coarse, fine, weight, beta);
    }
    // Through memory of its own: the gradient of a part may lie scattered, and cuDNN's may not accumulate.
    Tensor gradient(this->memory(), part.packed(), DType::float32);
    float* packed = gradient.view().as<float>();
    bool is_packed = true;
    convolve(ConvProduct::weight, part,
             {coarse.as<float>(), part.coarse.count(), fine.as<float>(), part.fine.count(), packed,
              gradient.shape().count(), 0.0f},
             [&] {
                 is_packed = false;
                 Kernels::weight_from_both(part, coarse, fine, weight, beta);
             });
    if (is_packed) {
        this->executor().run(gradient.shape().count(),
                             kernel::UnpackChannels<float>{packed, weight + part.first_weight(), part.weight[4],
                                                           part.first_fine, part.fine[4], part.fine[4], beta});
    }
}

}  // namespace plumecast::cuda
