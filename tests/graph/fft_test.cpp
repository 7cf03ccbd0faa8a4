#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <plumecast/graph/layers.hpp>

#include "graph/direct_dft.hpp"
#include "graph/fourier.hpp"
#include "graph/ops/fft.hpp"
#include "graph/transform_matrices.hpp"
#include "passes/choose_transforms.hpp"
#include "passes/fuse.hpp"
#include "support/comparison.hpp"
#include "support/counted_memory.hpp"
#include "support/fft_by_definition.hpp"
#include "support/kernels_on_host.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double tolerance = 2e-6;

struct FftGrid {
    Shape extents;
    std::vector<std::int64_t> modes;
};

/// One to three axes of space; odd and even extents; modes that repeat each other, and all up to Nyquist;
/// axes of one point without modes.
std::vector<FftGrid> fft_grids() {
    return {{{7, 6}, {2, 3}},
            {{8, 5}, {4, 3}},
            {{5, 4}, {4, 3}},
            {{6, 7, 8}, {2, 3, 4}},
            {{6, 7, 8}, {3, 3, 5}},
            {{4, 5, 6}, {3, 4, 4}},
            {{4, 4, 3}, {4, 4, 2}},
            {{1, 3, 1}, {1, 2, 1}},
            {{6, 4, 5}, {3, 2, 3}},
            {{11, 13, 7}, {5, 6, 4}},
            {{4, 3, 5, 4}, {2, 1, 2, 3}},
            {{3, 4, 2, 5}, {2, 3, 2, 2}},
            {{6, 7, 1}, {2, 3, 0}},
            {{1, 6, 8}, {0, 3, 4}},
            {{4, 5, 6, 1}, {2, 2, 3, 0}}};
}

Shape around_axes(const Shape& axes, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (const std::int64_t extent : axes.extents()) {
        shape = shape.append(extent);
    }
    return shape.append(channels);
}

Shape kept_of(const FftGrid& grid, std::int64_t batch, std::int64_t channels) {
    Shape shape{batch};
    for (const std::int64_t count : of_transformed(grid.modes)) {
        shape = shape.append(2 * count);
    }
    return shape.append(channels);
}

/// Over the axes that are transformed.
DirectDft direct_of(const FftGrid& grid) {
    return {of_transformed(grid.extents, grid.modes), of_transformed(grid.modes)};
}

std::unique_ptr<Backend> backend_with_fft(Precision precision = Precision::fp32, AskedOfFft* asked = nullptr) {
    return make_kernels_on_host(std::make_unique<CountedMemory>(), precision, std::make_unique<FftByDefinition>(asked));
}

using Described = std::function<Value(const Value& x)>;

/// What a graph makes of a host array, on the host in float64.
Tensor computed_on(Backend& backend, ConstView host, const Described& describe, DType type = DType::float32) {
    Graph graph;
    graph.output("y", describe(graph.input("x", {host.shape, type})));
    Tensor x(backend.memory(), host.shape, on_backend(backend, type));
    backend.upload(host, x);
    const Tensor y = std::move(evaluate(backend, graph, [&](const std::string&) { return x.view(); }).front());
    Tensor result = host_zeros(y.shape(), DType::float64);
    backend.download(y, result);
    return result;
}

TEST(TruncatedFft, IsTheDiscreteFourierTransform) {
    const auto backend = backend_with_fft();
    for (const FftGrid& grid : fft_grids()) {
        for (const std::int64_t batch : {1, 2}) {
            SCOPED_TRACE(grid.extents.text());
            const Tensor field = random_tensor(around_axes(grid.extents, batch, 3), DType::float64, "field");
            const Tensor found =
                computed_on(*backend, field, [&](const Value& x) { return truncated_fft(x, grid.modes); });
            ASSERT_EQ(found.shape(), kept_of(grid, batch, 3));
            const Tensor expected = direct_of(grid).forward(field);
            expect_close(found.view().reshaped(expected.shape()), expected, tolerance);
        }
    }
}

