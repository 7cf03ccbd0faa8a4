#include <algorithm>
#include <span>
#include <utility>

#include <plumecast/spectral/spectral_transform.hpp>

namespace plumecast {
namespace {

Tensor on_backend(Backend& backend, const std::vector<double>& matrix, const Shape& shape) {
    Tensor tensor(backend.memory(), shape, backend.compute_type());
    backend.upload(host_tensor<double>(shape, matrix), tensor);
    return tensor;
}

bool among(const std::vector<int>& axes, std::int64_t axis) { return std::ranges::find(axes, axis) != axes.end(); }

/// A box of space at all times.
Box with_all_times(const Box& space, std::int64_t times) { return {space.low().append(0), space.high().append(times)}; }

}  // namespace

SpectralTransform::SpectralTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes)
    : SpectralTransform(backend, extents, modes, Box(extents.slice(0, extents.rank() - 1))) {}

SpectralTransform::SpectralTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                                     const Box& held)
    : backend_(&backend) {
    expects(extents.rank() >= 2 && modes.size() == static_cast<std::size_t>(extents.rank()),
            "one mode count per space axis and one for time");
    const Box box = held.rank() == extents.rank() ? held : with_all_times(held, extents[-1]);
    expects(Box(extents).contains(box), "a box of the space axes");
    held_ = box.extents();
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        const SpaceModes kept{extents[axis], modes[static_cast<std::size_t>(axis)]};
        kept.check();
        const std::int64_t rows = 2 * (kept.count + 1);
        const std::int64_t cells = held_[axis];
        const std::vector<double> matrix = kept.rows(box.low()[axis], box.low()[axis] + cells);
        space_.push_back({kept, cells, on_backend(backend, matrix, {rows, cells}),
                          on_backend(backend, transposed(matrix, rows), {cells, rows})});
    }
    time_ = {extents[-1], modes.back()};
    time_.check();
    const double scale = 1.0 / static_cast<double>(extents.count());
    const std::int64_t first = box.low()[-1], steps = held_[-1];
    const std::vector<double> plain = time_.rows(first, first + steps);
    const std::vector<double> inverse = time_.weighted_rows(first, first + steps, scale);
    plain_ = {extents, Shape(std::span<const std::int64_t>(modes)), box.low(), held_};
    inverse_ = plain_;
    inverse_.scale = scale;
    const std::int64_t rows = 2 * time_.count;
    time_rows_ = on_backend(backend, plain, {rows, steps});
    time_rows_inverse_ = on_backend(backend, inverse, {rows, steps});
    time_columns_ = on_backend(backend, transposed(plain, rows), {steps, rows});
    time_columns_inverse_ = on_backend(backend, transposed(inverse, rows), {steps, rows});
}

Shape SpectralTransform::spectrum_shape(std::int64_t batch, std::int64_t channels) const {
    std::int64_t modes = 1;
    for (const SpaceAxis& axis : space_) {
        modes *= 2 * axis.modes.count;
    }
    return {batch, modes, 2, time_.count, channels};
}

bool SpectralTransform::holds_nothing(const std::vector<int>& left) const {
    for (std::size_t axis = 0; axis < space_.size(); ++axis) {
        if (space_[axis].held == 0 && !among(left, static_cast<std::int64_t>(axis))) {
            return true;
        }
    }
    return false;
}

Tensor SpectralTransform::transform(const Tensor& matrix, ConstView x, std::int64_t outer, std::int64_t inner) const {
    const Shape in{outer, matrix.shape()[1], inner}, out{outer, matrix.shape()[0], inner};
    Tensor y(backend_->memory(), out, backend_->compute_type());
    backend_->transform_axis(matrix, x.reshaped(in), {y}, Activation::identity());
    return y;
}

Tensor SpectralTransform::forward(ConstView field, Scaling scaling) const {
    Tensor spectrum = forward(field, scaling, {});
    spectrum.reshape(spectrum_shape(field.shape[0], field.shape[-1]));
    return spectrum;
}

