#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/cuda/dnn/backend.hpp"
#include "backend/cuda/kernels/conv/channels.hpp"

/// Convolutions of bfloat16 fields by cuDNN. It wants rows of 16 bytes for the matrix units and knows one input,
/// so the fields go to it with their channels side by side, rounded up to a multiple of 8 by zeros, where they are not
/// such. Two fields of 36 channels are joined to rows of 72 and not added up one after the other, each rounded up to
/// 40: that would take a ninth more arithmetic, which costs more than the join (docs/benchmarks/gpu.md), and round the
/// first sum to bfloat16.
namespace plumecast::cuda {

/// A product of bfloat16 arrays.
inline DnnProduct narrow_product(ConvProduct gives, const ConvPart& part, const void* first, const void* second,
                                 void* result, float beta) {
    return {.gives = gives,
            .part = part,
            .fields = DType::bfloat16,
            .weight = DType::bfloat16,
            .first = first,
            .second = second,
            .result = result,
            .beta = beta};
}

inline std::vector<Shape> shapes_of(std::span<const ConstView> fields) {
    std::vector<Shape> shapes;
    std::ranges::transform(fields, std::back_inserter(shapes), [](const ConstView& field) { return field.shape; });
    return shapes;
}

inline std::int64_t rounded_up(std::int64_t channels) { return (channels + 7) / 8 * 8; }
inline Shape rounded_up(const Shape& shape) { return shape.with(-1, rounded_up(shape[-1])); }

/// Several fields as one.
class JoinedFields {
   public:
    template <class Executor>
    JoinedFields(Executor& executor, std::span<const ConstView> fields) : view_(fields.front()) {
        std::int64_t channels = 0;
        for (const ConstView& field : fields) {
            channels += field.shape[-1];
        }
        const std::int64_t whole = rounded_up(channels);
        if (fields.size() == 1 && whole == channels) {
            return;
        }
        copy_ = Tensor(executor.memory(), view_.shape.with(-1, whole), DType::bfloat16);
        std::int64_t first = 0;
        for (const ConstView& field : fields) {
            const std::int64_t own = field.shape[-1], zeros = first + own == channels ? whole - channels : 0;
            move_channels(
                executor, copy_.shape().count(0, 4),
                {.channels = own, .from_channels = own, .to_channels = whole, .to_first = first, .zeros = zeros},
                field.as<bfloat16>(), copy_.view().as<bfloat16>());
            first += own;
        }
        view_ = copy_.view();
    }
    const Shape& shape() const { return view_.shape; }
    const void* data() const { return view_.data; }

   private:
    ConstView view_;
    Tensor copy_;
};

/// Shape of a weight for fields of rounded channels.
inline Shape padded_weight(const Shape& weight) { return rounded_up(weight.with(0, rounded_up(weight[0]))); }

/// Under which a weight is kept for rounded channels.
constexpr std::string_view rounded_form = "bfloat16, channels rounded up";

template <class Executor>
Tensor rounded_weight(Executor& executor, ConstView weight) {
    Tensor copy(executor.memory(), padded_weight(weight.shape), DType::bfloat16);
    executor.run(copy.shape().count(), kernel::PackChannels<bfloat16>{weight.as<float>(), copy.view().as<bfloat16>(),
                                                                      weight.shape.count(0, 4), weight.shape[4], 0,
                                                                      weight.shape[4], copy.shape()[4]});
    return copy;
}

template <class Executor>
bool DnnBackend<Executor>::library_convolves(std::span<const ConstView> fields) const {
    bool narrow = true, empty = false;
    for (const ConstView& field : fields) {
        narrow = narrow && field.type == DType::bfloat16;
        empty = empty || field.shape.count() == 0;
    }
    return dnn_ && route_ != ConvRoute::kernels && narrow && !empty;
}

template <class Executor>
bool DnnBackend<Executor>::narrow_conv(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                       ConstView weight, ConstView bias, OutputRef y, Activation f) {
    const JoinedFields input(this->executor(), inputs);
    Tensor scratch_weight;
    const ConstView w =
        form_of(weight, rounded_form, scratch_weight, [&] { return rounded_weight(this->executor(), weight); });
    const ConvPart part(geometry, input.shape(), rounded_up(y.view.shape), w.shape, 0);
    const bool direct = rounded_up(y.view.shape) == y.view.shape;
    Tensor scratch = direct ? Tensor() : Tensor(this->memory(), rounded_up(y.view.shape), DType::bfloat16);
    const View result = direct ? y.view : scratch.view();
    const auto beta = static_cast<float>(y.beta), first_beta = direct ? beta : 0.0f;
    const bool done = dnn_->run(narrow_product(geometry.transposed ? ConvProduct::fine : ConvProduct::coarse, part,
                                               input.data(), w.data, result.data, first_beta),
                                this->memory());
    if (done && !(direct && bias.data == nullptr && f.is_identity())) {
        const std::int64_t channels = y.view.shape[-1];
        move_channels(this->executor(), y.view.shape.count(0, 4),
                      {.channels = channels,
                       .from_channels = result.shape[-1],
                       .to_channels = channels,
                       .bias = bias.data != nullptr ? bias.as<float>() : nullptr,
                       .f = Pointwise(f),
                       .beta = direct ? 0.0f : beta},
                      std::as_const(result).as<bfloat16>(), y.view.as<bfloat16>());
    }
    return done;
}

template <class Executor>
void DnnBackend<Executor>::pack_narrow(ConstView weight, PackedForms& forms) {
    forms.add(std::string(rounded_form), rounded_weight(this->executor(), weight));
}

template <class Executor>
PackedForms DnnBackend<Executor>::pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                                   ConstView weight, View y, WeightReader /*reader*/) {
    PackedForms forms;
    const bool is_empty = y.shape.count() == 0;
    if (!is_empty && library_convolves(inputs) && library_convolves(std::array{ConstView(y)})) {
        pack_narrow(weight, forms);
    } else if (!is_empty && dnn_ && route_ != ConvRoute::kernels && y.type == DType::float32) {
        pack_parts(geometry, inputs, weight, y, forms);
    }
    return forms;
}

