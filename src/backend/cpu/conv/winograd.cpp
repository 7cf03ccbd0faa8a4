#include "backend/cpu/conv/winograd.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "backend/cpu/conv/direct.hpp"
#include "backend/cpu/conv/taps.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

constexpr std::int64_t tile = 2;              ///< outputs of a tile along an axis
constexpr std::int64_t span = 4;              ///< inputs that they read
constexpr std::int64_t places = span * span;  ///< products of a tile for each pair of channels

/// F(2, 3) along one axis: outputs = A ((G kernel) * (B inputs)).
constexpr std::array<std::array<float, 4>, 4> input_factors{
    {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}};
constexpr std::array<std::array<float, 3>, 4> kernel_factors{{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}};
constexpr std::array<std::array<float, 4>, 2> output_factors{{{1, 1, 1, 0}, {0, 1, -1, -1}}};

/// The terms of a sum of lines, zero factors left out.
class Terms {
   public:
    void add(float factor, const float* line) {
        if (factor != 0.0f && line != nullptr) {
            factors_[count_] = factor;
            lines_[count_++] = line;
        }
    }
    ConvSum sum() const {
        ConvSum call{};
        call.x = lines_.data();
        call.factors = factors_.data();
        call.terms = static_cast<std::int64_t>(count_);
        call.slope = 1.0f;
        return call;
    }

   private:
    std::array<const float*, span> lines_{};
    std::array<float, span> factors_{};
    std::size_t count_ = 0;
};

/// Channels of a result, a panel of the transformed weights, and where they go.
struct Job {
    Panel panel;
    Target target;
    const float* weights;  ///< [places, taps along axis 3, depth, panel width]
    const float* bias;     ///< or nullptr
    std::int64_t column;   ///< first of the panel in a line of products
    double slope;
};

/// One convolution, ready to run tile by tile.
class Tiles {
   public:
    Tiles(const ConvKernels& kernels, int threads, MemoryResource& memory, const std::array<AxisRule, 3>& rules,
          std::span<const ConstView> inputs, ConstView weight, const Shape& output);

    /// Result channels [channel, ...) of the weight.
    void add(const Target& target, std::int64_t channel, ConstView bias, double slope);
    void run();

   private:
    class Worker;

    void transform_weights(const Panel& panel, std::int64_t channel, float* to) const;
    std::int64_t line() const { return (run_.rows + taps() - 1) * depth_; }
    std::int64_t taps() const { return static_cast<std::int64_t>(run_.weights.size()); }

    const ConvKernels* kernels_;
    int threads_;
    MemoryResource* memory_;
    std::array<AxisRule, 3> rules_;
    std::span<const ConstView> inputs_;
    ConstView weight_;
    Shape output_;
    std::int64_t depth_ = 0;
    RowRun run_;                           ///< axis 3
    std::array<std::int64_t, 2> first_{};  ///< input position that output 0 meets first, axes 1 and 2
    std::int64_t width_ = 0;               ///< floats of a row of products
    std::vector<Job> jobs_;
    std::vector<Tensor> held_;
};

Tiles::Tiles(const ConvKernels& kernels, int threads, MemoryResource& memory, const std::array<AxisRule, 3>& rules,
             std::span<const ConstView> inputs, ConstView weight, const Shape& output)
    : kernels_(&kernels),
      threads_(threads),
      memory_(&memory),
      rules_(rules),
      inputs_(inputs),
      weight_(weight),
      output_(output),
      run_(rules[2].runs(output[3], inputs.front().shape[3]).front()) {
    for (const ConstView& input : inputs) {
        depth_ += input.shape[4];
    }
    for (std::size_t axis = 0; axis < first_.size(); ++axis) {
        const AxisRule& rule = rules_[axis];
        first_[axis] = rule.scatters ? rule.padding - (rule.kernel - 1) : -rule.padding;
    }
}

