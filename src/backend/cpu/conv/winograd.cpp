#include "backend/cpu/conv/winograd.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/conv/tile_gradient.hpp"
#include "backend/cpu/conv/tiles.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Results that share their weights along an axis, for each of the three axes.
using AxisRuns = std::array<std::vector<RowRun>, 3>;

AxisRuns axis_runs(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source) {
    const std::array<AxisRule, 3> rules = axis_rules(geometry, backward);
    AxisRuns runs;
    for (std::size_t axis = 0; axis < runs.size(); ++axis) {
        const int at = static_cast<int>(axis) + 1;
        runs[axis] = rules[axis].runs(result[at], source[at]);
    }
    return runs;
}

/// Weights that every result meets along axes 1 and 2, if their number is the same everywhere; 0 otherwise.
std::size_t common_kernel(const AxisRuns& runs) {
    const std::size_t kernel = runs[0].front().weights.size();
    for (const std::size_t axis : {0, 1}) {
        for (const RowRun& run : runs[axis]) {
            if (run.weights.size() != kernel || run.input_step != 1) {
                return 0;
            }
        }
    }
    return kernel;
}

bool is_filtered(std::size_t kernel) { return kernel == 2 || kernel == 3; }

const Filtering& filtering_of(std::size_t kernel, Winograd tiles) {
    return kernel == 2 ? filtering_2_2() : tiles == Winograd::f4 ? filtering_4_3() : filtering_2_3();
}

/// Calls work(runs) for every pair of runs of the first axes.
template <class Work>
void for_each_pair(const AxisRuns& runs, const Work& work) {
    for (const RowRun& axis_1 : runs[0]) {
        for (const RowRun& axis_2 : runs[1]) {
            work(Tiles::Runs{axis_1, axis_2, runs[2]});
        }
    }
}

}  // namespace

bool WinogradConv::fits(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source) {
    return result.count(1, 4) > 0 && is_filtered(common_kernel(axis_runs(geometry, backward, result, source)));
}

bool WinogradConv::pays(const ConvGeometry& geometry, bool backward, const Shape& result, const Shape& source,
                        std::int64_t depth) {
    if (!fits(geometry, backward, result, source)) {
        return false;
    }
    const AxisRuns runs = axis_runs(geometry, backward, result, source);
    const Filtering& f = filtering_of(common_kernel(runs), Winograd::f2);
    if (depth < (f.kernel == 2 ? 32 : 16)) {
        return false;
    }
    std::int64_t tiles = 0, lines = 0;
    for_each_pair(runs, [&](const Tiles::Runs& pair) {
        const std::int64_t tiles_1 = (pair.axis_1.rows + f.tile - 1) / f.tile;
        tiles += result[0] * tiles_1 * ((pair.axis_2.rows + f.tile - 1) / f.tile);
        lines += result[0] * pair.axis_1.rows * pair.axis_2.rows;
    });
    // A tile saves half of its products, some of it lost on transforms and on tiles that stick out. To transform the
    // weights costs about as much as 100 rows of a tile save.
    const std::int64_t pairs = static_cast<std::int64_t>(runs[0].size() * runs[1].size());
    return tiles * result[3] >= 250 * pairs && 4 * tiles * f.places * f.places < 3 * lines * f.kernel * f.kernel;
}

bool WinogradConv::fits_weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& source) {
    if (geometry.transposed || !fits(geometry, false, gradient_y, source)) {
        return false;
    }
    // A weight that meets no input along axis 3 has no tile that would give it the gradient zero.
    return axis_runs(geometry, false, gradient_y, source)[2].front().weights.size() ==
           static_cast<std::size_t>(geometry.kernel[2]);
}

bool WinogradConv::pays_weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y, const Shape& source,
                                        std::int64_t depth) {
    return fits_weight_gradient(geometry, gradient_y, source) && pays(geometry, false, gradient_y, source, depth);
}

void WinogradConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                           ConstView bias, Target y, double slope) const {
    const AxisRuns runs = axis_runs(geometry, false, y.view.shape, inputs.front().shape);
    for_each_pair(runs, [&](const Tiles::Runs& pair) {
        Tiles tiles(*kernels_, filtering_of(common_kernel(runs), tiles_), threads_, *memory_, pair, inputs, weight,
                    geometry.transposed);
        tiles.add(y, 0, bias, slope);
        tiles.run();
    });
}

void WinogradConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                 std::span<const Target> gradient_inputs) const {
    const std::array<ConstView, 1> source{gradient_y};
    const AxisRuns runs = axis_runs(geometry, true, gradient_inputs.front().view.shape, gradient_y.shape);
    for_each_pair(runs, [&](const Tiles::Runs& pair) {
        Tiles tiles(*kernels_, filtering_of(common_kernel(runs), tiles_), threads_, *memory_, pair, source, weight,
                    !geometry.transposed);
        std::int64_t channel = 0;
        for (const Target& target : gradient_inputs) {
            tiles.add(target, channel, ConstView(), 1.0);
            channel += target.view.shape[4];
        }
        tiles.run();
    });
}

void WinogradConv::weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                   ConstView gradient_y, Target gradient_weight) const {
    const AxisRuns runs = axis_runs(geometry, false, gradient_y.shape, inputs.front().shape);
    const TileGradient gradient(*kernels_, filtering_of(common_kernel(runs), tiles_), runs[0].front(), runs[1].front(),
                                runs[2].front(), inputs, gradient_y);
    const std::int64_t tiles = gradient.tiles(), pieces = std::clamp<std::int64_t>(tiles, 1, threads_);
    Tensor sums(*memory_, Shape{pieces * gradient.sums()}, DType::float32);
    Tensor scratch(*memory_, Shape{pieces * gradient.scratch()}, DType::float32);
    float* all = sums.view().as<float>();
    float* work = scratch.view().as<float>();
    parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            gradient.piece(tiles * piece / pieces, tiles * (piece + 1) / pieces, all + piece * gradient.sums(),
                           work + piece * gradient.scratch());
        }
    });
    parallel_ranges(threads_, gradient_y.shape[4], 1, [&](std::int64_t begin, std::int64_t end) {
        gradient.merge(begin, end, all, pieces, gradient_weight);
    });
}

}  // namespace plumecast::cpu
