#include <utility>

#include <plumecast/layers/spectral_conv.hpp>

namespace plumecast {
namespace {

using Scaling = SpectralTransform::Scaling;

/// The weight as complex_product takes it: [K, mt, 2, I, O].
Shape by_mode(const Shape& weight) {
    const int space = weight.rank() - 4;
    return {weight.count(0, space), weight[-4], 2, weight[-2], weight[-1]};
}

/// Columns of a spectrum [B, K, 2, mt, C] as one axis, and back.
Shape with_columns(const Shape& spectrum) { return {spectrum[0], spectrum[1], 2, spectrum[3] * spectrum[4]}; }

/// A transform of this rank's box of the field, and the spectra of all ranks where there are several.
struct SharedTransform {
    std::shared_ptr<const SpectralTransform> box;
    SpectrumRoute route;

    Tensor analyse(Backend& backend, ConstView field, Scaling scaling) const {
        if (route.lines) {
            return analyse_lines(backend, field, scaling);
        }
        Tensor share = box->analyse(field, scaling);
        return route.modes ? route.modes->summed(backend, share) : std::move(share);
    }
    void synthesise(Backend& backend, Tensor own, Target field, Activation f, Scaling scaling) const {
        if (route.lines) {
            const std::int64_t columns = own.shape()[3] * own.shape()[4];
            Tensor lines = box->synthesise_last(
                route.lines->modes(backend, std::as_const(own).view().reshaped(with_columns(own.shape()))));
            own = route.lines->held(backend, lines, columns);
            box->synthesise_others(own, field, f, scaling);
            return;
        }
        box->synthesise(route.modes ? route.modes->gathered(backend, own) : std::move(own), field, f, scaling);
    }

   private:
    Tensor analyse_lines(Backend& backend, ConstView field, Scaling scaling) const {
        const Shape spectrum = box->spectrum_shape(field.shape[0], field.shape[-1]);
        const Tensor lines = route.lines->lines(backend, box->analyse_others(field, scaling));
        Tensor own = route.lines->owned(backend, box->analyse_last(lines), with_columns(spectrum)[3]);
        own.reshape(spectrum.with(1, own.shape()[1]));
        return own;
    }
};

/// The shape of x on the cells of a transform.
Shape on_cells(const Shape& x, const Shape& cells) {
    Shape shape = x;
    for (int axis = 0; axis < cells.rank(); ++axis) {
        shape = shape.with(axis + 1, cells[axis]);
    }
    return shape;
}

}  // namespace

Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SpectralTransform> transform,
                       Epilogue epilogue, SpectrumRoute route) {
    const SpectrumPath path{std::move(transform), std::move(route)};
    return spectral_conv(x, weight, path, path, std::move(epilogue));
}

Variable spectral_conv(const Variable& x, const Variable& weight, const SpectrumPath& from, const SpectrumPath& to,
                       Epilogue epilogue) {
    Backend& backend = x.backend();
    const SharedTransform shared{from.transform, from.route}, kept{to.transform, to.route};
    const bool is_whole = from.transform == to.transform;
    const Shape shape = is_whole ? x.shape() : on_cells(x.shape(), to.transform->held());
    const std::int64_t outputs = weight.shape()[-1];
    const Shape matrices = by_mode(weight.shape());
    const bool owns_modes = matrices[0] > 0 && x.shape()[0] > 0;  // a rank may have no modes, or no case
    FusedResult result(backend, shape.with(-1, outputs), {x, weight}, std::move(epilogue));
    auto spectrum = std::make_shared<Tensor>(shared.analyse(backend, x.value(), Scaling::plain));
    Tensor mixed(backend.memory(), spectrum->shape().with(-1, outputs), backend.compute_type());
    if (owns_modes) {
        backend.complex_product(*spectrum, weight.value().reshaped(matrices), mixed);
    }
    kept.synthesise(backend, std::move(mixed), result.target(), result.activation(), Scaling::inverse);
    return result.finish([&backend, shared, kept, x, weight, spectrum, matrices, owns_modes](Tensor& g) {
        const Tensor upstream = kept.analyse(backend, g.view(), Scaling::inverse);
        if (weight.wants_gradient()) {
            const Target target = weight.gradient_target();
            if (owns_modes) {
                backend.complex_product_weight_gradient(*spectrum, upstream,
                                                        {target.view.reshaped(matrices), target.beta});
            } else if (target.beta == 0.0) {
                backend.fill(target.view, 0.0);
            }
        }
        if (x.wants_gradient()) {
            Tensor gradient(backend.memory(), spectrum->shape(), backend.compute_type());
            if (owns_modes) {
                backend.complex_product_data_gradient(upstream, weight.value().reshaped(matrices), gradient);
            }
            shared.synthesise(backend, std::move(gradient), x.gradient_target(), Activation::identity(),
                              Scaling::plain);
        }
    });
}

