#include <unordered_map>

#include "backend/cpu/conv/vendor.hpp"

namespace plumecast::cpu {
namespace {

using DnnMemory = dnnl::memory;
using Arguments = std::unordered_map<int, DnnMemory>;
constexpr auto f32 = DnnMemory::data_type::f32;

/// Shape of a float32 field [B, s1, s2, s3, C] in oneDNN's terms.
DnnMemory::desc field(ConstView view) {
    const Shape& s = view.shape;
    return DnnMemory::desc({s[0], s[4], s[1], s[2], s[3]}, f32, DnnMemory::format_tag::ndhwc);
}

/// Any layout oneDNN likes for the weight of `inputs` of the weight's input channels.
DnnMemory::desc free_weight(const ConvGeometry& g, const Shape& w, std::int64_t inputs) {
    const std::int64_t outputs = w[g.transposed ? 4 : 0];
    return DnnMemory::desc({outputs, inputs, w[1], w[2], w[3]}, f32, DnnMemory::format_tag::any);
}

/// Those channels of our weight, [O, k, k, k, I] or transposed [I, k, k, k, O], where they lie.
DnnMemory::desc stored_weight(const ConvGeometry& g, const Shape& w, std::int64_t inputs) {
    const std::int64_t outer = w[1] * w[2] * w[3] * w[4];
    const std::int64_t per_output = g.transposed ? 1 : outer, per_input = g.transposed ? outer : 1;
    return DnnMemory::desc({w[g.transposed ? 4 : 0], inputs, w[1], w[2], w[3]}, f32,
                           DnnMemory::dims{per_output, per_input, w[2] * w[3] * w[4], w[3] * w[4], w[4]});
}

/// Elements before the first weight of an input channel.
std::int64_t weight_offset(const ConvGeometry& g, const Shape& w, std::int64_t channel) {
    return g.transposed ? channel * w[1] * w[2] * w[3] * w[4] : channel;
}

ConvDescription describe(const ConvGeometry& g, ConstView input, const Shape& weight, ConstView output,
                         bool with_bias) {
    return {field(input),
            free_weight(g, weight, input.shape[4]),
            with_bias ? DnnMemory::desc({output.shape[4]}, f32, DnnMemory::format_tag::x) : DnnMemory::desc(),
            field(output),
            DnnMemory::dims(g.stride.begin(), g.stride.end()),
            DnnMemory::dims(g.padding_low.begin(), g.padding_low.end()),
            DnnMemory::dims(g.padding_high.begin(), g.padding_high.end())};
}

DnnMemory wrap(const OneDnn& dnn, const DnnMemory::desc& description, const void* data) {
    return DnnMemory(description, dnn.engine, const_cast<void*>(data));
}

/// The weight of some input channels in the layout a primitive asks for.
DnnMemory arranged_weight(OneDnn& dnn, const DnnMemory::desc& stored, const float* data,
                          const DnnMemory::desc& wanted) {
    DnnMemory source = wrap(dnn, stored, data);
    if (stored == wanted) {
        return source;
    }
    DnnMemory target(wanted, dnn.engine);
    dnnl::reorder(source, target).execute(dnn.stream, source, target);
    return target;
}

template <class Primitive, class Descriptor>
void run(OneDnn& dnn, const Descriptor& descriptor, const Arguments& arguments) {
    Primitive(descriptor).execute(dnn.stream, arguments);
    dnn.stream.wait();
}

}  // namespace

void OneDnnConv::forward(const ConvGeometry& geometry, ConstView input, std::int64_t channel, ConstView weight,
                         ConstView bias, OutputRef y, Activation f) const {
    const auto description = describe(geometry, input, weight.shape, y.view, bias.data != nullptr);
    const auto attributes = epilogue_attributes(y.beta, f);
    const auto stored = stored_weight(geometry, weight.shape, input.shape[4]);
    const float* weights = weight.as<float>() + weight_offset(geometry, weight.shape, channel);
    Arguments arguments{{DNNL_ARG_SRC, wrap(*dnn_, description.source, input.data)},
                        {DNNL_ARG_DST, wrap(*dnn_, description.destination, y.view.data)}};
    if (bias.data != nullptr) {
        arguments.emplace(DNNL_ARG_BIAS, wrap(*dnn_, description.bias, bias.as<float>()));
    }
    const auto execute = [&]<class Primitive>(const auto& descriptor) {
        arguments.emplace(DNNL_ARG_WEIGHTS, arranged_weight(*dnn_, stored, weights, descriptor.weights_desc()));
        run<Primitive>(*dnn_, descriptor, arguments);
    };
    if (geometry.transposed) {
        execute.template operator()<dnnl::deconvolution_forward>(deconv_descriptor(*dnn_, description, attributes));
    } else {
        execute.template operator()<dnnl::convolution_forward>(conv_descriptor(*dnn_, description, attributes));
    }
}

void OneDnnConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                               std::int64_t channel, View gradient_input) const {
    const Shape& shape = gradient_input.shape;
    const auto description = describe(geometry, gradient_input, weight.shape, gradient_y, false);
    const auto stored = stored_weight(geometry, weight.shape, shape[4]);
    const float* weights = weight.as<float>() + weight_offset(geometry, weight.shape, channel);
    Arguments arguments{{DNNL_ARG_DIFF_DST, wrap(*dnn_, description.destination, gradient_y.data)},
                        {DNNL_ARG_DIFF_SRC, wrap(*dnn_, description.source, gradient_input.data)}};
    const auto execute = [&]<class Primitive>(const auto& descriptor) {
        arguments.emplace(DNNL_ARG_WEIGHTS, arranged_weight(*dnn_, stored, weights, descriptor.weights_desc()));
        run<Primitive>(*dnn_, descriptor, arguments);
    };
    if (geometry.transposed) {
        execute.template operator()<dnnl::deconvolution_backward_data>(deconv_data_descriptor(*dnn_, description));
    } else {
        execute.template operator()<dnnl::convolution_backward_data>(conv_data_descriptor(*dnn_, description));
    }
}

void OneDnnConv::weight_gradient(const ConvGeometry& geometry, ConstView input, std::int64_t channel,
                                 ConstView gradient_y, OutputRef gradient_weight) const {
    const Shape& weight = gradient_weight.view.shape;
    const auto description = describe(geometry, input, weight, gradient_y, false);
    const auto stored = stored_weight(geometry, weight, input.shape[4]);
    float* weights = gradient_weight.view.as<float>() + weight_offset(geometry, weight, channel);
    const auto execute = [&]<class Primitive>(const auto& descriptor) {
        DnnMemory result(descriptor.diff_weights_desc(), dnn_->engine);
        run<Primitive>(*dnn_, descriptor,
                       {{DNNL_ARG_SRC, wrap(*dnn_, description.source, input.data)},
                        {DNNL_ARG_DIFF_DST, wrap(*dnn_, description.destination, gradient_y.data)},
                        {DNNL_ARG_DIFF_WEIGHTS, result}});
        DnnMemory target = wrap(*dnn_, stored, weights);
        dnnl::reorder(dnnl::reorder::primitive_desc(result, target, accumulate_attributes(gradient_weight.beta)))
            .execute(dnn_->stream, result, target);
        dnn_->stream.wait();
    };
    if (geometry.transposed) {
        execute.template operator()<dnnl::deconvolution_backward_weights>(deconv_weight_descriptor(*dnn_, description));
    } else {
        execute.template operator()<dnnl::convolution_backward_weights>(conv_weight_descriptor(*dnn_, description));
    }
}

}  // namespace plumecast::cpu
