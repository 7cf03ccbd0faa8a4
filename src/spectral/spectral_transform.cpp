#include <algorithm>
#include <utility>

#include <plumecast/spectral/spectral_transform.hpp>

namespace plumecast {
namespace {

Tensor on_backend(Backend& backend, const std::vector<double>& matrix, const Shape& shape) {
    Tensor tensor(backend.memory(), shape, backend.compute_type());
    backend.upload(host_tensor<double>(shape, matrix), tensor);
    return tensor;
}

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

bool SpectralTransform::holds_nothing() const { return held_.count() == 0; }

std::int64_t SpectralTransform::cells_before(std::size_t axis) const {
    std::int64_t product = 1;
    for (std::size_t a = 0; a < axis; ++a) {
        product *= space_[a].held;
    }
    return product;
}

std::int64_t SpectralTransform::rows_before(std::size_t axis) const {
    std::int64_t product = 1;
    for (std::size_t a = 0; a < axis; ++a) {
        product *= 2 * (space_[a].modes.count + 1);
    }
    return product;
}

std::int64_t SpectralTransform::rows_after(std::size_t axis) const {
    return rows_before(space_.size()) / rows_before(axis + 1);
}

std::int64_t SpectralTransform::modes_after(std::size_t axis) const {
    std::int64_t product = 1;
    for (std::size_t a = axis + 1; a < space_.size(); ++a) {
        product *= 2 * space_[a].modes.count;
    }
    return product;
}

Tensor SpectralTransform::transform(const Tensor& matrix, ConstView x, std::int64_t outer, std::int64_t inner) const {
    const Shape in{outer, matrix.shape()[1], inner}, out{outer, matrix.shape()[0], inner};
    Tensor y(backend_->memory(), out, backend_->compute_type());
    backend_->transform_axis(matrix, x.reshaped(in), {y}, Activation::identity());
    return y;
}

Tensor SpectralTransform::analyse(ConstView field, Scaling scaling) const {
    const std::int64_t batch = field.shape[0], channels = field.shape[-1];
    if (holds_nothing() || batch == 0) {
        Tensor nothing(backend_->memory(), spectrum_shape(batch, channels), backend_->compute_type());
        backend_->fill(nothing, 0.0);
        return nothing;
    }
    const std::size_t last = space_.size() - 1;
    Tensor x = transform(space_[last].rows, field, batch * cells_before(last), held_[-1] * channels);
    const Tensor& rows = scaling == Scaling::plain ? time_rows_ : time_rows_inverse_;
    x = transform(rows, x, batch * cells_before(last) * space_[last].rows.shape()[0], channels);
    const std::int64_t stick = 2 * time_.count * channels;
    for (std::size_t axis = last; axis-- > 0;) {
        x = transform(space_[axis].rows, x, batch * cells_before(axis), rows_after(axis) * stick);
    }
    x = combined(std::move(x), batch, time_.count * channels);
    x.reshape(spectrum_shape(batch, channels));
    return x;
}

void SpectralTransform::synthesise(Tensor spectrum, Target field, Activation f, Scaling scaling) const {
    const std::int64_t batch = field.view.shape[0], channels = field.view.shape[-1];
    if (holds_nothing() || batch == 0) {
        return;
    }
    const std::size_t last = space_.size() - 1;
    Tensor x = separated(std::move(spectrum), batch, time_.count * channels);
    const std::int64_t stick = 2 * time_.count * channels;
    for (std::size_t axis = 0; axis < last; ++axis) {
        x = transform(space_[axis].columns, x, batch * cells_before(axis), rows_after(axis) * stick);
    }
    const Tensor& columns = scaling == Scaling::plain ? time_columns_ : time_columns_inverse_;
    const std::int64_t outer = batch * cells_before(last), inner = held_[-1] * channels;
    x = transform(columns, x, outer * space_[last].rows.shape()[0], channels);
    const SpaceAxis& axis = space_[last];
    backend_->transform_axis(axis.columns, x.view().reshaped({outer, axis.columns.shape()[1], inner}),
                             {field.view.reshaped({outer, axis.held, inner}), field.beta}, f);
}

Tensor SpectralTransform::analyse_others(ConstView field, Scaling scaling) const {
    const std::int64_t batch = field.shape[0], channels = field.shape[-1], cells = field.shape[-3];
    const std::size_t last = space_.size() - 1;
    const Shape shape{batch, rows_before(last), cells, 2, time_.count * channels};
    if (shape.count() == 0) {
        return {backend_->memory(), shape, backend_->compute_type()};
    }
    const std::int64_t stick = cells * 2 * time_.count * channels;
    Tensor x = transform(scaling == Scaling::plain ? time_rows_ : time_rows_inverse_, field,
                         batch * cells_before(last) * cells, channels);
    for (std::size_t axis = last; axis-- > 0;) {
        const std::int64_t after = rows_before(last) / rows_before(axis + 1);
        x = transform(space_[axis].rows, x, batch * cells_before(axis), after * stick);
    }
    x.reshape(shape);
    return x;
}

Tensor SpectralTransform::analyse_last(ConstView lines) const {
    const std::int64_t batch = lines.shape[0], columns = lines.shape[-1];
    const Shape shape{batch, spectrum_shape(batch, 1)[1], 2, columns};
    if (shape.count() == 0) {
        return {backend_->memory(), shape, backend_->compute_type()};
    }
    Tensor x = transform(space_.back().rows, lines, batch * rows_before(space_.size() - 1), 2 * columns);
    x = combined(std::move(x), batch, columns);
    x.reshape(shape);
    return x;
}

Tensor SpectralTransform::synthesise_last(Tensor spectrum) const {
    const std::int64_t batch = spectrum.shape()[0], columns = spectrum.shape()[-1];
    const std::int64_t rows = rows_before(space_.size() - 1);
    const Shape shape{batch, rows, space_.back().held, 2, columns};
    if (shape.count() == 0) {
        return {backend_->memory(), shape, backend_->compute_type()};
    }
    Tensor x = separated(std::move(spectrum), batch, columns);
    x = transform(space_.back().columns, x, batch * rows, 2 * columns);
    x.reshape(shape);
    return x;
}

void SpectralTransform::synthesise_others(ConstView rows, Target field, Activation f, Scaling scaling) const {
    const std::int64_t batch = field.view.shape[0], channels = field.view.shape[-1], cells = field.view.shape[-3];
    if (field.view.shape.count() == 0) {
        return;
    }
    const std::size_t last = space_.size() - 1;
    const std::int64_t stick = cells * 2 * time_.count * channels;
    Tensor x;
    for (std::size_t axis = 0; axis < last; ++axis) {
        const std::int64_t after = rows_before(last) / rows_before(axis + 1);
        x = transform(space_[axis].columns, axis == 0 ? rows : std::as_const(x).view(), batch * cells_before(axis),
                      after * stick);
    }
    const ConstView spectrum = last == 0 ? rows : std::as_const(x).view();
    const Tensor& columns = scaling == Scaling::plain ? time_columns_ : time_columns_inverse_;
    const std::int64_t outer = batch * cells_before(last) * cells;
    backend_->transform_axis(columns, spectrum.reshaped({outer, 2 * time_.count, channels}),
                             {field.view.reshaped({outer, held_[-1], channels}), field.beta}, f);
}

Tensor SpectralTransform::combined(Tensor separate, std::int64_t batch, std::int64_t inner) const {
    for (std::size_t axis = space_.size(); axis-- > 0;) {
        const SpaceModes& modes = space_[axis].modes;
        const std::int64_t outer = batch * rows_before(axis), mid = modes_after(axis), n = modes.count;
        Tensor y(backend_->memory(), {outer, 2 * n, mid, 2, inner}, backend_->compute_type());
        backend_->combine_signs(separate.view().reshaped({outer, 2, n + 1, mid, 2, inner}), y, modes.repeated_from(),
                                false);
        separate = std::move(y);
    }
    return separate;
}

Tensor SpectralTransform::separated(Tensor spectrum, std::int64_t batch, std::int64_t inner) const {
    for (std::size_t axis = 0; axis < space_.size(); ++axis) {
        const SpaceModes& modes = space_[axis].modes;
        const std::int64_t outer = batch * rows_before(axis), mid = modes_after(axis), n = modes.count;
        Tensor x(backend_->memory(), {outer, 2, n + 1, mid, 2, inner}, backend_->compute_type());
        backend_->combine_signs(x, spectrum.view().reshaped({outer, 2 * n, mid, 2, inner}), modes.repeated_from(),
                                true);
        spectrum = std::move(x);
    }
    return spectrum;
}

}  // namespace plumecast