SpectralConv::SpectralConv(const Scope& scope, const std::vector<std::int64_t>& modes, std::int64_t inputs,
                           std::int64_t outputs)
    : modes_(modes) {
    Shape shape;
    for (std::size_t axis = 0; axis + 1 < modes.size(); ++axis) {
        shape = shape.append(2 * modes[axis]);
    }
    shape = shape.append(modes.back()).append(2).append(inputs).append(outputs);
    Parameters& parameters = scope.parameters();
    const std::string name = scope.path("weight");
    weight_ = parameters.complex_uniform(name, shape, 1.0 / static_cast<double>(inputs * outputs),
                                         static_cast<int>(modes.size()) - 1);
    grid_ = parameters.grid();
    owners_ = parameters.at(name).owners;
    if (owners_.empty()) {
        owners_ = {0, shape.count(0, static_cast<int>(modes.size()) - 1)};
    }
}

/// Whether spectra on a grid travel by transposes.
bool SpectralConv::transposes(const Shape& extents) const {
    if (grid_ == nullptr || grid_->route() == Route::reduce || grid_->shape().y > 1) {
        return false;
    }
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 2 < modes_.size(); ++axis) {
        rows *= 2 * (modes_[axis] + 1);
    }
    return grid_->route() == Route::transpose ||
           LineExchange::is_cheaper(rows, extents[-2], owners_.back(), grid_->space().size());
}

SpectrumPath SpectralConv::made_for(Backend& backend, const Shape& extents, const Levels& levels,
                                    const Shape& held) const {
    SpectrumPath result;
    if (transposes(extents)) {
        const Cuts cells = levels.is_shared() ? levels.at(0).cuts().back() : Cuts{0, held[-2]};
        const Box box(levels.is_shared() ? extents : held);
        result.transform = std::make_shared<const SpectralTransform>(backend, extents, modes_, box);
        result.route.lines = std::make_shared<const LineExchange>(grid_->space(), cells, owners_);
    } else if (levels.is_shared()) {
        result.transform = std::make_shared<const SpectralTransform>(backend, extents, modes_, levels.at(0).held());
        result.route.modes = std::make_shared<const ModeExchange>(*grid_, owners_.back());
    } else {
        result.transform = std::make_shared<const SpectralTransform>(backend, extents, modes_, Box(held));
    }
    return result;
}

const SpectrumPath& SpectralConv::path(Backend& backend, const Shape& extents, const Levels& levels,
                                       const Shape& held) const {
    SpectrumPath& known = grids_[extents.text() + held.text()];
    if (!known.transform) {
        known = made_for(backend, extents, levels, held);
    }
    return known;
}

Variable SpectralConv::operator()(const Variable& x, Epilogue epilogue, const Levels& levels, const Shape& kept) const {
    const Shape held = x.shape().slice(1, x.shape().rank() - 1);
    const Shape extents = levels.is_shared() ? levels.at(0).extents().append(held[-1]) : held;
    const SpectrumPath& from = path(x.backend(), extents, levels, held);
    const SpectrumPath& to = kept.rank() > 0 ? path(x.backend(), extents, levels, kept) : from;
    return spectral_conv(x, weight_, from, to, std::move(epilogue));
}

}  // namespace plumecast
