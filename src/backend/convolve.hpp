#pragma once

#include <span>

#include <plumecast/backend/backend.hpp>

/// The convolutions of a Backend for fields of three axes and for fields of four, [B, s0, s1, s2, s3, C] with weights
/// [O, k0, k1, k2, k3, I] (transposed: I first). A convolution over four axes is the sum over the taps k0 of three-axis
/// ones of the planes along s0, which accumulate in place; so every backend has it that has the ops.
namespace plumecast {

/// As Backend::conv.
void convolve(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
              ConstView bias, OutputRef y, Activation f);

/// As Backend::pack_conv_weight(): of a weight over four axes each tap of the outer one, and the forms of these.
PackedForms pack_weight(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                        ConstView weight, View y, WeightReader reader);

/// As Backend::conv_data_gradient.
void convolve_data_gradient(Backend& backend, const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs);

/// As Backend::conv_weight_gradient.
void convolve_weight_gradient(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                              ConstView gradient_y, OutputRef gradient_weight);

}  // namespace plumecast
