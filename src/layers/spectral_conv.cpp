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

}  // namespace

/// What the gradient function of the result leaves for that of the start: the spectrum of the upstream gradient, on its
/// way.
struct SpectralBranch::Backward {
    InFlightTensor upstream;

    void finish(const SharedSpectrum& from, const SharedSpectrum& to, const Variable& x, const Variable& weight,
                const Tensor& spectrum);
};

void SpectralBranch::Backward::finish(const SharedSpectrum& from, const SharedSpectrum& to, const Variable& x,
                                      const Variable& weight, const Tensor& spectrum) {
    Backend& backend = x.backend();
    const Shape matrices = by_mode(weight.shape());
    const bool owns_modes = matrices[0] > 0 && x.shape()[0] > 0;
    const Tensor gradient = to.finish_forward(backend, std::move(upstream), x.shape()[0], weight.shape()[-1]);
    if (weight.requires_grad()) {
        const OutputRef target = weight.gradient_output();
        if (owns_modes) {
            backend.complex_product_weight_gradient(spectrum, gradient, {target.view.reshaped(matrices), target.beta});
        } else if (target.beta == 0.0) {
            backend.fill(target.view, 0.0);
        }
    }
    if (x.requires_grad()) {
        Tensor own(backend.memory(), spectrum.shape(), backend.compute_type());
        if (owns_modes) {
            backend.complex_product_data_gradient(gradient, weight.value().reshaped(matrices), own);
        }
        InFlightTensor in_flight = from.start_inverse(backend, std::move(own));
        from.finish_inverse(std::move(in_flight), x.gradient_output(), Activation::identity(), Scaling::plain);
    }
}

SpectralBranch::SpectralBranch(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> from,
                               std::shared_ptr<const SharedSpectrum> to, const Variable& last)
    : x_(x),
      weight_(weight),
      from_(std::move(from)),
      to_(std::move(to)),
      in_flight_(from_->start_forward(x.backend(), x.value(), Scaling::plain)),
      spectrum_(std::make_shared<Tensor>()),
      backward_(std::make_shared<Backward>()) {
    std::vector<Variable> inputs{x, weight};
    if (last.defined()) {
        inputs.push_back(last);  // inputs come after what is made from them: an order, no gradient
    }
    start_ = Variable(x.backend(), Tensor(), std::move(inputs),
                      [x, weight, from = from_, to = to_, kept = spectrum_, rest = backward_](Tensor&) {
                          rest->finish(*from, *to, x, weight, *kept);
                      });
}

void SpectralBranch::multiply() {
    Backend& backend = x_.backend();
    const std::int64_t batch = x_.shape()[0];
    *spectrum_ = from_->finish_forward(backend, std::move(in_flight_), batch, x_.shape()[-1]);
    const Shape matrices = by_mode(weight_.shape());
    Tensor multiplied(backend.memory(), spectrum_->shape().with(-1, weight_.shape()[-1]), backend.compute_type());
    if (matrices[0] > 0 && batch > 0) {  // a rank may have no modes, or no case
        backend.complex_product(*spectrum_, weight_.value().reshaped(matrices), multiplied);
    }
    if (!start_.requires_grad()) {
        *spectrum_ = Tensor();
    }
    in_flight_ = to_->start_inverse(backend, std::move(multiplied));
}

Variable SpectralBranch::finish(Epilogue epilogue) {
    Backend& backend = x_.backend();
    const Shape shape = to_->field_shape(x_.shape()[0], weight_.shape()[-1]);
    FusedResult result(backend, shape, {start_}, std::move(epilogue));
    to_->finish_inverse(std::move(in_flight_), result.target(), result.activation(), Scaling::inverse);
    return result.finish([&backend, start = start_, to = to_, rest = backward_](Tensor& g) {
        if (start.requires_grad()) {
            rest->upstream = to->start_forward(backend, g.view(), Scaling::inverse);
        }
    });
}

Variable spectral_conv(const Variable& x, const Variable& weight, const std::shared_ptr<const SharedSpectrum>& spectrum,
                       Epilogue epilogue) {
    return spectral_conv(x, weight, spectrum, spectrum, std::move(epilogue));
}

Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SharedSpectrum> from,
                       std::shared_ptr<const SharedSpectrum> to, Epilogue epilogue) {
    SpectralBranch branch(x, weight, std::move(from), std::move(to));
    branch.multiply();
    return branch.finish(std::move(epilogue));
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

std::shared_ptr<const SharedSpectrum> SpectralConv::spectrum(Backend& backend, const Shape& extents,
                                                             const Levels& levels, const Shape& held) const {
    auto& known = grids_[extents.text() + held.text()];
    const bool comes_together = levels.is_shared() || (grid_ != nullptr && grid_->route() == Route::transpose);
    if (!known && comes_together) {
        const Partition* partition = levels.is_shared() ? &levels.at(0) : nullptr;
        known = std::make_shared<const SharedSpectrum>(backend, extents, modes_, partition, held, *grid_, owners_);
    } else if (!known) {
        known = std::make_shared<const SharedSpectrum>(
            std::make_shared<const SpectralTransform>(backend, extents, modes_, Box(held)));
    }
    return known;
}

SpectralBranch SpectralConv::start(const Variable& x, const Levels& levels, const Shape& kept,
                                   const Variable& last) const {
    const Shape held = x.shape().slice(1, x.shape().rank() - 1);
    const Shape extents = levels.is_shared() ? levels.at(0).extents().append(held[-1]) : held;
    const auto from = spectrum(x.backend(), extents, levels, held);
    return {x, weight_, from, kept.rank() > 0 ? spectrum(x.backend(), extents, levels, kept) : from, last};
}

Variable SpectralConv::operator()(const Variable& x, Epilogue epilogue, const Levels& levels, const Shape& kept) const {
    SpectralBranch branch = start(x, levels, kept);
    branch.multiply();
    return branch.finish(std::move(epilogue));
}

}  // namespace plumecast