TEST(TruncatedFft, TakesTheRealPartOfTheInverseLast) {
    const auto backend = backend_with_fft();
    for (const FftGrid& grid : fft_grids()) {
        for (const std::int64_t batch : {1, 2}) {
            SCOPED_TRACE(grid.extents.text());
            const Tensor spectrum = random_tensor(kept_of(grid, batch, 3), DType::float64, "spectrum");
            const Tensor found = computed_on(
                *backend, spectrum, [&](const Value& x) { return inverse_truncated_fft(x, grid.modes, grid.extents); });
            const DirectDft direct = direct_of(grid);
            const Shape planar{batch, direct.space_modes(), 2, direct.time_modes(), 3};
            const Tensor expected = direct.inverse(spectrum.view().reshaped(planar));
            expect_close(found, expected.view().reshaped(found.shape()), tolerance);
        }
    }
}

TEST(TruncatedFft, GivesTheFirstCellsAlone) {
    const auto backend = backend_with_fft(), oracle = make_oracle_backend();
    for (const auto& [grid, box] : {std::pair{FftGrid{{6, 7, 8}, {2, 3, 4}}, Shape{5, 4, 6}},
                                    std::pair{FftGrid{{4, 3, 5, 4}, {2, 1, 2, 3}}, Shape{3, 2, 5, 3}}}) {
        const Tensor spectrum = random_tensor(kept_of(grid, 2, 3), DType::float64, "spectrum");
        const auto of = [&, &grid = grid, &box = box](auto inverse) {
            return [&, inverse](const Value& x) { return inverse(x, grid.modes, grid.extents, box, DType::float32); };
        };
        expect_close(computed_on(*backend, spectrum, of(inverse_truncated_fft)),
                     computed_on(*oracle, spectrum, of(inverse_truncated_fourier)), tolerance);
    }
}

TEST(TruncatedFft, AddsAndActivatesWhereTheInverseEnds) {
    const auto backend = backend_with_fft(), oracle = make_oracle_backend();
    for (const FftGrid& grid : fft_grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Tensor before = random_tensor(around_axes(grid.extents, 1, 2), DType::float64, "before");
        const Tensor spectrum = random_tensor(kept_of(grid, 1, 2), DType::float64, "spectrum");
        const auto found = [&](Backend& on, bool by_fft) {
            Graph graph;
            const Value x = graph.input("spectrum", {spectrum.shape()});
            const Value inverse = by_fft ? inverse_truncated_fft(x, grid.modes, grid.extents)
                                         : inverse_truncated_fourier(x, grid.modes, grid.extents);
            graph.output("y", activate(graph.input("before", {before.shape()}) + inverse, Activation::relu()));
            const Graph fused = fuse_sums_and_activations(graph);
            const bool is_last = by_fft && of_transformed(grid.modes).size() == grid.modes.size();  // else a reshape is
            EXPECT_EQ(fused.nodes()[static_cast<std::size_t>(fused.outputs().front().second)].op.is<InverseFftOp>(),
                      is_last);
            Tensor a(on.memory(), before.shape(), on.compute_type()),
                b(on.memory(), spectrum.shape(), on.compute_type());
            on.upload(before, a);
            on.upload(spectrum, b);
            const Tensor y = std::move(evaluate(on, fused, [&](const std::string& name) {
                                           return name == "before" ? a.view() : b.view();
                                       }).front());
            Tensor result = host_zeros(y.shape(), DType::float64);
            on.download(y, result);
            return result;
        };
        expect_close(found(*backend, true), found(*oracle, false), tolerance);
    }
}

TEST(TruncatedFft, AndItsInverseHaveTheirAdjointsForGradients) {
    const auto backend = backend_with_fft();
    for (const FftGrid& grid : fft_grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Described forward = [&](const Value& x) { return truncated_fft(x, grid.modes); };
        const Described inverse = [&](const Value& x) { return inverse_truncated_fft(x, grid.modes, grid.extents); };
        const Shape field = around_axes(grid.extents, 2, 3), spectrum = kept_of(grid, 2, 3);
        for (const auto& [describe, from, to] : {std::tuple(forward, field, spectrum), {inverse, spectrum, field}}) {
            const auto applied = [&](View x, View y, const Described& description) {
                Graph graph;
                graph.output("y", description(graph.input("x", {x.shape})));
                backend->add(
                    1.0, evaluate(*backend, pruned(graph), [&](const std::string&) { return ConstView(x); }).front(),
                    {y});
            };
            const Described gradient = [&, &describe = describe, &from = from](const Value& upstream) {
                const Value of = upstream.graph().input("of", {from});
                return gradients(describe(of), upstream, {of}).front();
            };
            expect_adjoint(
                *backend, from, to, [&, &describe = describe](View x, View y) { applied(x, y, describe); },
                [&](View g, View x) { applied(g, x, gradient); }, 1e-5);
        }
    }
}