template <class Executor>
bool DnnBackend<Executor>::narrow_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                                std::span<const OutputRef> gradient_inputs) {
    const JoinedFields upstream(this->executor(), std::array{gradient_y});
    Tensor scratch_weight;
    const ConstView w =
        form_of(weight, rounded_form, scratch_weight, [&] { return rounded_weight(this->executor(), weight); });
    const Shape whole = gradient_inputs.front().view.shape.with(-1, w.shape[geometry.transposed ? 0 : 4]);
    const ConvPart part(geometry, whole, upstream.shape(), w.shape, 0);
    const OutputRef& first = gradient_inputs.front();
    const bool direct = gradient_inputs.size() == 1 && whole == first.view.shape;
    Tensor scratch = direct ? Tensor() : Tensor(this->memory(), whole, DType::bfloat16);
    const View result = direct ? first.view : scratch.view();
    const float beta = direct ? static_cast<float>(first.beta) : 0.0f;
    const bool done = dnn_->run(narrow_product(geometry.transposed ? ConvProduct::coarse : ConvProduct::fine, part,
                                               upstream.data(), w.data, result.data, beta),
                                this->memory());
    std::int64_t channel = 0;
    for (const OutputRef& target : gradient_inputs) {
        const std::int64_t own = target.view.shape[-1];
        if (done && !direct) {
            move_channels(this->executor(), whole.count(0, 4),
                          {.channels = own,
                           .from_channels = whole[-1],
                           .to_channels = own,
                           .from_first = channel,
                           .beta = static_cast<float>(target.beta)},
                          std::as_const(result).as<bfloat16>(), target.view.as<bfloat16>());
        }
        channel += own;
    }
    return done;
}

template <class Executor>
bool DnnBackend<Executor>::narrow_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                                  ConstView gradient_y, OutputRef gradient_weight, DType sums) {
    const JoinedFields input(this->executor(), inputs), upstream(this->executor(), std::array{gradient_y});
    const Shape& weight = gradient_weight.view.shape;
    const ConvPart part(geometry, input.shape(), upstream.shape(), padded_weight(weight), 0);
    const void* coarse = geometry.transposed ? input.data() : upstream.data();
    const void* fine = geometry.transposed ? upstream.data() : input.data();
    Tensor gradient(this->memory(), part.packed(), sums);
    DnnProduct product = narrow_product(ConvProduct::weight, part, coarse, fine, gradient.view().data, 0.0f);
    product.weight = sums;
    const bool done = dnn_->run(product, this->memory());
    if (done) {
        with_elements(
            [&](const auto* packed_sums) {
                this->executor().run(weight.count(),
                                     kernel::UnpackChannels<Element<decltype(packed_sums)>>{
                                         packed_sums, gradient_weight.view.as<float>(), weight[4], 0, weight[4],
                                         part.packed()[4], static_cast<float>(gradient_weight.beta)});
            },
            std::as_const(gradient).view());
    }
    return done;
}

