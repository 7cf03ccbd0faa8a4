
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <plumecast/graph/layers.hpp>

#include "graph/direct_dft.hpp"
#include "graph/fourier.hpp"
#include "graph/transform_matrices.hpp"
#include "passes/fuse.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

struct Grid {
    Shape extents;
    std::vector<std::int64_t> modes;
};

/// One, two and three space axes; odd and even extents; overlapping modes and Nyquist in time; axes of one point
/// without modes.
std::vector<Grid> grids() {
    return {{{7, 6}, {2, 3}},
            {{8, 5}, {4, 3}},
            {{5, 4}, {4, 3}},
            {{6, 7, 8}, {2, 3, 4}},
            {{6, 7, 8}, {3, 3, 5}},
            {{4, 5, 6}, {3, 4, 4}},
            {{4, 4, 3}, {4, 4, 2}},
            {{1, 3, 1}, {1, 2, 1}},
            {{4, 3, 5, 4}, {2, 1, 2, 3}},
            {{3, 4, 2, 5}, {2, 3, 2, 2}},
            {{6, 7, 1}, {2, 3, 0}},
            {{1, 6, 8}, {0, 3, 4}},
            {{4, 5, 6, 1}, {2, 2, 3, 0}},
            {{1, 7, 1}, {0, 3, 0}}};
}

