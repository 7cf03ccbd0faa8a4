#pragma once

#include <vector>

#include <plumecast/distributed/levels.hpp>
#include <plumecast/layers/epilogue.hpp>
#include <plumecast/layers/exchange/halo_field.hpp>
#include <plumecast/layers/linear.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// y = f(conv(inputs, weight) + bias + addend) on [B, s1, s2, s3, C], or on [B, s0, s1, s2, s3, C] with an outer axis;
/// several inputs count as concatenated along the channels, without being so. Weight [O, (k0,) k1, k2, k3, I],
/// transposed [I, (k0,) k1, k2, k3, O]; bias [O] or undefined.
Variable conv(const ConvGeometry& geometry, const std::vector<Variable>& inputs, const Variable& weight,
              const Variable& bias, Epilogue epilogue = {});

/// Weight and bias of conv(), uniform in +-1/sqrt(fan in) as PyTorch initialises them.
struct Conv {
    ConvGeometry geometry;
    Variable weight, bias;

    Conv(const Scope& scope, const ConvGeometry& shape, std::int64_t inputs, std::int64_t outputs, bool with_bias);
    /// `change` says from which level to which, where ranks share the fields.
    Variable operator()(const std::vector<HaloField>& inputs, Epilogue epilogue = {}, LevelChange change = {}) const;
    /// What the convolution between these levels needs of neighbours; nullptr where fields are whole.
    const ConvHalo* halo(LevelChange change) const;
};

/// The convolution plus a linear layer beside it on the first of its inputs, as one convolution: the layer's weight is
/// added to the weights of the centre, its bias to the bias. For odd kernels and stride 1.
Conv with_linear(const Conv& conv, const Linear& linear);

/// The axes that a network's convolutions work on: two or three of space, then time, which may be a case of its own.
struct ConvAxes {
    int space = 2;
    /// Cells of the kernel along time, odd; 1 for each time step on its own.
    std::int64_t time_kernel = 3;
    /// Strides halve and double time too; else it keeps its steps.
    bool time_strides = true;
};

/// Kernel 3, padding 1, stride 1 or 2.
ConvGeometry kernel3(std::int64_t stride, const ConvAxes& axes = {});
/// Transposed kernel 4, stride 2, padding 1: doubles every extent.
ConvGeometry doubling4(const ConvAxes& axes = {});
/// Transposed kernel 3, stride 2: doubles every extent.
ConvGeometry doubling3(const ConvAxes& axes = {});

}  // namespace plumecast
