#include "backend/cpu/onednn.hpp"

namespace plumecast::cpu {
namespace {

constexpr auto direct_conv = dnnl::algorithm::convolution_direct;
constexpr auto direct_deconv = dnnl::algorithm::deconvolution_direct;

/// In version 2 a primitive's descriptor is made of the description of an operation, in version 3 at once.
template <class Primitive>
concept HasDescription = requires {
    typename Primitive::desc;
};

template <class Operations>
void append_eltwise(Operations& operations, dnnl::algorithm algorithm, float alpha) {
    if constexpr (requires { operations.append_eltwise(1.0f, algorithm, alpha, 0.0f); }) {
        operations.append_eltwise(1.0f, algorithm, alpha, 0.0f);
    } else {
        operations.append_eltwise(algorithm, alpha, 0.0f);
    }
}

template <class Primitive>
typename Primitive::primitive_desc product_descriptor(const OneDnn& dnn, const dnnl::memory::desc& a,
                                                      const dnnl::memory::desc& b, const dnnl::memory::desc& bias,
                                                      const dnnl::memory::desc& c,
                                                      const dnnl::primitive_attr& attributes) {
    if constexpr (HasDescription<Primitive>) {
        using Description = typename Primitive::desc;
        const auto operation = bias.is_zero() ? Description(a, b, c) : Description(a, b, bias, c);
        return {operation, attributes, dnn.engine};
    } else {
        using Descriptor = typename Primitive::primitive_desc;
        return bias.is_zero() ? Descriptor(dnn.engine, a, b, c, attributes)
                              : Descriptor(dnn.engine, a, b, bias, c, attributes);
    }
}

template <class Primitive>
typename Primitive::primitive_desc forward_descriptor(const OneDnn& dnn, dnnl::algorithm algorithm,
                                                      const ConvDescription& conv,
                                                      const dnnl::primitive_attr& attributes) {
    const auto kind = dnnl::prop_kind::forward_training;
    if constexpr (HasDescription<Primitive>) {
        using Description = typename Primitive::desc;
        const auto operation = conv.bias.is_zero()
                                   ? Description(kind, algorithm, conv.source, conv.weight, conv.destination,
                                                 conv.strides, conv.padding_low, conv.padding_high)
                                   : Description(kind, algorithm, conv.source, conv.weight, conv.bias, conv.destination,
                                                 conv.strides, conv.padding_low, conv.padding_high);
        return {operation, attributes, dnn.engine};
    } else {
        return typename Primitive::primitive_desc(dnn.engine, kind, algorithm, conv.source, conv.weight, conv.bias,
                                                  conv.destination, conv.strides, conv.padding_low, conv.padding_high,
                                                  attributes);
    }
}

template <class Primitive, class Forward>
typename Primitive::primitive_desc backward_descriptor(const OneDnn& dnn, dnnl::algorithm algorithm,
                                                       const ConvDescription& conv, const Forward& forward) {
    if constexpr (HasDescription<Primitive>) {
        const typename Primitive::desc operation(algorithm, conv.source, conv.weight, conv.destination, conv.strides,
                                                 conv.padding_low, conv.padding_high);
        return {operation, dnn.engine, forward};
    } else {
        return typename Primitive::primitive_desc(dnn.engine, algorithm, conv.source, conv.weight, conv.destination,
                                                  conv.strides, conv.padding_low, conv.padding_high, forward);
    }
}

void append_activation(dnnl::post_ops& operations, Activation f) {
    switch (f.kind) {
        case Activation::Kind::identity:
            return;
        case Activation::Kind::relu:
            return append_eltwise(operations, dnnl::algorithm::eltwise_relu, 0.0f);
        case Activation::Kind::leaky_relu:
            return append_eltwise(operations, dnnl::algorithm::eltwise_relu, static_cast<float>(f.slope));
        case Activation::Kind::tanh:
            return append_eltwise(operations, dnnl::algorithm::eltwise_tanh, 0.0f);
        case Activation::Kind::gelu:
            return append_eltwise(operations, dnnl::algorithm::eltwise_gelu_erf, 0.0f);
    }
}

}  // namespace

dnnl::primitive_attr epilogue_attributes(double beta, Activation f) {
    dnnl::post_ops operations;
    if (beta != 0.0) {
        operations.append_sum(static_cast<float>(beta));
    }
    append_activation(operations, f);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(operations);
    return attributes;
}

dnnl::primitive_attr accumulate_attributes(double beta) { return epilogue_attributes(beta, Activation::identity()); }

dnnl::matmul::primitive_desc matmul_descriptor(const OneDnn& dnn, const dnnl::memory::desc& a,
                                               const dnnl::memory::desc& b, const dnnl::memory::desc& bias,
                                               const dnnl::memory::desc& c, const dnnl::primitive_attr& attributes) {
    return product_descriptor<dnnl::matmul>(dnn, a, b, bias, c, attributes);
}

dnnl::convolution_forward::primitive_desc conv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                          const dnnl::primitive_attr& attributes) {
    return forward_descriptor<dnnl::convolution_forward>(dnn, direct_conv, conv, attributes);
}

dnnl::convolution_backward_data::primitive_desc conv_data_descriptor(const OneDnn& dnn, const ConvDescription& conv) {
    return backward_descriptor<dnnl::convolution_backward_data>(dnn, direct_conv, conv, conv_descriptor(dnn, conv, {}));
}

dnnl::convolution_backward_weights::primitive_desc conv_weight_descriptor(const OneDnn& dnn,
                                                                          const ConvDescription& conv) {
    return backward_descriptor<dnnl::convolution_backward_weights>(dnn, direct_conv, conv,
                                                                   conv_descriptor(dnn, conv, {}));
}

dnnl::deconvolution_forward::primitive_desc deconv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                              const dnnl::primitive_attr& attributes) {
    return forward_descriptor<dnnl::deconvolution_forward>(dnn, direct_deconv, conv, attributes);
}

dnnl::deconvolution_backward_data::primitive_desc deconv_data_descriptor(const OneDnn& dnn,
                                                                         const ConvDescription& conv) {
    return backward_descriptor<dnnl::deconvolution_backward_data>(dnn, direct_deconv, conv,
                                                                  deconv_descriptor(dnn, conv, {}));
}

dnnl::deconvolution_backward_weights::primitive_desc deconv_weight_descriptor(const OneDnn& dnn,
                                                                              const ConvDescription& conv) {
    return backward_descriptor<dnnl::deconvolution_backward_weights>(dnn, direct_deconv, conv,
                                                                     deconv_descriptor(dnn, conv, {}));
}

}  // namespace plumecast::cpu
