#include "architectures/unet.hpp"

#include <algorithm>

#include <plumecast/layers/lift.hpp>

namespace plumecast {
namespace {

const Activation leaky = Activation::leaky_relu(0.1);

NormalisedConv contracting(const Scope& scope, std::int64_t stride, std::int64_t width, const ConvAxes& axes) {
    return {scope, kernel3(stride, axes), width, width, false, leaky};
}

/// Coarse cells below the first fine ones, of fields [B, fine..., C] and [B, coarse..., C].
Shape below(Shape cells, const Shape& fine, const Shape& coarse) {
    for (int axis = 0; axis < cells.rank(); ++axis) {
        const std::int64_t all = coarse[axis + 1];
        const bool is_halved = cells[axis] < fine[axis + 1] && all < fine[axis + 1];
        cells = cells.with(axis, is_halved ? cells[axis] / 2 : std::min(cells[axis], all));
    }
    return cells;
}

/// The first cells of a field; as it is, with what travels, where these are all.
HaloField cropped(const HaloField& field, const Shape& cells) {
    const Variable first = crop(field.own(), cells);
    return first.shape() == field.own().shape() ? field : HaloField(first);
}

}  // namespace

NormalisedConv::NormalisedConv(const Scope& scope, const ConvGeometry& geometry, std::int64_t inputs,
                               std::int64_t outputs, bool with_bias, Activation activation)
    : conv_(scope, geometry, inputs, outputs, with_bias),
      norm_(scope.child("norm"), outputs),
      activation_(activation) {}

/// Cells of a result in one case, those of all ranks together: what is computed must not depend on how many there are.
std::int64_t NormalisedConv::cells_of_results(const Variable& x, const LevelChange& change) const {
    Shape whole = x.shape().with(0, 1);
    for (int axis = 0; change.is_shared() && axis < change.levels->at(change.from).axes(); ++axis) {
        whole = whole.with(axis + 1, change.levels->at(change.from).extents()[axis]);
    }
    return conv_.geometry.output_shape(whole, 1).count();
}

Variable NormalisedConv::operator()(const HaloField& x, ExecutionMode mode, LevelChange change) const {
    if (mode == ExecutionMode::evaluation && norm_.folds_into(conv_, cells_of_results(x.own(), change))) {
        return norm_.folded_into(conv_)({x}, {{}, activation_}, change);
    }
    return norm_(conv_({x}, {}, change), activation_, mode);
}

UNet::UNet(const Scope& scope, std::int64_t width, const ConvAxes& axes)
    : conv1_(contracting(scope.child("conv1"), 2, width, axes)),
      conv2_(contracting(scope.child("conv2"), 2, width, axes)),
      conv2_1_(contracting(scope.child("conv2_1"), 1, width, axes)),
      conv3_(contracting(scope.child("conv3"), 2, width, axes)),
      conv3_1_(contracting(scope.child("conv3_1"), 1, width, axes)),
      deconv2_(scope.child("deconv2"), doubling4(axes), width, width, true),
      deconv1_(scope.child("deconv1"), doubling4(axes), 2 * width, width, true),
      deconv0_(scope.child("deconv0"), doubling4(axes), 2 * width, width, true),
      output_(scope.child("output"), kernel3(1, axes), 2 * width, width, true) {}

HaloField UNet::sent(const Variable& v, const Levels& levels) const {
    return {v, {conv1_.halo({&levels, 0, 1}), output_.halo({&levels, 0, 0})}};
}

/// What skips levels is sent once, for both of the convolutions that read it.
Variable UNet::operator()(const HaloField& v, ExecutionMode mode, const Levels& levels, const Linear& beside,
                          const Shape& cells, const std::function<void()>& before_last) const {
    const HaloField half(conv1_(v, mode, {&levels, 0, 1}),
                         {conv2_.halo({&levels, 1, 2}), deconv0_.halo({&levels, 1, 0})});
    const HaloField quarter(conv2_1_(conv2_(half, mode, {&levels, 1, 2}), mode, {&levels, 2, 2}),
                            {conv3_.halo({&levels, 2, 3}), deconv1_.halo({&levels, 2, 1})});
    const Variable eighth = conv3_1_(conv3_(quarter, mode, {&levels, 2, 3}), mode, {&levels, 3, 3});
    Variable up = deconv2_({eighth}, {{}, leaky}, {&levels, 3, 2});
    up = deconv1_({quarter, up}, {{}, leaky}, {&levels, 2, 1});
    const Shape coarse = below(cells, v.own().shape(), half.own().shape());
    up = deconv0_({cropped(half, coarse), crop(up, coarse)}, {{}, leaky}, {&levels, 1, 0});
    before_last();
    return with_linear(output_, beside)({cropped(v, cells), up}, {}, {&levels, 0, 0});
}

}  // namespace plumecast
