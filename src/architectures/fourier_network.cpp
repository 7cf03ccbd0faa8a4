#include "architectures/fourier_network.hpp"

#include <utility>

namespace plumecast {
namespace {

FourierBlock::Branch branch_of(const NetworkConfig& config, std::int64_t block) {
    if (block < config.fourier_blocks) {
        return FourierBlock::Branch::none;
    }
    return config.architecture == "ufno" ? FourierBlock::Branch::unet : FourierBlock::Branch::conv;
}

}  // namespace

FourierBlock::FourierBlock(const Scope& scope, const NetworkConfig& config, Branch branch)
    : spectral_(scope.child("spectral"), config.modes, config.width, config.width),
      linear_(scope.child("linear"), config.width, config.width),
      activation_(config.activation) {
    if (branch == Branch::conv) {
        conv_.emplace(scope.child("conv"), kernel3(1, conv_axes(config)), config.width, config.width, true);
    } else if (branch == Branch::unet) {
        unet_.emplace(scope.child("unet"), config.width, conv_axes(config));
    }
}

/// Each branch computes while the messages of another travel: the neighbours' cells during the Fourier analysis, the
/// spectrum during the convolutions, the mixed modes during the matrix product.
Variable FourierBlock::operator()(const Variable& v, Mode mode, const Levels& levels) const {
    HaloField around = unet_   ? unet_->sent(v, levels)
                       : conv_ ? HaloField(v, {conv_->halo({&levels, 0, 0})})
                               : HaloField(v);
    SpectralBranch spectrum = spectral_.start(v, levels, around.departed());
    Variable sum;
    if (unet_) {
        sum = (*unet_)(around, mode, levels);
    } else if (conv_) {
        sum = (*conv_)({around}, {}, {&levels, 0, 0});
    }
    around = HaloField(v);  // the sent cells are no longer needed
    spectrum.mix();
    sum = linear_(v, {std::move(sum)});
    return spectrum.finish({std::move(sum), activation_});
}

FourierNetwork::FourierNetwork(Backend& backend, const NetworkConfig& config, std::uint64_t seed,
                               const ProcessGrid* grid)
    : Network(backend, config, seed, grid) {
    const Scope scope(parameters());
    for (std::int64_t k = 0; k < config.fourier_blocks + config.extended_blocks; ++k) {
        blocks_.emplace_back(scope.child("blocks." + std::to_string(k)), config, branch_of(config, k));
    }
    projection_.emplace(scope.child("projection"), config.width, config.hidden, config.fields);
    projection_->activation = config.activation;
}

Variable FourierNetwork::body(Variable field, const Shape& extents, const Levels& levels, Mode mode) const {
    for (const FourierBlock& block : blocks_) {
        field = block(field, mode, levels);
    }
    field = crop(field, extents);
    return (*projection_)(field);
}

}  // namespace plumecast
