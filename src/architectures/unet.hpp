#pragma once

#include <functional>
#include <string>

#include <plumecast/architectures/network.hpp>
#include <plumecast/layers/batch_norm.hpp>
#include <plumecast/layers/conv.hpp>

namespace plumecast {

/// The axes that the convolutions of a network work on.
inline ConvAxes conv_axes(const NetworkConfig& config) {
    return {config.space_axes(), config.time_kernel, config.time_strides};
}

/// Convolution of kernel 3, batch norm and activation.
class NormalisedConv {
   public:
    NormalisedConv(const Scope& scope, const ConvGeometry& geometry, std::int64_t inputs, std::int64_t outputs,
                   bool with_bias, Activation activation);
    Variable operator()(const HaloField& x, ExecutionMode mode, LevelChange change) const;
    /// See Conv::halo().
    const ConvHalo* halo(LevelChange change) const { return conv_.halo(change); }
    std::int64_t stride() const { return conv_.geometry.stride[0]; }

   private:
    std::int64_t cells_of_results(const Variable& x, const LevelChange& change) const;

    Conv conv_;
    BatchNorm norm_;
    Activation activation_;
};

/// The three-level U-Net path of a U-Fourier block (Wen et al. 2022), the same width at every level; extents must be
/// multiples of 8. Skip connections are concatenations, which the convolutions read part by part.
class UNet {
   public:
    UNet(const Scope& scope, std::int64_t width, const ConvAxes& axes = {});
    /// Sends what the path needs of the neighbours of v, which is then on its way. Collective, both.
    HaloField sent(const Variable& v, const Levels& levels) const;
    /// UNet(v) + Linear(v), the linear layer as the centre of the last convolution, on the first `cells` of v: all, or
    /// an even number, of which the last two, where v goes on beyond them, are not to be used.
    /// `before_last` is called before the last convolution: work of others whose messages may travel during it.
    Variable operator()(const HaloField& v, ExecutionMode mode, const Levels& levels, const Linear& beside,
                        const Shape& cells, const std::function<void()>& before_last) const;

   private:
    NormalisedConv conv1_, conv2_, conv2_1_, conv3_, conv3_1_;
    Conv deconv2_, deconv1_, deconv0_, output_;
};

}  // namespace plumecast