void Tiles::add(const Target& target, std::int64_t channel, ConstView bias, double slope) {
    const std::int64_t channels = target.view.shape[4];
    const std::vector<Panel> cut = panels(*kernels_, channels);
    const std::int64_t width = (cut.back().offset + cut.back().vectors) * kernels_->lanes;
    const std::int64_t per_column = places * taps() * depth_;
    Tensor& memory = held_.emplace_back(*memory_, Shape{width * (per_column + 1)}, DType::float32);
    float* weights = memory.view().as<float>();
    float* own_bias = weights + width * per_column;
    if (bias.data != nullptr) {
        std::fill(std::copy_n(bias.as<float>(), channels, own_bias), own_bias + width, 0.0f);
    }
    for (const Panel& panel : cut) {
        float* own = weights + panel.offset * kernels_->lanes * per_column;
        transform_weights(panel, channel, own);
        jobs_.push_back(
            {panel, target, own, bias.data != nullptr ? own_bias + panel.first : nullptr, width_ + panel.first, slope});
    }
    width_ += width;
}

/// [places, taps, depth, panel width] = G kernel G^T over axes 1 and 2, zero beyond the last channel.
void Tiles::transform_weights(const Panel& panel, std::int64_t channel, float* to) const {
    const bool scatters = rules_[0].scatters;
    const std::int64_t kernel_3 = rules_[2].kernel, all_taps = 9 * kernel_3, inner = weight_.shape[4];
    const std::int64_t output_stride = scatters ? 1 : all_taps * inner, depth_stride = scatters ? all_taps * inner : 1;
    const std::int64_t width = panel.vectors * kernels_->lanes, place_stride = taps() * depth_ * width;
    parallel_ranges(threads_, taps() * depth_, 1 + 4096 / width, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const float* from = weight_.as<float>() + run_.weights[static_cast<std::size_t>(row / depth_)] * inner +
                                row % depth_ * depth_stride + (channel + panel.first) * output_stride;
            float* out = to + row * width;
            for (std::int64_t n = 0; n < width; ++n) {
                std::array<std::array<float, 3>, span> half{};
                for (std::size_t i = 0; i < span && n < panel.columns; ++i) {
                    for (std::size_t b = 0; b < 3; ++b) {
                        for (std::size_t a = 0; a < 3; ++a) {
                            const std::size_t pair = scatters ? (2 - a) * 3 + 2 - b : a * 3 + b;
                            half[i][b] += kernel_factors[i][a] *
                                          from[n * output_stride + static_cast<std::int64_t>(pair) * kernel_3 * inner];
                        }
                    }
                }
                for (std::size_t place = 0; place < places; ++place) {
                    const auto& row_i = half[place / span];
                    const auto& factors = kernel_factors[place % span];
                    out[static_cast<std::int64_t>(place) * place_stride + n] =
                        factors[0] * row_i[0] + factors[1] * row_i[1] + factors[2] * row_i[2];
                }
            }
        }
    });
}

/// A thread's memory and what it holds.
class Tiles::Worker {
   public:
    static std::int64_t floats(const Tiles& tiles) {
        return (places + 1) * tiles.line() + (span + tile * span) * tiles.run_.rows * tiles.width_;
    }
    Worker(const Tiles& tiles, float* memory)
        : t_(&tiles),
          columns_(memory),
          point_(columns_ + places * tiles.line()),
          products_(point_ + tiles.line()),
          halves_(products_ + span * tiles.run_.rows * tiles.width_) {
        std::fill_n(columns_, places * tiles.line(), 0.0f);
        held_.fill(none);
    }

    /// Tile (i, j) of a batch entry.
    void run(std::int64_t batch, std::int64_t i, std::int64_t j);
    /// Forgets the columns: axis 1 now means other positions.
    void clear() { held_.fill(none); }

   private:
    static constexpr std::int64_t none = -1000000;

    static std::int64_t slot(std::int64_t position) { return (position % span + span) % span; }
    float* column(std::int64_t position) const { return columns_ + slot(position) * span * t_->line(); }
    void transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position);
    void multiply(std::int64_t first_2, std::int64_t place_2);
    void write(std::int64_t batch, std::int64_t i, std::int64_t j) const;

    const Tiles* t_;
    float* columns_;   ///< [position along axis 2 mod span, place along axis 1, line]
    float* point_;     ///< a line transformed along both axes
    float* products_;  ///< [place along axis 1, rows, width]
    float* halves_;    ///< [tile row, place along axis 2, rows, width]
    std::array<std::int64_t, span> held_{};
};

