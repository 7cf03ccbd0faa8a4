#include "truncated_transform.hpp"

#include <array>
#include <string>

#include <plumecast/graph/layers.hpp>

#include "graph/fourier.hpp"
#include "passes/fuse.hpp"

namespace plumecast::bench {
namespace {

Shape field_shape(const Shape& extents, std::int64_t channels) {
    Shape shape{1};
    for (const std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

}  // namespace

TruncatedTransform::TruncatedTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                                       std::int64_t channels)
    : backend_(&backend) {
    const Shape field = field_shape(extents, channels);
    addend_ = Tensor(backend.memory(), field, backend.compute_type());
    backend.fill(addend_, 0.1);
    for (const Kind kind : {Kind::forward, Kind::inverse, Kind::added_and_activated_inverse, Kind::adjoint_of_forward,
                            Kind::adjoint_of_inverse}) {
        Graph graph;
        Value y;
        if (kind == Kind::forward) {
            y = truncated_fourier(graph.input("x", {field}), modes);
            spectrum_ = y.shape();
        } else if (kind == Kind::inverse || kind == Kind::added_and_activated_inverse) {
            y = inverse_truncated_fourier(graph.input("x", {spectrum_}), modes, extents);
            y = kind == Kind::inverse ? y : activate(graph.input("addend", {field}) + y, Activation::relu());
        } else {
            const bool of_forward = kind == Kind::adjoint_of_forward;
            const Value of = graph.input("of", {of_forward ? field : spectrum_});
            const Value result =
                of_forward ? truncated_fourier(of, modes) : inverse_truncated_fourier(of, modes, extents);
            y = gradients(result, graph.input("x", result.type()), {of}).front();
        }
        graph.output("y", y);
        plans_.push_back(std::make_unique<Planned>(backend, fuse_sums_and_activations(pruned(graph))));
    }
}

Tensor TruncatedTransform::spectrum() const { return {backend_->memory(), spectrum_, backend_->compute_type()}; }

void TruncatedTransform::run(Kind kind, const Tensor& from, Tensor& to) {
    Planned& planned = *plans_[static_cast<std::size_t>(kind)];
    const Feed inputs = [&](const std::string& name) { return name == "x" ? from.view() : addend_.view(); };
    planned.plan.run(planned.workspace, inputs, std::array{to.view()});
}

TruncatedTransform::Kind TruncatedTransform::adjoint(Kind kind) {
    switch (kind) {
        case Kind::forward:
            return Kind::adjoint_of_forward;
        case Kind::inverse:
            return Kind::adjoint_of_inverse;
        case Kind::adjoint_of_forward:
            return Kind::forward;
        default:
            return Kind::inverse;
    }
}

}  // namespace plumecast::bench
