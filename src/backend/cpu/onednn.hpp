#pragma once

#include <dnnl.hpp>

#include <plumecast/backend/ops.hpp>

namespace plumecast::cpu {

/// oneDNN's engine and stream. How the descriptors below are made differs between its versions
/// 2 and 3; nothing else does.
struct OneDnn {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
};

/// Memory descriptors and geometry of one convolution on one group of input channels.
struct ConvDescription {
    dnnl::memory::desc source, weight, bias, destination;  ///< bias is zero when there is none
    dnnl::memory::dims strides, padding_low, padding_high;
};

/// What oneDNN does to a result before it is written: y = f(result + beta * y), for beta 0 or 1.
dnnl::primitive_attr epilogue_attributes(double beta, Activation f);
/// destination = source + beta * destination in a reorder.
dnnl::primitive_attr accumulate_attributes(double beta);

dnnl::matmul::primitive_desc matmul_descriptor(const OneDnn& dnn, const dnnl::memory::desc& a,
                                               const dnnl::memory::desc& b, const dnnl::memory::desc& bias,
                                               const dnnl::memory::desc& c, const dnnl::primitive_attr& attributes);

dnnl::convolution_forward::primitive_desc conv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                          const dnnl::primitive_attr& attributes);
dnnl::convolution_backward_data::primitive_desc conv_data_descriptor(const OneDnn& dnn, const ConvDescription& conv);
dnnl::convolution_backward_weights::primitive_desc conv_weight_descriptor(const OneDnn& dnn,
                                                                          const ConvDescription& conv);

dnnl::deconvolution_forward::primitive_desc deconv_descriptor(const OneDnn& dnn, const ConvDescription& conv,
                                                              const dnnl::primitive_attr& attributes);
dnnl::deconvolution_backward_data::primitive_desc deconv_data_descriptor(const OneDnn& dnn,
                                                                         const ConvDescription& conv);
dnnl::deconvolution_backward_weights::primitive_desc deconv_weight_descriptor(const OneDnn& dnn,
                                                                              const ConvDescription& conv);

}  // namespace plumecast::cpu
