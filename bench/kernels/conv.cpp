#include <array>
#include <string>

#include "conv_check.hpp"
#include "kernels.hpp"

namespace plumecast::bench {
namespace {

struct Kind {
    std::string name;
    ConvGeometry geometry;
};

/// The three of the U-Net: kernel 3 with stride 1 and 2, and the transposed kernel 4 that doubles every extent.
std::vector<Kind> kinds() {
    return {{"stride1", {}},
            {"stride2", {.stride = {2, 2, 2}}},
            {"transposed", {.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true}}};
}

/// The arrays of one convolution whose larger grid is `grid`.
struct Arrays {
    ConvGeometry geometry;
    Tensor large, small, weight;

    Arrays(Backend& backend, const Kind& kind, const Grid& grid, std::int64_t width) : geometry(kind.geometry) {
        ConvGeometry direct = geometry;
        direct.transposed = false;
        const Shape fine{1, grid.z, grid.r, grid.t, width};
        const ConvGeometry::Axes coarse = direct.output_extents(fine);
        const auto& k = geometry.kernel;
        large = random_array(backend, fine, 1);
        small = random_array(backend, {1, coarse[0], coarse[1], coarse[2], width}, 2);
        weight = random_array(backend, {width, k[0], k[1], k[2], width}, 3);
    }
    Tensor& input() { return geometry.transposed ? small : large; }
    Tensor& output() { return geometry.transposed ? large : small; }
    ConvForm form() { return {geometry, large, weight, small}; }
    Work work() const {
        const std::int64_t taps = geometry.kernel[0] * geometry.kernel[1] * geometry.kernel[2];
        return {2.0 * static_cast<double>(taps * small.shape().count()) * static_cast<double>(large.shape()[4]), 0.0};
    }
};

void forward(benchmark::State& state, Context& context, Arrays arrays) {
    const std::array<ConstView, 1> inputs{arrays.input()};
    prove_then_time(
        state, context, arrays.work(),
        [&] { return arrays.geometry.transposed ? arrays.form().proves_large() : arrays.form().proves_small(); },
        [&] {
            context.backend->conv(arrays.geometry, inputs, arrays.weight, {}, {arrays.output()},
                                  Activation::identity());
        });
}

void data_gradient(benchmark::State& state, Context& context, Arrays arrays) {
    const std::array<OutputRef, 1> targets{OutputRef{arrays.input()}};
    prove_then_time(
        state, context, arrays.work(),
        [&] { return arrays.geometry.transposed ? arrays.form().proves_small() : arrays.form().proves_large(); },
        [&] { context.backend->conv_data_gradient(arrays.geometry, arrays.output(), arrays.weight, targets); });
}

void weight_gradient(benchmark::State& state, Context& context, Arrays arrays) {
    const std::array<ConstView, 1> inputs{arrays.input()};
    prove_then_time(
        state, context, arrays.work(), [&] { return arrays.form().proves_weight(); },
        [&] { context.backend->conv_weight_gradient(arrays.geometry, inputs, arrays.output(), {arrays.weight}); });
}

}  // namespace

void register_conv(Context& context) {
    using Pass = void (*)(benchmark::State&, Context&, Arrays);
    const std::array<std::pair<const char*, Pass>, 3> passes{
        {{"forward", forward}, {"data_gradient", data_gradient}, {"weight_gradient", weight_gradient}}};
    for (const Grid& grid : grids) {
        for (const Kind& kind : kinds()) {
            for (const std::int64_t width : {16, 24, 32, 36, 64}) {
                for (const auto& [pass_name, pass] : passes) {
                    const std::string name =
                        "conv/" + kind.name + "/" + pass_name + "/width" + std::to_string(width) + "/" + grid.name;
                    register_kernel(name, [&context, kind, grid, width, body = pass](benchmark::State& state) {
                        body(state, context, Arrays(*context.backend, kind, grid, width));
                    });
                }
            }
        }
    }
}

}  // namespace plumecast::bench
