#include "backend/cpu/conv/tiles.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// Lines of weights that are transformed together, and results of one at most.
constexpr std::int64_t most_lines = 8, most_rows = 16;

}  // namespace

Tiles::Tiles(const Resources& with, const TilePlan& plan, std::size_t run_1, std::size_t run_2, const Operands& of)
    : kernels_(with.kernels),
      threads_(with.threads),
      scratch_(with.scratch),
      filter_1_(plan.filter_1),
      filter_2_(plan.filter_2),
      axis_1_(plan.axis_1[run_1]),
      axis_2_(plan.axis_2[run_2]),
      axis_3_(plan.axis_3),
      weight_(of.weight),
      scatters_(of.scatters),
      batch_(of.inputs.front().shape[0]),
      layout_(tile_layout(*filter_1_, *filter_2_, axis_1_, axis_2_, axis_3_, of.inputs)) {
    for (const ConstView& input : of.inputs) {
        inputs_ += input.shape[4];
    }
    depth_ = inputs_ * static_cast<std::int64_t>(axis_1_.phases.size() * axis_2_.phases.size());
    lay_out();
}

void Tiles::lay_out() {
    pitch_x_ = layout_.rows / axis_3_.front().input_step + 1;
    for (const RowRun& run : axis_3_) {
        const std::int64_t last = run.position + layout_.before + static_cast<std::int64_t>(run.weights.size());
        pitch_x_ = std::max(pitch_x_, last / run.input_step + run_vectors(run) * kernels_->lanes);
        pitch_y_ += run_vectors(run) * kernels_->lanes;
        taps_.insert(taps_.end(), run.weights.begin(), run.weights.end());
    }
    pitch_x_ = (pitch_x_ + 15) / 16 * 16;
}

void Tiles::add(const OutputRef& target, ConstView bias, float slope) {
    results_.push_back({target, channels_, bias.data != nullptr ? bias.as<float>() : nullptr, slope});
    channels_ += target.view.shape[4];
}

std::vector<Tiles::Block> Tiles::blocks() const {
    const std::int64_t most = kernels_->tiles->most_rows, count = (channels_ + most - 1) / most;
    std::vector<Block> cut;
    for (std::int64_t block = 0; block < count; ++block) {
        const std::int64_t first = channels_ * block / count;
        cut.push_back({first, channels_ * (block + 1) / count - first});
    }
    return cut;
}

/// kernel [weights, weights, lines, rows] of the block and lines named; a line is one tap of axis 3 and one input
/// channel of a phase.
void Tiles::gather_weights(std::int64_t first, std::int64_t count, const Block& block, float* kernel) const {
    const Shape& shape = weight_.shape;
    const std::int64_t inner = shape[4], all_taps = shape[1] * shape[2] * shape[3];
    const std::int64_t output_stride = scatters_ ? 1 : all_taps * inner,
                       input_stride = scatters_ ? all_taps * inner : 1;
    const auto phases_2 = static_cast<std::int64_t>(axis_2_.phases.size());
    for (std::int64_t line = first; line < first + count; ++line) {
        const std::int64_t depth = line % depth_, phase = depth / inputs_;
        const PhasedRun::Phase& one = axis_1_.phases[static_cast<std::size_t>(phase / phases_2)];
        const PhasedRun::Phase& two = axis_2_.phases[static_cast<std::size_t>(phase % phases_2)];
        const float* from = weight_.as<float>() + taps_[static_cast<std::size_t>(line / depth_)] * inner +
                            depth % inputs_ * input_stride + block.first * output_stride;
        float* to = kernel + (line - first) * block.rows;
        for (const std::int64_t k_1 : one.weights) {
            for (const std::int64_t k_2 : two.weights) {
                const bool exists = k_1 >= 0 && k_2 >= 0;
                const std::int64_t offset = exists ? (k_1 * shape[2] + k_2) * shape[3] * inner : 0;
                for (std::int64_t o = 0; o < block.rows; ++o) {
                    to[o] = exists ? from[offset + o * output_stride] : 0.0f;
                }
                to += most_lines * most_rows;
            }
        }
    }
}

/// G_1 kernel G_2^T of some lines of a block, at all transformed points.
void Tiles::transform_lines(std::int64_t first, std::int64_t count, const Block& block, float* to) const {
    constexpr std::int64_t pitch = most_lines * most_rows;
    const WinogradTransform &f_1 = *filter_1_, &f_2 = *filter_2_;
    const TileFilters* filters = kernels_->tiles->filters;
    const std::int64_t lines = static_cast<std::int64_t>(taps_.size()) * depth_;
    std::array<float, 3 * 3 * pitch> kernel;
    std::array<float, 6 * 3 * pitch> half;
    std::array<const float*, 3> from{};
    std::array<float*, 6> at{};
    gather_weights(first, count, block, kernel.data());
    to += lines * block.first + first * block.rows;
    for (std::int64_t b = 0; b < f_2.kernel; ++b) {
        for (std::int64_t a = 0; a < f_1.kernel; ++a) {
            from[static_cast<std::size_t>(a)] = kernel.data() + (a * f_2.kernel + b) * pitch;
        }
        for (std::int64_t point = 0; point < f_1.points; ++point) {
            at[static_cast<std::size_t>(point)] = half.data() + (point * f_2.kernel + b) * pitch;
        }
        filters[static_cast<std::size_t>(f_1.name)].weights({from.data(), at.data(), count * block.rows});
    }
    for (std::int64_t point_1 = 0; point_1 < f_1.points; ++point_1) {
        for (std::int64_t b = 0; b < f_2.kernel; ++b) {
            from[static_cast<std::size_t>(b)] = half.data() + (point_1 * f_2.kernel + b) * pitch;
        }
        for (std::int64_t point_2 = 0; point_2 < f_2.points; ++point_2) {
            at[static_cast<std::size_t>(point_2)] = to + (point_1 * f_2.points + point_2) * lines * channels_;
        }
        filters[static_cast<std::size_t>(f_2.name)].weights({from.data(), at.data(), count * block.rows});
    }
}

void Tiles::transform_weights(float* to) const {
    const std::int64_t lines = static_cast<std::int64_t>(taps_.size()) * depth_;
    const std::vector<Block> cut = blocks();
    parallel_ranges(threads_, lines, most_lines, [&](std::int64_t begin, std::int64_t end) {
        for (const Block& block : cut) {
            for (std::int64_t line = begin; line < end; line += most_lines) {
                transform_lines(line, std::min(most_lines, end - line), block, to);
            }
        }
    });
}

/// Products go best over two vectors at a time, if need be of two tiles. Two tiles also share what weights cost that
/// are too many for the second-level cache.
std::int64_t Tiles::group() const {
    constexpr std::int64_t many = 1 << 18;
    const std::int64_t weights =
        filter_1_->points * filter_2_->points * static_cast<std::int64_t>(taps_.size()) * depth_ * channels_;
    const bool odd = std::ranges::any_of(axis_3_, [&](const RowRun& run) { return run_vectors(run) % 2 != 0; });
    return odd || weights > many ? 2 : 1;
}

}  // namespace plumecast::cpu
