#include "architectures/fourier_network.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/layers/lift.hpp>

namespace plumecast {
namespace {

FourierBlock::Branch branch_of(const NetworkConfig& config, std::int64_t block) {
    if (block < config.fourier_blocks) {
        return FourierBlock::Branch::none;
    }
    return config.architecture == "ufno" ? FourierBlock::Branch::unet : FourierBlock::Branch::conv;
}

/// Extents of a field [B, space..., T, C] but for cases and channels.
Shape space_and_time(const Variable& field) { return field.shape().slice(1, field.shape().rank() - 1); }

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

/// The cells whose computation gives the wanted ones: a convolution needs one neighbour more; a U-Net, which doubles
/// coarse cells of which each reaches two fine ones to either side, the next pair.
Shape FourierBlock::computed(const Shape& wanted, const Shape& present) const {
    Shape cells = wanted;
    for (int axis = 0; axis < cells.rank(); ++axis) {
        const std::int64_t reach = unet_ ? 2 + wanted[axis] % 2 : conv_ ? 1 : 0;
        cells = cells.with(axis, std::min(wanted[axis] + reach, present[axis]));
    }
    return cells;
}

/// Each branch computes while the messages of another travel: the neighbours' cells during the forward Fourier
/// transform, the spectrum during the convolutions, the multiplied modes during the last of them or the matrix product.
Variable FourierBlock::operator()(const Variable& v, ExecutionMode mode, const Levels& levels,
                                  const Shape& wanted) const {
    const Shape cells = computed(wanted, space_and_time(v));
    HaloField around(v);
    if (unet_) {
        around = unet_->sent(v, levels);
    } else if (conv_) {
        around = HaloField(crop(v, cells), {conv_->halo({&levels, 0, 0})});
    }
    SpectralBranch spectrum = spectral_.start(v, levels, cells, around.started());
    Variable sum;
    if (unet_) {
        sum = (*unet_)(around, mode, levels, linear_, cells, [&] { spectrum.multiply(); });
    } else if (conv_) {
        sum = with_linear(*conv_, linear_)({around}, {}, {&levels, 0, 0});
        spectrum.multiply();
    } else {
        spectrum.multiply();
        sum = linear_(crop(v, cells));
    }
    around = HaloField(v);  // the sent cells are no longer needed
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

Variable FourierNetwork::body(Variable field, const Shape& extents, const Levels& levels, ExecutionMode mode) const {
    const Shape padded = space_and_time(field);
    for (const FourierBlock& block : blocks_) {
        const bool is_last = &block == &blocks_.back();
        field = block(field, mode, levels, is_last && !levels.is_shared() ? extents : padded);
    }
    if (levels.is_shared()) {
        field = crop(field, extents);
    }
    return crop((*projection_)(field), extents);
}

}  // namespace plumecast
