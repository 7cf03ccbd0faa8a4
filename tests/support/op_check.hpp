#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>

namespace plumecast::testing {

/// Named arrays in the memory of one backend. A name always gives the same values, float32 numbers even in float64,
/// so that two backends work on equal inputs.
class Arrays {
   public:
    explicit Arrays(Backend& backend) : Arrays(backend, backend.field_type()) {}
    /// For a judge: fields then hold what a backend with fields of type `rounded` can hold.
    Arrays(Backend& backend, DType rounded) : backend_(&backend), rounded_(rounded) {}

    Backend& backend() { return *backend_; }
    /// Standard normal values in the compute type.
    View random(const std::string& name, const Shape& shape);
    /// The same in float64, for statistics and coefficients.
    View random64(const std::string& name, const Shape& shape);
    /// Those values rounded to the field type, in it.
    View field(const std::string& name, const Shape& shape);
    /// What is overwritten: NaN everywhere.
    View output(const std::string& name, const Shape& shape);
    View field_output(const std::string& name, const Shape& shape);
    View output64(const std::string& name, const Shape& shape);
    /// A destination: NaN for beta 0, else random values.
    OutputRef target(const std::string& name, const Shape& shape, double beta);
    OutputRef field_target(const std::string& name, const Shape& shape, double beta);
    /// Given values in the compute type, or in the type asked for.
    View upload(const std::string& name, ConstView host);
    View upload(const std::string& name, ConstView host, DType type);
    /// The present values in host memory, float64.
    Tensor download(const std::string& name);
    /// Element type of an array.
    DType type(const std::string& name) const { return arrays_.at(name).type(); }

   private:
    View nan(const std::string& name, const Shape& shape, DType type);

    Backend* backend_;
    DType rounded_;
    std::map<std::string, Tensor> arrays_;
};

/// What rounding to bfloat16 may take from an array, relative, as it may from a factor of a product.
constexpr double bfloat16_tolerance = 0x1p-8;

/// Runs `ops` on the backend and on the oracle and compares the arrays named in `results` by relative L2: to
/// `tolerance`, or to bfloat16_tolerance where they are bfloat16 and that is more.
void expect_like_oracle(Backend& backend, const std::vector<std::string>& results,
                        const std::function<void(Arrays&)>& ops, double tolerance, const std::string& what = "");

/// A linear op and its adjoint; both overwrite their second argument.
using LinearMap = std::function<void(View from, View to)>;

/// Expects <F x, y> = <x, F* y> to `tolerance` |F x| |y| for random x and y.
void expect_adjoint(Backend& backend, const Shape& x, const Shape& y, const LinearMap& forward,
                    const LinearMap& adjoint, double tolerance, const std::string& what = "");

/// What gradients of a result are taken of: standard normal numbers in the compute type, fixed by the shape.
Tensor cotangent(Backend& backend, const Shape& shape);

/// Compares a gradient with central differences of loss() at each element of `variable`; both in float64 host memory.
void expect_gradient(View variable, const std::function<double()>& loss, ConstView gradient, double tolerance,
                     double step = 1e-5);

/// <a, b> of float64 host arrays.
double dot(ConstView a, ConstView b);

}  // namespace plumecast::testing
