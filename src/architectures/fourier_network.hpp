#pragma once

#include <optional>
#include <vector>

#include <plumecast/architectures/network.hpp>
#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/projection.hpp>
#include <plumecast/layers/spectral_conv.hpp>

#include "architectures/unet.hpp"

namespace plumecast {

/// v -> f(Spectral(v) + Linear(v) [+ Conv(v)] [+ UNet(v)]), the branches accumulating in one buffer.
class FourierBlock {
   public:
    enum class Branch { none, conv, unet };
    FourierBlock(const Scope& scope, const NetworkConfig& config, Branch branch);
    /// At least the first `wanted` cells and times of the result, and not many more; all, where ranks share v.
    Variable operator()(const Variable& v, ExecutionMode mode, const Levels& levels, const Shape& wanted) const;

   private:
    Shape computed(const Shape& wanted, const Shape& present) const;

    SpectralConv spectral_;
    Linear linear_;
    std::optional<Conv> conv_;
    std::optional<UNet> unet_;
    Activation activation_;
};

/// fno, conv_fno and ufno: lift, Fourier blocks, Fourier blocks with a branch, projection.
/// Li et al. 2021; Wen et al., Advances in Water Resources 163 (2022) 104180.
class FourierNetwork final : public Network {
   public:
    FourierNetwork(Backend& backend, const NetworkConfig& config, std::uint64_t seed, const ProcessGrid* grid);

   protected:
    Variable body(Variable field, const Shape& extents, const Levels& levels, ExecutionMode mode) const override;

   private:
    std::vector<FourierBlock> blocks_;
    std::optional<Projection> projection_;
};

}  // namespace plumecast
