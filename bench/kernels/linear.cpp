#include <algorithm>
#include <string>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

/// x [rows, inputs], weight [outputs, inputs], y [rows, outputs].
struct Arrays {
    Tensor x, weight, bias, y;

    Arrays(Backend& backend, std::int64_t rows, std::int64_t inputs, std::int64_t outputs)
        : x(random_array(backend, {rows, inputs}, 1)),
          weight(random_array(backend, {outputs, inputs}, 2)),
          bias(random_array(backend, {outputs}, 3)),
          y(random_array(backend, {rows, outputs}, 4)) {}
    Work work() const {
        const auto ends = static_cast<double>(x.shape().count() + y.shape().count());
        return {2.0 * static_cast<double>(x.shape().count()) * static_cast<double>(y.shape()[1]), 4.0 * ends};
    }
    double x_at(std::int64_t row, std::int64_t i) const { return x.values<float>()[at(row, i, x)]; }
    double y_at(std::int64_t row, std::int64_t o) const { return y.values<float>()[at(row, o, y)]; }
    double weight_at(std::int64_t o, std::int64_t i) const { return weight.values<float>()[at(o, i, weight)]; }

   private:
    static std::size_t at(std::int64_t row, std::int64_t column, const Tensor& array) {
        return static_cast<std::size_t>(row * array.shape()[1] + column);
    }
};

void forward(benchmark::State& state, Context& context, Arrays a) {
    const auto check = [&] {
        return std::ranges::all_of(sampled(a.y.shape().count(), 500), [&](std::int64_t index) {
            const std::int64_t row = index / a.y.shape()[1], o = index % a.y.shape()[1];
            Expected sum;
            sum.add(a.bias.values<float>()[static_cast<std::size_t>(o)]);
            for (std::int64_t i = 0; i < a.x.shape()[1]; ++i) {
                sum.add(a.x_at(row, i) * a.weight_at(o, i));
            }
            return Expected{std::max(sum.value, 0.0), sum.magnitude}.admits(a.y_at(row, o));
        });
    };
    prove_then_time(state, context, a.work(), check,
                    [&] { context.backend->gemm(false, true, a.x, a.weight, {a.y}, a.bias, Activation::relu()); });
}

void data_gradient(benchmark::State& state, Context& context, Arrays a) {
    const auto check = [&] {
        return std::ranges::all_of(sampled(a.x.shape().count(), 500), [&](std::int64_t index) {
            const std::int64_t row = index / a.x.shape()[1], i = index % a.x.shape()[1];
            Expected sum;
            for (std::int64_t o = 0; o < a.y.shape()[1]; ++o) {
                sum.add(a.y_at(row, o) * a.weight_at(o, i));
            }
            return sum.admits(a.x_at(row, i));
        });
    };
    prove_then_time(state, context, a.work(), check,
                    [&] { context.backend->gemm(false, false, a.y, a.weight, {a.x}, {}, Activation::identity()); });
}

void weight_gradient(benchmark::State& state, Context& context, Arrays a) {
    const auto check = [&] {
        return std::ranges::all_of(sampled(a.weight.shape().count(), 8), [&](std::int64_t index) {
            const std::int64_t o = index / a.weight.shape()[1], i = index % a.weight.shape()[1];
            Expected sum;
            for (std::int64_t row = 0; row < a.x.shape()[0]; ++row) {
                sum.add(a.y_at(row, o) * a.x_at(row, i));
            }
            return sum.admits(a.weight_at(o, i));
        });
    };
    prove_then_time(state, context, a.work(), check,
                    [&] { context.backend->gemm(true, false, a.y, a.x, {a.weight}, {}, Activation::identity()); });
}

}  // namespace

void register_linear(Context& context) {
    using Pass = void (*)(benchmark::State&, Context&, Arrays);
    const std::array<std::pair<const char*, Pass>, 3> passes{
        {{"forward", forward}, {"data_gradient", data_gradient}, {"weight_gradient", weight_gradient}}};
    const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{{32, 32}, {36, 36}, {36, 128}, {64, 64}};
    for (const Grid& grid : grids) {
        for (const auto& [inputs, outputs] : sizes) {
            for (const auto& [pass_name, pass] : passes) {
                const std::string name = std::string("linear/") + pass_name + "/" + std::to_string(inputs) + "to" +
                                         std::to_string(outputs) + "/" + grid.name;
                register_kernel(name, [&context, grid, in = inputs, out = outputs, body = pass](auto& state) {
                    body(state, context, Arrays(*context.backend, grid.cells(), in, out));
                });
            }
        }
    }
}

}  // namespace plumecast::bench
