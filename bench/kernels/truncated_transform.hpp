#pragma once

#include <memory>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast::bench {

/// The plans of a truncated Fourier transform of fields [1, extents..., channels], of its inverse and of what gradients
/// make of them.
class TruncatedTransform {
   public:
    enum class Kind { forward, inverse, added_and_activated_inverse, adjoint_of_forward, adjoint_of_inverse };

    TruncatedTransform(Backend& backend, const Shape& extents, const std::vector<std::int64_t>& modes,
                       std::int64_t channels);

    /// Memory for a spectrum.
    Tensor spectrum() const;
    void forward(const Tensor& field, Tensor& spectrum) { run(Kind::forward, field, spectrum); }
    void inverse(const Tensor& spectrum, Tensor& field) { run(Kind::inverse, spectrum, field); }
    void run(Kind kind, const Tensor& from, Tensor& to);

    /// Of forward and inverse, and back.
    static Kind adjoint(Kind kind);

   private:
    struct Planned {
        Planned(Backend& backend, const Graph& graph) : plan(backend, graph, {}), workspace(plan.make_workspace()) {}
        Plan plan;
        Tensor workspace;
    };

    Backend* backend_;
    Shape spectrum_;
    Tensor addend_;
    std::vector<std::unique_ptr<Planned>> plans_;  // by kind
};

}  // namespace plumecast::bench