Shape field_shape(const Shape& extents, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (std::int64_t extent : extents.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

Shape spectrum_shape(const Grid& grid, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (const std::int64_t count : of_transformed(grid.modes)) {
        shape = shape.append(2 * count);
    }
    return shape.append(channels);
}

/// Over the axes that are transformed.
DirectDft direct_of(const Grid& grid) { return {of_transformed(grid.extents, grid.modes), of_transformed(grid.modes)}; }

/// What a graph makes of an array, the one input that its result depends on.
Tensor computed(Backend& backend, const Shape& input, const std::function<Value(const Value& x)>& describe,
                ConstView values) {
    Graph graph;
    graph.output("y", describe(graph.input("x", {input})));
    return std::move(evaluate(backend, pruned(graph), [&](const std::string&) { return values; }).front());
}

class TruncatedFourierTest : public BackendTest {
   protected:
    double tolerance() { return backend().compute_type() == DType::float64 ? 1e-13 : 2e-6; }
    Tensor uploaded(ConstView host) {
        Tensor device(backend().memory(), host.shape, backend().compute_type());
        backend().upload(host, device);
        return device;
    }
    Tensor downloaded(const Tensor& device) {
        Tensor host = host_zeros(device.shape(), DType::float64);
        backend().download(device, host);
        return host;
    }
    /// A description applied to an array of the host.
    Tensor of(ConstView host, const std::function<Value(const Value& x)>& describe) {
        const Tensor input = uploaded(host);
        return downloaded(computed(backend(), host.shape, describe, input.view()));
    }
};

TEST_P(TruncatedFourierTest, IsTheDiscreteFourierTransform) {
    for (const Grid& grid : grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Tensor field = random_tensor(field_shape(grid.extents, 2, 3), DType::float64, "field");
        const Tensor found = of(field, [&](const Value& x) { return truncated_fourier(x, grid.modes); });
        ASSERT_EQ(found.shape(), spectrum_shape(grid, 2, 3));
        const Tensor expected = direct_of(grid).forward(field);
        expect_close(found.view().reshaped(expected.shape()), expected, tolerance());
    }
}

TEST_P(TruncatedFourierTest, TakesTheRealPartOfTheInverseLast) {
    for (const Grid& grid : grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Tensor spectrum = random_tensor(spectrum_shape(grid, 2, 3), DType::float64, "spectrum");
        const Tensor found =
            of(spectrum, [&](const Value& x) { return inverse_truncated_fourier(x, grid.modes, grid.extents); });
        const DirectDft direct = direct_of(grid);
        const Shape planar{2, direct.space_modes(), 2, direct.time_modes(), 3};
        const Tensor expected = direct.inverse(spectrum.view().reshaped(planar));
        expect_close(found, expected.view().reshaped(found.shape()), tolerance());
    }
}

TEST_P(TruncatedFourierTest, AddsAndActivatesWhereTheInverseEnds) {
    for (const Grid& grid : grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Tensor spectrum = random_tensor(spectrum_shape(grid, 1, 2), DType::float64, "spectrum");
        const Tensor before = random_tensor(field_shape(grid.extents, 1, 2), DType::float64, "before");
        Graph graph;
        const Value x = graph.input("spectrum", {spectrum.shape()}), addend = graph.input("before", {before.shape()});
        const Value sum = addend + inverse_truncated_fourier(x, grid.modes, grid.extents);
        graph.output("y", activate(sum, Activation::relu()));
        const Graph fused = fuse_sums_and_activations(graph);
        const Op& last = fused.nodes()[static_cast<std::size_t>(fused.outputs().front().second)].op;
        EXPECT_TRUE(last.is<AxisTransformOp>());
        const Tensor own_spectrum = uploaded(spectrum), own_before = uploaded(before);
        const Tensor found = downloaded(std::move(evaluate(backend(), fused, [&](const std::string& name) {
                                                      return name == "before" ? own_before.view() : own_spectrum.view();
                                                  }).front()));
        const DirectDft direct = direct_of(grid);
        const Shape planar{1, direct.space_modes(), 2, direct.time_modes(), 2};
        Tensor expected = direct.inverse(spectrum.view().reshaped(planar));
        for (std::size_t i = 0; i < expected.values<double>().size(); ++i) {
            double& value = expected.values<double>()[i];
            value = std::max(0.0, value + before.values<double>()[i]);
        }
        expect_close(found, expected.view().reshaped(found.shape()), tolerance());
    }
}

TEST_P(TruncatedFourierTest, AndItsInverseHaveTheirAdjointsForGradients) {
    for (const Grid& grid : grids()) {
        SCOPED_TRACE(grid.extents.text());
        const auto forward = [&](const Value& x) { return truncated_fourier(x, grid.modes); };
        const auto inverse = [&](const Value& x) { return inverse_truncated_fourier(x, grid.modes, grid.extents); };
        const Shape field = field_shape(grid.extents, 2, 3), spectrum = spectrum_shape(grid, 2, 3);
        for (const auto& [describe, from, to] :
             {std::tuple(std::function<Value(const Value&)>(forward), field, spectrum),
              std::tuple(std::function<Value(const Value&)>(inverse), spectrum, field)}) {
            const auto along = [&, &describe = describe, &from = from](View x, View y) {
                backend().add(1.0, computed(backend(), from, describe, x).view(), {y});
            };
            const auto back = [&, &describe = describe, &from = from](View g, View x) {
                const auto gradient = [&](const Value& upstream) {
                    const Value of = upstream.graph().input("of", {from});
                    return gradients(describe(of), upstream, {of}).front();
                };
                backend().add(1.0, computed(backend(), g.shape, gradient, g).view(), {x});
            };
            expect_adjoint(backend(), from, to, along, back, adjoint_tolerance());
        }
    }
}

TEST_P(TruncatedFourierTest, RestoresAFieldWhenAllModesAreKept) {
    const std::vector<std::int64_t> modes{3, 2, 3};
    const Tensor field = random_tensor({2, 6, 4, 5, 3}, DType::float64, "field");
    const Tensor again = of(field, [&](const Value& x) {
        return inverse_truncated_fourier(truncated_fourier(x, modes), modes, {6, 4, 5});
    });
    expect_close(again, field, tolerance());
}

INSTANTIATE_TEST_SUITE_P(Backends, TruncatedFourierTest, ::testing::ValuesIn(backends_and_oracle()), choice_name);

TEST(TruncatedFourier, InvertsNonHermitianSpectraAsNumpyDoes) {
    // numpy.fft.irfftn(X, s=(3, 2, 4), axes=(0, 1, 2)) of X zero but for
    // X[0,0,0] = 1+2i, X[2,0,1] = -2+0.5i, X[0,1,2] = 3-1i, X[2,1,0] = 0.5-1.5i.
    const auto oracle = make_oracle_backend();
    Tensor spectrum = host_zeros({1, 2, 2, 6, 1}, DType::float64);
    const auto set = [&](std::int64_t k, std::int64_t t, double real, double imaginary) {
        spectrum.view().as<double>()[k * 6 + t] = real;
        spectrum.view().as<double>()[k * 6 + 3 + t] = imaginary;
    };
    set(0, 0, 1.0, 2.0);
    set(2, 1, -2.0, 0.5);
    set(1, 2, 3.0, -1.0);
    set(3, 0, 0.5, -1.5);
    const auto inverse = [](const Value& x) { return inverse_truncated_fourier(x, {1, 1, 3}, {3, 2, 4}); };
    const Tensor field = computed(*oracle, spectrum.shape(), inverse, spectrum.view());
    const std::vector<double> numpy{0.0208333333333333,
                                    -0.104166666666667,
                                    0.354166666666667,
                                    -0.0208333333333333,
                                    -0.270833333333333,
                                    0.104166666666667,
                                    0.0625,
                                    0.1875,
                                    0.221541137421157,
                                    -0.271380821700601,
                                    -0.0172943128942123,
                                    -0.0243723537724543,
                                    0.100627646227546,
                                    0.107705687105788,
                                    -0.138207804087824,
                                    0.354714155033934,
                                    0.257625529245509,
                                    0.125547488367267,
                                    0.163127646227546,
                                    -0.204794312894212,
                                    -0.0797943128942124,
                                    0.288127646227546,
                                    -0.174292195912176,
                                    -0.0422141550339338};
    expect_close(field, host_tensor<double>(field.shape(), numpy), 1e-14);
}

TEST(TruncatedFourier, RefusesModesTheGridDoesNotHold) {
    const auto keep = [](const std::vector<std::int64_t>& modes) {
        Graph graph;
        truncated_fourier(graph.input("x", {{1, 4, 4, 4, 2}}), modes);
    };
    EXPECT_THROW(keep({5, 2, 2}), InvalidInput);
    EXPECT_THROW(keep({2, 5, 2}), InvalidInput);
    EXPECT_THROW(keep({2, 2, 4}), InvalidInput);
    EXPECT_THROW(keep({2, 2}), Error);
    EXPECT_NO_THROW(keep({4, 4, 3}));
    EXPECT_THROW(keep({4, 4, 0}), Error) << "four points are more than one";
}

}  // namespace
}  // namespace plumecast::testing
