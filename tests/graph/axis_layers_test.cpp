#include "graph/axis_layers.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using Arrays64 = std::map<std::string, Tensor>;

Tensor result_of(const Graph& graph, const Arrays64& arrays) {
    const auto oracle = make_oracle_backend();
    const std::vector<Tensor> results =
        evaluate(*oracle, graph, [&](const std::string& name) { return arrays.at(name).view(); });
    Tensor host = host_zeros(results.front().shape(), DType::float64);  // outlives the backend
    oracle->download(results.front(), host);
    return host;
}

TEST(SpectralConvAlong, IsTheSpectralConvolutionOfLines) {
    const Tensor weight = random_tensor({4, 2, 3, 3}, DType::float64, "weight");
    Tensor twice = host_zeros({2, 4, 2, 3, 3}, DType::float64);  // both modes of an axis of one cell are 0
    for (std::size_t at = 0; at < 144; ++at) {
        twice.values<double>()[at] = weight.values<double>()[at % 72];
    }
    Graph whole, along;
    whole.output("y", spectral_conv(whole.input("x", {{2, 1, 9, 3}}), {1, 4}, {"w"}));
    along.output("y", spectral_conv_along(along.input("x", {{2, 1, 9, 3}}), 2, 4, {"w"}));
    Arrays64 of_whole, of_lines;
    of_whole.emplace("x", random_tensor({2, 1, 9, 3}, DType::float64, "lines"));
    of_whole.emplace("w.weight", std::move(twice));
    of_lines.emplace("x", random_tensor({2, 1, 9, 3}, DType::float64, "lines"));
    of_lines.emplace("w.weight", random_tensor({4, 2, 3, 3}, DType::float64, "weight"));
    expect_close(result_of(along, of_lines), result_of(whole, of_whole), 1e-12);
}

TEST(SpectralConvAlong, ActsOnEachLineOfAnAxisInTheMiddle) {
    const Tensor field = random_tensor({2, 5, 3, 2}, DType::float64, "field");
    Tensor turned = host_zeros({2, 3, 5, 2}, DType::float64);
    const auto swap = [](const Tensor& from, Tensor& to, std::size_t rows, std::size_t columns) {
        for (std::size_t b = 0; b < 2; ++b) {
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t j = 0; j < columns; ++j) {
                    for (std::size_t c = 0; c < 2; ++c) {
                        to.values<double>()[((b * columns + j) * rows + i) * 2 + c] =
                            from.values<double>()[((b * rows + i) * columns + j) * 2 + c];
                    }
                }
            }
        }
    };
    swap(field, turned, 5, 3);
    Graph middle, last;
    middle.output("y", spectral_conv_along(middle.input("x", {{2, 5, 3, 2}}), 1, 3, {"w"}));
    last.output("y", spectral_conv_along(last.input("x", {{2, 3, 5, 2}}), 2, 3, {"w"}));
    Arrays64 of_middle, of_last;
    of_middle.emplace("x", random_tensor({2, 5, 3, 2}, DType::float64, "field"));
    of_middle.emplace("w.weight", random_tensor({3, 2, 2, 2}, DType::float64, "weight"));
    of_last.emplace("x", std::move(turned));
    of_last.emplace("w.weight", random_tensor({3, 2, 2, 2}, DType::float64, "weight"));
    const Tensor expected = result_of(last, of_last);
    Tensor back = host_zeros({2, 5, 3, 2}, DType::float64);
    swap(expected, back, 3, 5);
    expect_close(result_of(middle, of_middle), back, 1e-12);
}

TEST(Resampled, KeepsAFieldOfLowFrequencies) {
    const auto wave = [](std::int64_t cells) {
        Tensor field = host_zeros({1, cells, 1}, DType::float64);
        for (std::int64_t n = 0; n < cells; ++n) {
            const double x = 2.0 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(cells);
            field.values<double>()[static_cast<std::size_t>(n)] = 0.5 + std::sin(x) - std::cos(2.0 * x);
        }
        return field;
    };
    for (const auto& [from, to] : {std::pair<std::int64_t, std::int64_t>{12, 6}, {6, 12}, {7, 5}}) {
        Graph graph;
        graph.output("y", resampled(graph.input("x", {{1, from, 1}}), 1, to));
        Arrays64 arrays;
        arrays.emplace("x", wave(from));
        expect_close(result_of(graph, arrays), wave(to), 1e-12, std::to_string(from) + " to " + std::to_string(to));
    }
}

}  // namespace
}  // namespace plumecast::testing
