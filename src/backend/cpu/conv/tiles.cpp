#include "backend/cpu/conv/tiles.hpp"

#include <algorithm>

#include "backend/cpu/conv/tile_worker.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

/// [places, places] = G kernel G^T for one pair of channels; results go `stride` floats apart.
void transform_kernel(const Filtering& f, const float* kernel, float* to, std::int64_t stride) {
    std::array<float, 6 * 3> half{};
    for (std::int64_t i = 0; i < f.places; ++i) {
        for (std::int64_t b = 0; b < f.kernel; ++b) {
            float sum = 0.0f;
            for (std::int64_t a = 0; a < f.kernel; ++a) {
                sum += f.weights[static_cast<std::size_t>(i * f.kernel + a)] * kernel[a * f.kernel + b];
            }
            half[static_cast<std::size_t>(i * f.kernel + b)] = sum;
        }
    }
    for (std::int64_t place = 0; place < f.places * f.places; ++place) {
        float sum = 0.0f;
        for (std::int64_t b = 0; b < f.kernel; ++b) {
            sum += f.weights[static_cast<std::size_t>(place % f.places * f.kernel + b)] *
                   half[static_cast<std::size_t>(place / f.places * f.kernel + b)];
        }
        to[place * stride] = sum;
    }
}

}  // namespace

Tiles::Tiles(const ConvKernels& kernels, const Filtering& filtering, int threads, MemoryResource& memory,
             const Runs& runs, std::span<const ConstView> inputs, ConstView weight, bool scatters)
    : kernels_(&kernels),
      filtering_(&filtering),
      threads_(threads),
      memory_(&memory),
      runs_(runs),
      inputs_(inputs),
      weight_(weight),
      scatters_(scatters) {
    lay_out();
}

void Tiles::lay_out() {
    layout_.first_1 = runs_.axis_1.position;
    layout_.first_2 = runs_.axis_2.position;
    for (const ConstView& input : inputs_) {
        layout_.depth += input.shape[4];
    }
    std::int64_t end = 1;
    for (const RowRun& run : runs_.axis_3) {
        const auto weights = static_cast<std::int64_t>(run.weights.size());
        layout_.before = std::max(layout_.before, -run.position);
        end = std::max(end, run.position + (run.rows - 1) * run.input_step + weights);
        taps_.insert(taps_.end(), run.weights.begin(), run.weights.end());
        rows_ += run.rows;
    }
    layout_.rows = layout_.before + end;
}

void Tiles::add(const Target& target, std::int64_t channel, ConstView bias, double slope) {
    const std::int64_t channels = target.view.shape[4];
    const std::vector<Panel> cut = panels(*kernels_, channels);
    const std::int64_t width = (cut.back().offset + cut.back().vectors) * kernels_->lanes;
    const std::int64_t per_column =
        filtering_->places * filtering_->places * static_cast<std::int64_t>(taps_.size()) * layout_.depth;
    Tensor& memory = held_.emplace_back(*memory_, Shape{width * per_column}, DType::float32);
    for (const Panel& panel : cut) {
        float* weights = memory.view().as<float>() + panel.first * per_column;
        transform_weights(panel, channel, weights);
        jobs_.push_back({panel, target, weights, bias.data != nullptr ? bias.as<float>() + panel.first : nullptr,
                         width_ + panel.first, static_cast<float>(slope)});
    }
    width_ += width;
}

void Tiles::transform_weights(const Panel& panel, std::int64_t channel, float* to) const {
    const Shape& shape = weight_.shape;
    const std::int64_t inner = shape[4], all_taps = shape[1] * shape[2] * shape[3];
    const std::int64_t output_stride = scatters_ ? 1 : all_taps * inner,
                       depth_stride = scatters_ ? all_taps * inner : 1;
    const std::int64_t width = panel.vectors * kernels_->lanes, kernel = filtering_->kernel;
    const std::int64_t lines = static_cast<std::int64_t>(taps_.size()) * layout_.depth;
    std::vector<std::int64_t> offsets;  // of the weights that a tile meets, in order of position
    for (const std::int64_t a : runs_.axis_1.weights) {
        for (const std::int64_t b : runs_.axis_2.weights) {
            offsets.push_back((a * shape[2] + b) * shape[3] * inner);
        }
    }
    parallel_ranges(threads_, lines, 1 + 4096 / width, [&](std::int64_t begin, std::int64_t end) {
        std::array<float, 9> pairs{};
        for (std::int64_t line = begin; line < end; ++line) {
            const float* from = weight_.as<float>() + taps_[static_cast<std::size_t>(line / layout_.depth)] * inner +
                                line % layout_.depth * depth_stride + (channel + panel.first) * output_stride;
            for (std::int64_t n = 0; n < width; ++n) {
                for (std::int64_t pair = 0; pair < kernel * kernel; ++pair) {
                    pairs[static_cast<std::size_t>(pair)] =
                        n < panel.columns ? from[n * output_stride + offsets[static_cast<std::size_t>(pair)]] : 0.0f;
                }
                transform_kernel(*filtering_, pairs.data(), to + line * width + n, lines * width);
            }
        }
    });
}

void Tiles::run() {
    const std::int64_t tiles_1 = tiles(runs_.axis_1), tiles_2 = tiles(runs_.axis_2);
    const std::int64_t batch = inputs_.front().shape[0], floats = Worker::floats(*this);
    Tensor scratch(*memory_, Shape{threads_ * floats}, DType::float32);
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, batch * tiles_1 * tiles_2, 1, [&](std::int64_t begin, std::int64_t end) {
        Worker worker(*this, base + omp_get_thread_num() * floats);
        for (std::int64_t tile = begin; tile < end; ++tile) {
            if (tile % tiles_2 == 0) {
                worker.start_row();
            }
            worker.run(tile / tiles_2 / tiles_1, tile / tiles_2 % tiles_1, tile % tiles_2);
        }
    });
}

}  // namespace plumecast::cpu