void Tiles::Worker::run(std::int64_t batch, std::int64_t i, std::int64_t j) {
    const std::int64_t first_1 = i * tile + t_->first_[0], first_2 = j * tile + t_->first_[1];
    for (std::int64_t position = first_2; position < first_2 + span; ++position) {
        std::int64_t& held = held_[static_cast<std::size_t>(slot(position))];
        if (held != position) {
            transform_column(batch, first_1, position);
            held = position;
        }
    }
    for (std::int64_t place = 0; place < span; ++place) {
        multiply(first_2, place);
    }
    write(batch, i, j);
}

/// Lines at `position` along axis 2, transformed along axis 1. Rows beyond the field's ends stay zero from the start.
void Tiles::Worker::transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position) {
    const Shape& shape = t_->inputs_.front().shape;
    const std::int64_t rows = t_->run_.rows + t_->taps() - 1;
    const std::int64_t begin = std::max<std::int64_t>(0, t_->run_.position);
    const std::int64_t end = std::max(begin, std::min(shape[3], t_->run_.position + rows));
    float* to = column(position) + (begin - t_->run_.position) * t_->depth_;
    for (const ConstView& input : t_->inputs_) {
        const std::int64_t channels = input.shape[4];
        for (std::size_t place = 0; place < span; ++place) {
            Terms terms;
            for (std::int64_t k = 0; k < span && position >= 0 && position < shape[2]; ++k) {
                const std::int64_t at = first_1 + k;
                const std::int64_t line = (batch * shape[1] + at) * shape[2] + position;
                terms.add(
                    input_factors[place][static_cast<std::size_t>(k)],
                    at < 0 || at >= shape[1] ? nullptr : input.as<float>() + (line * shape[3] + begin) * channels);
            }
            ConvSum call = terms.sum();
            const bool whole = channels == t_->depth_;
            call.rows = whole ? 1 : end - begin;
            call.columns = whole ? (end - begin) * channels : channels;
            call.x_stride = channels;
            call.y = to + static_cast<std::int64_t>(place) * t_->line();
            call.y_stride = t_->depth_;
            t_->kernels_->sum(call);
        }
        to += channels;
    }
}

/// Products of all places along axis 1 with one along axis 2, and their sums for the rows of the tile.
void Tiles::Worker::multiply(std::int64_t first_2, std::int64_t place_2) {
    const std::int64_t line = t_->line(), rows = t_->run_.rows, width = t_->width_, depth = t_->taps() * t_->depth_;
    for (std::int64_t place_1 = 0; place_1 < span; ++place_1) {
        Terms terms;
        for (std::int64_t k = 0; k < span; ++k) {
            terms.add(input_factors[static_cast<std::size_t>(place_2)][static_cast<std::size_t>(k)],
                      column(first_2 + k) + place_1 * line);
        }
        ConvSum call = terms.sum();
        call.rows = 1, call.columns = line, call.y = point_;
        t_->kernels_->sum(call);
        for (const Job& job : t_->jobs_) {
            const std::int64_t panel_width = job.panel.vectors * t_->kernels_->lanes;
            const float* x = point_;
            const float* w = job.weights + (place_1 * span + place_2) * depth * panel_width;
            t_->kernels_->rows({.x = &x,
                                .w = &w,
                                .taps = 1,
                                .depth = depth,
                                .x_stride = t_->depth_,
                                .y = products_ + place_1 * rows * width + job.column,
                                .y_stride = width,
                                .rows = rows,
                                .columns = panel_width,
                                .vectors = job.panel.vectors,
                                .bias = nullptr,
                                .beta = 0.0f,
                                .slope = 1.0f});
        }
    }
    for (std::int64_t row = 0; row < tile; ++row) {
        Terms terms;
        for (std::int64_t place = 0; place < span; ++place) {
            terms.add(output_factors[static_cast<std::size_t>(row)][static_cast<std::size_t>(place)],
                      products_ + place * rows * width);
        }
        ConvSum call = terms.sum();
        call.rows = 1, call.columns = rows * width, call.y = halves_ + (row * span + place_2) * rows * width;
        t_->kernels_->sum(call);
    }
}

