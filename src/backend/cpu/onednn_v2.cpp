#include "backend/cpu/onednn.hpp"

namespace plumecast::cpu {
namespace {

void append_activation(dnnl::post_ops& operations, Activation f) {
    switch (f.kind) {
        case Activation::Kind::identity:
            return;
        case Activation::Kind::relu:
            return operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
        case Activation::Kind::leaky_relu:
            return operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, static_cast<float>(f.slope), 0.0f);
        case Activation::Kind::tanh:
            return operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_tanh, 0.0f, 0.0f);
        case Activation::Kind::gelu:
            return operations.append_eltwise(1.0f, dnnl::algorithm::eltwise_gelu_erf, 0.0f, 0.0f);
    }
}

template <class Primitive>
auto forward_operation(dnnl::algorithm algorithm, const ConvDescription& conv) {
    using Description = typename Primitive::desc;
    const auto kind = dnnl::prop_kind::forward_training;
    return conv.bias.is_zero() ? Description(kind, algorithm, conv.source, conv.weight, conv.destination, conv.strides,
                                             conv.padding_low, conv.padding_high)
                               : Description(kind, algorithm, conv.source, conv.weight, conv.bias, conv.destination,
                                             conv.strides, conv.padding_low, conv.padding_high);
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
    const auto operation = bias.is_zero() ? dnnl::matmul::desc(a, b, c) : dnnl::matmul::desc(a, b, bias, c);
    return {operation, attributes, dnn.engine};
}

dnnl::convolution_forward::primitive_desc conv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                          const dnnl::primitive_attr& attributes) {
    return {forward_operation<dnnl::convolution_forward>(dnnl::algorithm::convolution_direct, conv), attributes,
            dnn.engine};
}

dnnl::convolution_backward_data::primitive_desc conv_data_descriptor(const OneDnn& dnn, const ConvDescription& conv) {
    const auto forward = conv_descriptor(dnn, conv, {});
    const dnnl::convolution_backward_data::desc operation(dnnl::algorithm::convolution_direct, conv.source, conv.weight,
                                                          conv.destination, conv.strides, conv.padding_low,
                                                          conv.padding_high);
    return {operation, dnn.engine, forward};
}

dnnl::convolution_backward_weights::primitive_desc conv_weight_descriptor(const OneDnn& dnn,
                                                                          const ConvDescription& conv) {
    const auto forward = conv_descriptor(dnn, conv, {});
    const dnnl::convolution_backward_weights::desc operation(dnnl::algorithm::convolution_direct, conv.source,
                                                             conv.weight_gradient, conv.destination, conv.strides,
                                                             conv.padding_low, conv.padding_high);
    return {operation, dnn.engine, forward};
}

dnnl::deconvolution_forward::primitive_desc deconv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                              const dnnl::primitive_attr& attributes) {
    return {forward_operation<dnnl::deconvolution_forward>(dnnl::algorithm::deconvolution_direct, conv), attributes,
            dnn.engine};
}

dnnl::deconvolution_backward_data::primitive_desc deconv_data_descriptor(const OneDnn& dnn,
                                                                         const ConvDescription& conv) {
    const auto forward = deconv_descriptor(dnn, conv, {});
    const dnnl::deconvolution_backward_data::desc operation(dnnl::algorithm::deconvolution_direct, conv.source,
                                                            conv.weight, conv.destination, conv.strides,
                                                            conv.padding_low, conv.padding_high);
    return {operation, dnn.engine, forward};
}

dnnl::deconvolution_backward_weights::primitive_desc deconv_weight_descriptor(const OneDnn& dnn,
                                                                              const ConvDescription& conv) {
    const auto forward = deconv_descriptor(dnn, conv, {});
    const dnnl::deconvolution_backward_weights::desc operation(dnnl::algorithm::deconvolution_direct, conv.source,
                                                               conv.weight_gradient, conv.destination, conv.strides,
                                                               conv.padding_low, conv.padding_high);
    return {operation, dnn.engine, forward};
}

}  // namespace plumecast::cpu
