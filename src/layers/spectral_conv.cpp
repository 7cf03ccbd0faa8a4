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

/// A transform of this rank's box of the field, and the spectra of all ranks where there are several.
struct SharedTransform {
    std::shared_ptr<const SpectralTransform> box;
    std::shared_ptr<const ModeExchange> modes;

    Tensor analyse(Backend& backend, ConstView field, Scaling scaling) const {
        Tensor share = box->analyse(field, scaling);
        return modes ? modes->summed(backend, share) : std::move(share);
    }
    void synthesise(Backend& backend, Tensor own, Target field, Activation f, Scaling scaling) const {
        box->synthesise(modes ? modes->gathered(backend, own) : std::move(own), field, f, scaling);
    }
};

}  // namespace

Variable spectral_conv(const Variable& x, const Variable& weight, std::shared_ptr<const SpectralTransform> transform,
                       Epilogue epilogue, std::shared_ptr<const ModeExchange> modes) {
    Backend& backend = x.backend();
    const SharedTransform shared{std::move(transform), std::move(modes)};
    const std::int64_t outputs = weight.shape()[-1];
    const Shape matrices = by_mode(weight.shape());
    const bool owns_modes = matrices[0] > 0 && x.shape()[0] > 0;  // a rank may have no modes, or no case
    FusedResult result(backend, x.shape().with(-1, outputs), {x, weight}, std::move(epilogue));
    auto spectrum = std::make_shared<Tensor>(shared.analyse(backend, x.value(), Scaling::plain));
    Tensor mixed(backend.memory(), spectrum->shape().with(-1, outputs), backend.compute_type());
    if (owns_modes) {
        backend.complex_product(*spectrum, weight.value().reshaped(matrices), mixed);
    }
    shared.synthesise(backend, std::move(mixed), result.target(), result.activation(), Scaling::inverse);
    return result.finish([&backend, shared, x, weight, spectrum, matrices, owns_modes](Tensor& g) {
        const Tensor upstream = shared.analyse(backend, g.view(), Scaling::inverse);
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
    if (const Cuts& owners = parameters.at(name).owners; !owners.empty()) {
        exchange_ = std::make_shared<const ModeExchange>(parameters.grid()->space(), owners);
    }
}

Variable SpectralConv::operator()(const Variable& x, Epilogue epilogue, const Levels& levels) const {
    const Shape held = x.shape().slice(1, x.shape().rank() - 1);
    const Shape extents = levels.is_shared() ? levels.at(0).extents().append(held[-1]) : held;
    auto& transform = transforms_[extents.text()];
    if (!transform) {
        transform = levels.is_shared()
                        ? std::make_shared<const SpectralTransform>(x.backend(), extents, modes_, levels.at(0).held())
                        : std::make_shared<const SpectralTransform>(x.backend(), extents, modes_);
    }
    return spectral_conv(x, weight_, transform, std::move(epilogue), exchange_);
}

}  // namespace plumecast