void Tiles::Worker::write(std::int64_t batch, std::int64_t i, std::int64_t j) const {
    const Shape& shape = t_->output_;
    const std::int64_t rows = t_->run_.rows;
    for (std::int64_t index = 0; index < tile * tile; ++index) {
        const std::int64_t row = index / tile, at_1 = i * tile + row, at_2 = j * tile + index % tile;
        if (at_1 >= shape[1] || at_2 >= shape[2]) {
            continue;
        }
        for (const Job& job : t_->jobs_) {
            Terms terms;
            for (std::int64_t place = 0; place < span; ++place) {
                terms.add(output_factors[static_cast<std::size_t>(index % tile)][static_cast<std::size_t>(place)],
                          halves_ + (row * span + place) * rows * t_->width_ + job.column);
            }
            const std::int64_t channels = job.target.view.shape[4];
            const std::int64_t line = (batch * shape[1] + at_1) * shape[2] + at_2;
            ConvSum call = terms.sum();
            call.x_stride = t_->width_;
            call.y = job.target.view.as<float>() + line * rows * channels + job.panel.first;
            call.y_stride = channels;
            call.rows = rows;
            call.columns = job.panel.columns;
            call.bias = job.bias;
            call.beta = static_cast<float>(job.target.beta);
            call.slope = static_cast<float>(job.slope);
            t_->kernels_->sum(call);
        }
    }
}

void Tiles::run() {
    const std::int64_t tiles_1 = (output_[1] + tile - 1) / tile, tiles_2 = (output_[2] + tile - 1) / tile;
    const std::int64_t floats = Worker::floats(*this);
    Tensor scratch(*memory_, Shape{threads_ * floats}, DType::float32);
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, output_[0] * tiles_1 * tiles_2, 1, [&](std::int64_t begin, std::int64_t end) {
        Worker worker(*this, base + omp_get_thread_num() * floats);
        for (std::int64_t index = begin; index < end; ++index) {
            if (index % tiles_2 == 0) {
                worker.clear();
            }
            worker.run(index / tiles_2 / tiles_1, index / tiles_2 % tiles_1, index % tiles_2);
        }
    });
}

}  // namespace

bool WinogradConv::fits(const ConvGeometry& geometry) {
    const ConvGeometry::Axes ones{1, 1, 1};
    return geometry.kernel[0] == 3 && geometry.kernel[1] == 3 && geometry.stride == ones;
}

bool WinogradConv::pays(const ConvGeometry& geometry, const Shape& result, std::int64_t depth) {
    if (!fits(geometry) || depth < 16) {
        return false;
    }
    const std::int64_t tiles = result[0] * ((result[1] + tile - 1) / tile) * ((result[2] + tile - 1) / tile);
    // A tile saves at most 20 of 36 products a row, some of them lost on transforms and on tiles that stick out;
    // weights cost about as much to transform as 100 rows of a tile save.
    return tiles * result[3] >= 250 && tiles * places * 4 < result[0] * result[1] * result[2] * 9 * 3;
}

void WinogradConv::forward(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                           ConstView bias, Target y, double slope) const {
    Tiles tiles(*kernels_, threads_, *memory_, axis_rules(geometry, false), inputs, weight, y.view.shape);
    tiles.add(y, 0, bias, slope);
    tiles.run();
}

void WinogradConv::data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                 std::span<const Target> gradient_inputs) const {
    const std::array<ConstView, 1> source{gradient_y};
    Tiles tiles(*kernels_, threads_, *memory_, axis_rules(geometry, true), source, weight,
                gradient_inputs.front().view.shape);
    std::int64_t channel = 0;
    for (const Target& target : gradient_inputs) {
        tiles.add(target, channel, ConstView(), 1.0);
        channel += target.view.shape[4];
    }
    tiles.run();
}

}  // namespace plumecast::cpu