template <class Executor>
void DnnBackend<Executor>::expect_kernels_allowed(ConstView fields) const {
    if (route_ == ConvRoute::library && library_convolves(std::span(&fields, 1))) {
        throw DeviceError("cuDNN has no algorithm for a bfloat16 convolution of " + fields.shape.text() +
                          " (PLUMECAST_CUDA_CONV=cudnn allows no other); unset the variable");
    }
}

template <class Executor>
void DnnBackend<Executor>::convolve_narrow(ConvProduct kind, const ConvGeometry& geometry,
                                           std::span<const Shape> inputs, const Shape& output,
                                           std::initializer_list<Way> ways) {
    constexpr std::array names{"the convolution", "the data gradient", "the weight gradient"};
    std::vector<std::int64_t> key{-1 - static_cast<std::int64_t>(kind), geometry.transposed ? 1 : 0};
    const auto note = [&](std::span<const std::int64_t> numbers) {
        key.insert(key.end(), numbers.begin(), numbers.end());
    };
    note(geometry.kernel);
    note(geometry.stride);
    note(geometry.padding_low);
    note(output.extents());
    std::ranges::for_each(inputs, [&](const Shape& input) { note(input.extents()); });
    fallback_.run(key, ways, [&] {
        return std::string(names.at(static_cast<std::size_t>(kind))) + " in bfloat16 from " + inputs.front().text() +
               " to " + output.text();
    });
}

template <class Executor>
void DnnBackend<Executor>::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                                ConstView bias, OutputRef y, Activation f) {
    if (!library_convolves(inputs) || !library_convolves(std::array{ConstView(y.view)})) {
        return Kernels::conv(geometry, inputs, weight, bias, y, f);
    }
    const auto library = [&] { return narrow_conv(geometry, inputs, weight, bias, y, f); };
    const auto own = [&] {
        expect_kernels_allowed(y.view);
        Kernels::conv(geometry, inputs, weight, bias, y, f);
        return true;
    };
    convolve_narrow(ConvProduct::coarse, geometry, shapes_of(inputs), y.view.shape,
                    {{"cuDNN", library}, {"a kernel of our own", own}});
}

template <class Executor>
void DnnBackend<Executor>::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                              std::span<const OutputRef> gradient_inputs) {
    bool narrow = library_convolves(std::array{gradient_y}) && !gradient_inputs.empty();
    std::vector<Shape> shapes;
    for (const OutputRef& target : gradient_inputs) {
        narrow = narrow && library_convolves(std::array{ConstView(target.view)});
        shapes.push_back(target.view.shape);
    }
    if (!narrow) {
        return Kernels::conv_data_gradient(geometry, gradient_y, weight, gradient_inputs);
    }
    const auto library = [&] { return narrow_data_gradient(geometry, gradient_y, weight, gradient_inputs); };
    const auto own = [&] {
        expect_kernels_allowed(gradient_y);
        Kernels::conv_data_gradient(geometry, gradient_y, weight, gradient_inputs);
        return true;
    };
    convolve_narrow(ConvProduct::fine, geometry, shapes, gradient_y.shape,
                    {{"cuDNN", library}, {"a kernel of our own", own}});
}

template <class Executor>
void DnnBackend<Executor>::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                                ConstView gradient_y, OutputRef gradient_weight) {
    if (!library_convolves(inputs) || !library_convolves(std::array{gradient_y})) {
        return Kernels::conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }
    const auto library = [&](DType sums) {
        return [&, sums] { return narrow_weight_gradient(geometry, inputs, gradient_y, gradient_weight, sums); };
    };
    const auto own = [&] {
        expect_kernels_allowed(gradient_y);
        Kernels::conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        return true;
    };
    convolve_narrow(ConvProduct::weight, geometry, shapes_of(inputs), gradient_y.shape,
                    {{"cuDNN with float32 gradients", library(DType::float32)},
                     {"cuDNN with gradients rounded to bfloat16", library(DType::bfloat16)},
                     {"a kernel of our own", own}});
}

}  // namespace plumecast::cuda
