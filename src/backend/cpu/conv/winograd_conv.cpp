#include "backend/cpu/conv/winograd_conv.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu/conv/tile_gradient.hpp"
#include "backend/cpu/conv/tiles.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Calls work(run of axis 1, run of axis 2) for every pair.
template <class Work>
void for_each_pair(const TilePlan& plan, const Work& work) {
    for (std::size_t run_1 = 0; run_1 < plan.axis_1.size(); ++run_1) {
        for (std::size_t run_2 = 0; run_2 < plan.axis_2.size(); ++run_2) {
            work(run_1, run_2);
        }
    }
}

}  // namespace

void WinogradConv::forward(const TilePlan& plan, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                           ConstView weight, ConstView bias, OutputRef y, float slope) const {
    for_each_pair(plan, [&](std::size_t run_1, std::size_t run_2) {
        Tiles tiles({kernels_, threads_, scratch_}, plan, run_1, run_2, {inputs, weight, geometry.transposed});
        tiles.add(y, bias, slope);
        tiles.run();
    });
}

void WinogradConv::data_gradient(const TilePlan& plan, const ConvGeometry& geometry, ConstView gradient_y,
                                 ConstView weight, std::span<const OutputRef> gradient_inputs) const {
    const std::array<ConstView, 1> source{gradient_y};
    for_each_pair(plan, [&](std::size_t run_1, std::size_t run_2) {
        Tiles tiles({kernels_, threads_, scratch_}, plan, run_1, run_2, {source, weight, !geometry.transposed});
        for (const OutputRef& target : gradient_inputs) {
            tiles.add(target, ConstView(), 1.0);
        }
        tiles.run();
    });
}

void WinogradConv::weight_gradient(const TilePlan& plan, const ConvGeometry& geometry,
                                   std::span<const ConstView> inputs, ConstView gradient_y,
                                   OutputRef gradient_weight) const {
    const std::array<ConstView, 1> results{gradient_y};
    const std::span<const ConstView> outputs(results);
    const TileGradient gradient(*kernels_, plan, geometry.transposed ? outputs : inputs,
                                geometry.transposed ? inputs : outputs);
    const std::int64_t groups = gradient.groups(), pieces = std::clamp<std::int64_t>(groups, 1, threads_);
    Tensor sums(*scratch_.from, Shape{pieces * gradient.sums()}, DType::float32);
    Tensor scratch(*scratch_.from, Shape{pieces * gradient.scratch()}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    float* all = sums.view().as<float>();
    float* work = scratch.view().as<float>();
    parallel_ranges(threads_, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t piece = begin; piece < end; ++piece) {
            gradient.piece(groups * piece / pieces, groups * (piece + 1) / pieces, all + piece * gradient.sums(),
                           work + piece * gradient.scratch());
        }
    });
    parallel_ranges(threads_, gradient_weight.view.shape[0], 1, [&](std::int64_t begin, std::int64_t end) {
        gradient.merge(begin, end, all, pieces, gradient_weight);
    });
}

}  // namespace plumecast::cpu
