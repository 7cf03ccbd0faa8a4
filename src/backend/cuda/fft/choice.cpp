#include "backend/cuda/fft/choice.hpp"

#include <utility>

#include <plumecast/core/dtype.hpp>

namespace plumecast::cuda {
namespace {

/// The product of a matrix of so many rows along one axis.
Tensor along(Backend& backend, const Tensor& x, int axis, std::int64_t rows, DType type) {
    const Shape& shape = x.shape();
    const std::int64_t outer = shape.count(0, axis), inner = shape.count(axis + 1, shape.rank());
    Tensor matrix(backend.memory(), {rows, shape[axis]}, DType::float32);
    backend.fill(matrix, 0.0);
    Tensor y(backend.memory(), shape.with(axis, rows), type);
    backend.transform_axis(matrix, x.view().reshaped({outer, shape[axis], inner}),
                           {y.view().reshaped({outer, rows, inner})}, {});
    return y;
}

/// Sums along an axis of space to signed modes, or back.
Tensor signs(Backend& backend, const Tensor& x, int axis, std::int64_t cells, bool back) {
    const Shape& shape = x.shape();
    const int time = shape.rank() - 2;
    const std::int64_t modes = shape[axis] / 2 - (back ? 0 : 1);
    const std::int64_t outer = shape.count(0, axis), mid = shape.count(axis + 1, time);
    const std::int64_t inner = shape[time] / 2 * shape[-1];
    Tensor y(backend.memory(), shape.with(axis, 2 * modes + (back ? 2 : 0)), DType::float32);
    const Tensor& sums = back ? y : x;
    const Tensor& signed_modes = back ? x : y;
    const auto changing = [](const Tensor& one) {
        const ConstView view = one.view();
        return View{view.shape, view.type, const_cast<void*>(view.data)};
    };
    backend.combine_signs(changing(sums).reshaped({outer, 2, modes + 1, mid, 2, inner}),
                          changing(signed_modes).reshaped({outer, 2 * modes, mid, 2, inner}), cells - modes, back);
    return y;
}

}  // namespace

bool fft_pays(const FourierGeometry& geometry, Precision precision) {
    const int last = geometry.modes.rank() - 2;
    const int least = precision == Precision::fp32 ? fft_pays_from_modes : fft_pays_from_modes_on_matrix_units;
    return last >= 0 && geometry.modes[last] >= least;
}

std::string fourier_kind(const FourierGeometry& geometry, const Shape& field, DType type) {
    return "spectral transforms of " + field.text() + " " + std::string(name_of(type)) + ", modes " +
           geometry.modes.text();
}

void transform_by_fft(Backend& backend, const FourierGeometry& geometry, const Shape& field, DType type) {
    Tensor x(backend.memory(), field, type);
    backend.fill(x, 0.0);
    Shape kept{field[0]};
    for (int axis = 0; axis < geometry.modes.rank(); ++axis) {
        kept = kept.append(2 * geometry.modes[axis]);
    }
    Tensor spectrum(backend.memory(), kept.append(field[-1]), DType::float32);
    backend.forward_fft(geometry, x, spectrum);
    backend.inverse_fft(geometry, spectrum, {x}, {});
}

/// In the order of truncated_fourier() (src/graph/fourier.hpp).
void transform_by_products(Backend& backend, const FourierGeometry& geometry, const Shape& field, DType type) {
    const Shape &cells = geometry.extents, &modes = geometry.modes;
    const int last = modes.rank() - 2, time = modes.rank();
    Tensor x(backend.memory(), field, type);
    backend.fill(x, 0.0);
    if (last >= 0) {
        x = along(backend, x, last + 1, 2 * (modes[last] + 1), DType::float32);
    }
    x = along(backend, x, time, 2 * modes[-1], DType::float32);
    for (int axis = last; axis-- > 0;) {
        x = along(backend, x, axis + 1, 2 * (modes[axis] + 1), DType::float32);
    }
    for (int axis = last; axis >= 0; --axis) {
        x = signs(backend, x, axis + 1, cells[axis], false);
    }
    for (int axis = 0; axis <= last; ++axis) {
        x = signs(backend, x, axis + 1, cells[axis], true);
    }
    for (int axis = 0; axis < last; ++axis) {
        x = along(backend, x, axis + 1, cells[axis], DType::float32);
    }
    x = along(backend, x, time, cells[-1], last >= 0 ? DType::float32 : type);
    if (last >= 0) {
        x = along(backend, x, last + 1, cells[last], type);
    }
}

}  // namespace plumecast::cuda