TEST(TruncatedFft, ReadsAndWritesBfloat16Fields) {
    const auto backend = backend_with_fft(Precision::bf16), oracle = make_oracle_backend();
    for (const FftGrid& grid : fft_grids()) {
        SCOPED_TRACE(grid.extents.text());
        const Tensor field = converted(
            converted(random_tensor(around_axes(grid.extents, 2, 3), DType::float64, "field"), DType::bfloat16),
            DType::float64);
        const Tensor found = computed_on(
            *backend, field, [&](const Value& x) { return truncated_fft(x, grid.modes); }, DType::bfloat16);
        expect_close(found,
                     computed_on(*oracle, field, [&](const Value& x) { return truncated_fourier(x, grid.modes); }),
                     tolerance);
        const Tensor spectrum = random_tensor(kept_of(grid, 2, 3), DType::float64, "spectrum");
        const auto inverse = [&](auto transform, DType type) {
            return
                [&, transform, type](const Value& x) { return transform(x, grid.modes, grid.extents, Shape(), type); };
        };
        expect_close(computed_on(*backend, spectrum, inverse(inverse_truncated_fft, DType::bfloat16)),
                     computed_on(*oracle, spectrum, inverse(inverse_truncated_fourier, DType::float32)),
                     bfloat16_tolerance);
    }
}

/// The input of a graph that has it.
Value input_named(Graph& graph, const std::string& name) {
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        const std::string* given = graph.nodes()[node].op->given();
        if (given != nullptr && *given == name) {
            return {graph, static_cast<int>(node)};
        }
    }
    throw Error("no input " + name);
}

/// A spectral convolution of a field, its gradients, and the text of its graph, on a backend.
struct ConvResults {
    std::vector<Tensor> arrays;
    std::string text;
};

ConvResults conv_on(Backend& backend, const FftGrid& grid) {
    const Shape field = around_axes(grid.extents, 2, 3);
    const Shape weight = spectral_weight_shape(grid.modes, 3, 2);
    Graph described;
    described.output("y", described.add(SpectralConvOp{grid.modes},
                                        {described.input("x", {field}), described.input("w", {weight})}));
    Graph graph = lowered(choose_transforms(backend, described));
    const Value y = graph.output("y");
    const std::vector<Value> found =
        gradients(y, graph.input("g", y.type()), {input_named(graph, "x"), input_named(graph, "w")});
    graph.output("by_x", found[0]);
    graph.output("by_w", found[1]);
    Arrays arrays(backend);
    ConvResults results;
    for (const Tensor& one : evaluate(backend, graph, [&](const std::string& name) -> ConstView {
             return arrays.random(name, name == "x" ? field : name == "w" ? weight : y.shape());
         })) {
        results.arrays.push_back(host_zeros(one.shape(), DType::float64));
        backend.download(one, results.arrays.back());
    }
    results.text = text_of(graph);
    return results;
}

TEST(ChooseTransforms, GivesSpectralConvolutionsAndTheirGradientsByFft) {
    const auto backend = backend_with_fft(), oracle = make_oracle_backend();
    for (const FftGrid& grid : fft_grids()) {
        SCOPED_TRACE(grid.extents.text());
        const ConvResults found = conv_on(*backend, grid), expected = conv_on(*oracle, grid);
        EXPECT_THAT(found.text, HasSubstr("forward_fft"));
        EXPECT_THAT(expected.text, Not(HasSubstr("fft")));
        for (std::size_t k = 0; k < 3; ++k) {
            expect_close(found.arrays[k], expected.arrays[k], 5e-6, "array " + std::to_string(k));
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