Tensor SpectralTransform::forward(ConstView field, Scaling scaling, const std::vector<int>& left) const {
    const auto by_axes = [&] { return forward_by_axes(field, scaling, left); };
    if (!left.empty()) {
        return by_axes();
    }
    Tensor spectrum = backend_->fourier(scaling == Scaling::plain ? plain_ : inverse_, field, by_axes);
    spectrum.reshape(partly_transformed(field.shape, left));
    return spectrum;
}

Shape SpectralTransform::partly_transformed(const Shape& field, const std::vector<int>& left) const {
    const int axes = static_cast<int>(space_.size());
    Shape kept = field.slice(0, axes + 1);
    for (int axis = 0; axis < axes; ++axis) {
        kept = among(left, axis) ? kept : kept.with(axis + 1, 2 * space_[static_cast<std::size_t>(axis)].modes.count);
    }
    return kept.append(2).append(time_.count * field[-1]);
}

Tensor SpectralTransform::forward_by_axes(ConstView field, Scaling scaling, const std::vector<int>& left) const {
    const std::int64_t channels = field.shape[-1], inner = time_.count * channels;
    const int axes = static_cast<int>(space_.size()), last = axes - 1;
    Shape at = field.shape.slice(0, axes + 1);  // batch, then cells, rows or modes of each space axis
    const Shape kept = partly_transformed(field.shape, left);
    if (kept.count() == 0 || holds_nothing(left)) {
        Tensor nothing(backend_->memory(), kept, backend_->compute_type());
        backend_->fill(nothing, 0.0);
        return nothing;
    }
    Tensor x;
    ConstView now = field;
    const auto apply = [&](const Tensor& matrix, std::int64_t outer, std::int64_t behind) {
        x = transform(matrix, now, outer, behind);
        now = std::as_const(x).view();
    };
    const auto along = [&](int axis, std::int64_t behind) {
        const Tensor& rows = space_[static_cast<std::size_t>(axis)].rows;
        apply(rows, at.count(0, axis + 1), at.count(axis + 2, axes + 1) * behind);
        at = at.with(axis + 1, rows.shape()[0]);
    };
    if (!among(left, last)) {
        along(last, held_[-1] * channels);
    }
    apply(scaling == Scaling::plain ? time_rows_ : time_rows_inverse_, at.count(), channels);
    for (int axis = last; axis-- > 0;) {
        if (!among(left, axis)) {
            along(axis, 2 * inner);
        }
    }
    for (int axis = axes; axis-- > 0;) {
        if (!among(left, axis)) {
            x = combined(static_cast<std::size_t>(axis), std::move(x), at.count(0, axis + 1),
                         at.count(axis + 2, axes + 1), inner);
            at = at.with(axis + 1, kept[axis + 1]);
        }
    }
    x.reshape(kept);
    return x;
}

void SpectralTransform::inverse(Tensor spectrum, OutputRef field, Activation f, Scaling scaling) const {
    inverse(std::move(spectrum), field, f, scaling, {});
}

void SpectralTransform::inverse(Tensor spectrum, OutputRef field, Activation f, Scaling scaling,
                                const std::vector<int>& left) const {
    const auto by_axes = [&](Tensor from, OutputRef to) { inverse_by_axes(std::move(from), to, f, scaling, left); };
    if (!left.empty()) {
        by_axes(std::move(spectrum), field);
        return;
    }
    backend_->fourier_transpose(scaling == Scaling::plain ? plain_ : inverse_, std::move(spectrum), field, f, by_axes);
}

