#pragma once

#include <optional>
#include <vector>

#include <plumecast/architectures/network.hpp>

#include "architectures/unet.hpp"

namespace plumecast {

/// Residual encoder-decoder after CCSNet (Wen, Hay and Benson, Advances in Water Resources 155 (2021) 104009), the
/// benchmark of the U-FNO paper: stages of 1, 2, 4, 4, 8, 8 times the width, every other one of stride 2, residual
/// blocks of the last width, a mirrored decoder, 3x3x3 kernels, batch norm and ReLU. Unlike there the channels come
/// through a lift, as in the other networks, instead of being packed into the time axis.
class Cnn final : public Network {
   public:
    Cnn(Backend& backend, const NetworkConfig& config, std::uint64_t seed, const ProcessGrid* grid);

   protected:
    Variable body(Variable field, const Shape& extents, const Levels& levels, ExecutionMode mode) const override;

   private:
    struct Residual {
        NormalisedConv first, second;
    };
    std::vector<NormalisedConv> encoder_, decoder_;
    std::vector<Residual> residuals_;
    std::optional<Conv> output_;
};

}  // namespace plumecast