void SpectralTransform::inverse_by_axes(Tensor spectrum, OutputRef field, Activation f, Scaling scaling,
                                        const std::vector<int>& left) const {
    const std::int64_t channels = field.view.shape[-1], inner = time_.count * channels;
    const int axes = static_cast<int>(space_.size()), last = axes - 1;
    if (field.view.shape.count() == 0) {
        return;
    }
    Shape at = field.view.shape.slice(0, axes + 1);
    for (int axis = 0; axis < axes; ++axis) {
        at = among(left, axis) ? at : at.with(axis + 1, 2 * space_[static_cast<std::size_t>(axis)].modes.count);
    }
    for (int axis = 0; axis < axes; ++axis) {
        if (!among(left, axis)) {
            const auto a = static_cast<std::size_t>(axis);
            spectrum = separated(a, std::move(spectrum), at.count(0, axis + 1), at.count(axis + 2, axes + 1), inner);
            at = at.with(axis + 1, space_[a].rows.shape()[0]);
        }
    }
    for (int axis = 0; axis < last; ++axis) {
        if (!among(left, axis)) {
            const SpaceAxis& here = space_[static_cast<std::size_t>(axis)];
            spectrum =
                transform(here.columns, spectrum, at.count(0, axis + 1), at.count(axis + 2, axes + 1) * 2 * inner);
            at = at.with(axis + 1, here.held);
        }
    }
    const Tensor& columns = scaling == Scaling::plain ? time_columns_ : time_columns_inverse_;
    const std::int64_t outer = at.count();
    if (among(left, last)) {
        backend_->transform_axis(columns, spectrum.view().reshaped({outer, 2 * time_.count, channels}),
                                 {field.view.reshaped({outer, held_[-1], channels}), field.beta}, f);
        return;
    }
    spectrum = transform(columns, spectrum, outer, channels);
    const SpaceAxis& axis = space_.back();
    const std::int64_t before = at.count(0, last + 1), behind = held_[-1] * channels;
    backend_->transform_axis(axis.columns, spectrum.view().reshaped({before, axis.columns.shape()[1], behind}),
                             {field.view.reshaped({before, axis.held, behind}), field.beta}, f);
}

Tensor SpectralTransform::forward_lines(int axis, ConstView lines) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t outer = lines.shape[0], mid = lines.shape[2], inner = lines.shape[-1];
    expects(lines.shape[1] == space_[a].held, "the cells of the axis");
    const Shape shape{outer, 2 * space_[a].modes.count, mid, 2, inner};
    if (shape.count() == 0) {
        return {backend_->memory(), shape, backend_->compute_type()};
    }
    return combined(a, transform(space_[a].rows, lines, outer, mid * 2 * inner), outer, mid, inner);
}

Tensor SpectralTransform::inverse_lines(int axis, Tensor spectrum) const {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t outer = spectrum.shape()[0], mid = spectrum.shape()[2], inner = spectrum.shape()[-1];
    const Shape shape{outer, space_[a].held, mid, 2, inner};
    if (shape.count() == 0) {
        return {backend_->memory(), shape, backend_->compute_type()};
    }
    Tensor x =
        transform(space_[a].columns, separated(a, std::move(spectrum), outer, mid, inner), outer, mid * 2 * inner);
    x.reshape(shape);
    return x;
}

/// Cosine and sine sums along one axis to signed modes, [outer, 2 m, mid, 2, inner].
Tensor SpectralTransform::combined(std::size_t axis, Tensor separate, std::int64_t outer, std::int64_t mid,
                                   std::int64_t inner) const {
    const SpaceModes& modes = space_[axis].modes;
    Tensor y(backend_->memory(), {outer, 2 * modes.count, mid, 2, inner}, backend_->compute_type());
    backend_->combine_signs(separate.view().reshaped({outer, 2, modes.count + 1, mid, 2, inner}), y,
                            modes.repeated_from(), false);
    return y;
}

Tensor SpectralTransform::separated(std::size_t axis, Tensor spectrum, std::int64_t outer, std::int64_t mid,
                                    std::int64_t inner) const {
    const SpaceModes& modes = space_[axis].modes;
    Tensor x(backend_->memory(), {outer, 2, modes.count + 1, mid, 2, inner}, backend_->compute_type());
    backend_->combine_signs(x, spectrum.view().reshaped({outer, 2 * modes.count, mid, 2, inner}), modes.repeated_from(),
                            true);
    return x;
}

}  // namespace plumecast
