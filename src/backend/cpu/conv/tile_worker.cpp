#include "backend/cpu/conv/tile_worker.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace plumecast::cpu {
namespace {

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();

/// Terms of a sum of lines; those with factor zero or without a line are left out.
class Terms {
   public:
    /// The factors of one result, a row of one of a filtering's matrices.
    explicit Terms(std::span<const float> factors) : row_(factors) {}

    void add(std::int64_t index, const float* line) {
        const float factor = row_[static_cast<std::size_t>(index)];
        if (factor != 0.0f && line != nullptr) {
            factors_[count_] = factor;
            lines_[count_++] = line;
        }
    }
    /// The sum of all terms as one row of `columns` floats. Refers to the terms.
    ConvSum sum(float* y, std::int64_t columns) const {
        ConvSum call{};
        call.x = lines_.data();
        call.factors = factors_.data();
        call.terms = static_cast<std::int64_t>(count_);
        call.y = y;
        call.rows = 1;
        call.columns = columns;
        call.slope = 1.0f;
        return call;
    }

   private:
    std::span<const float> row_;
    std::array<const float*, 6> lines_{};
    std::array<float, 6> factors_{};
    std::size_t count_ = 0;
};

std::span<const float> row_of(std::span<const float> matrix, std::int64_t row, std::int64_t columns) {
    return matrix.subspan(static_cast<std::size_t>(row * columns), static_cast<std::size_t>(columns));
}

}  // namespace

std::int64_t Tiles::Worker::floats(const Tiles& tiles) {
    const Filtering& f = *tiles.filtering_;
    return (f.places * f.places + 1) * tiles.line_floats() + (1 + f.tile) * f.places * tiles.rows_ * tiles.width_;
}

Tiles::Worker::Worker(const Tiles& tiles, float* memory)
    : t_(&tiles),
      places_(tiles.filtering_->places),
      line_(tiles.line_floats()),
      products_floats_(tiles.rows_ * tiles.width_),
      columns_(memory),
      point_(columns_ + places_ * places_ * line_),
      products_(point_ + line_),
      halves_(products_ + places_ * products_floats_),
      held_(static_cast<std::size_t>(places_), nothing) {
    std::fill_n(columns_, places_ * places_ * line_, 0.0f);
}

void Tiles::Worker::start_row() { std::fill(held_.begin(), held_.end(), nothing); }

void Tiles::Worker::run(std::int64_t batch, std::int64_t i, std::int64_t j) {
    const std::int64_t tile = t_->filtering_->tile;
    const std::int64_t first_1 = i * tile + t_->runs_.axis_1.position, first_2 = j * tile + t_->runs_.axis_2.position;
    for (std::int64_t position = first_2; position < first_2 + places_; ++position) {
        std::int64_t& held = held_[static_cast<std::size_t>(slot(position))];
        if (held != position) {
            transform_column(batch, first_1, position);
            held = position;
        }
    }
    for (std::int64_t place_2 = 0; place_2 < places_; ++place_2) {
        for (std::int64_t place_1 = 0; place_1 < places_; ++place_1) {
            transform_point(first_2, place_1, place_2);
            multiply(place_1, place_2);
        }
        add_up(place_2);
    }
    write(batch, i, j);
}

/// Lines at `position` along axis 2, transformed along axis 1. Rows beyond the field's ends stay zero from the start.
void Tiles::Worker::transform_column(std::int64_t batch, std::int64_t first_1, std::int64_t position) {
    const Shape& shape = t_->inputs_.front().shape;
    const std::int64_t points = std::min(shape[3], t_->line_rows_ - t_->line_before_);
    float* to = column(position) + t_->line_before_ * t_->depth_;
    for (const ConstView& input : t_->inputs_) {
        const std::int64_t channels = input.shape[4];
        const bool whole = channels == t_->depth_;
        for (std::int64_t place = 0; place < places_; ++place) {
            Terms terms(row_of(t_->filtering_->inputs, place, places_));
            for (std::int64_t k = 0; k < places_ && position >= 0 && position < shape[2]; ++k) {
                const std::int64_t at = first_1 + k, line = (batch * shape[1] + at) * shape[2] + position;
                terms.add(k, at < 0 || at >= shape[1] ? nullptr : input.as<float>() + line * shape[3] * channels);
            }
            ConvSum call = terms.sum(to + place * line_, whole ? points * channels : channels);
            call.rows = whole ? 1 : points;
            call.x_stride = channels;
            call.y_stride = t_->depth_;
            t_->kernels_->sum(call);
        }
        to += channels;
    }
}

void Tiles::Worker::transform_point(std::int64_t first_2, std::int64_t place_1, std::int64_t place_2) const {
    Terms terms(row_of(t_->filtering_->inputs, place_2, places_));
    for (std::int64_t k = 0; k < places_; ++k) {
        terms.add(k, column(first_2 + k) + place_1 * line_);
    }
    t_->kernels_->sum(terms.sum(point_, line_));
}

/// Products of the point with the weights of its place, summed over channels and axis 3.
void Tiles::Worker::multiply(std::int64_t place_1, std::int64_t place_2) const {
    const auto all_taps = static_cast<std::int64_t>(t_->taps_.size());
    for (const Job& job : t_->jobs_) {
        const std::int64_t panel_width = job.panel.vectors * t_->kernels_->lanes;
        const float* w = job.weights + (place_1 * places_ + place_2) * all_taps * t_->depth_ * panel_width;
        float* y = products_ + place_1 * products_floats_ + job.column;
        for (const RowRun& run : t_->runs_.axis_3) {
            const std::int64_t depth = static_cast<std::int64_t>(run.weights.size()) * t_->depth_;
            const float* x = point_ + (run.position + t_->line_before_) * t_->depth_;
            t_->kernels_->rows({.x = &x,
                                .w = &w,
                                .taps = 1,
                                .depth = depth,
                                .x_stride = run.input_step * t_->depth_,
                                .y = y,
                                .y_stride = t_->width_,
                                .rows = run.rows,
                                .columns = panel_width,
                                .vectors = job.panel.vectors,
                                .bias = nullptr,
                                .beta = 0.0f,
                                .slope = 1.0f});
            w += depth * panel_width;
            y += run.rows * t_->width_;
        }
    }
}

/// Sums over the places along axis 1, for every row of the tile.
void Tiles::Worker::add_up(std::int64_t place_2) const {
    for (std::int64_t row = 0; row < t_->filtering_->tile; ++row) {
        Terms terms(row_of(t_->filtering_->outputs, row, places_));
        for (std::int64_t place = 0; place < places_; ++place) {
            terms.add(place, products_ + place * products_floats_);
        }
        t_->kernels_->sum(terms.sum(halves_ + (row * places_ + place_2) * products_floats_, products_floats_));
    }
}

void Tiles::Worker::write(std::int64_t batch, std::int64_t i, std::int64_t j) const {
    const std::int64_t tile = t_->filtering_->tile;
    const RowRun &run_1 = t_->runs_.axis_1, &run_2 = t_->runs_.axis_2;
    for (std::int64_t row = 0; row < std::min(tile, run_1.rows - i * tile); ++row) {
        for (std::int64_t column = 0; column < std::min(tile, run_2.rows - j * tile); ++column) {
            for (const Job& job : t_->jobs_) {
                const Shape& shape = job.target.view.shape;
                const std::int64_t at_1 = run_1.first + (i * tile + row) * run_1.step;
                const std::int64_t at_2 = run_2.first + (j * tile + column) * run_2.step;
                write_line(job, row, column, (batch * shape[1] + at_1) * shape[2] + at_2);
            }
        }
    }
}

/// Sums over the places along axis 2, finished and written where they belong.
void Tiles::Worker::write_line(const Job& job, std::int64_t row, std::int64_t column, std::int64_t line) const {
    const std::int64_t channels = job.target.view.shape[4];
    float* y = job.target.view.as<float>() + line * job.target.view.shape[3] * channels + job.panel.first;
    std::int64_t before = 0;
    for (const RowRun& run : t_->runs_.axis_3) {
        Terms terms(row_of(t_->filtering_->outputs, column, places_));
        for (std::int64_t place = 0; place < places_; ++place) {
            terms.add(place, halves_ + (row * places_ + place) * products_floats_ + before * t_->width_ + job.column);
        }
        ConvSum call = terms.sum(y + run.first * channels, job.panel.columns);
        call.x_stride = t_->width_;
        call.y_stride = run.step * channels;
        call.rows = run.rows;
        call.bias = job.bias;
        call.beta = static_cast<float>(job.target.beta);
        call.slope = job.slope;
        t_->kernels_->sum(call);
        before += run.rows;
    }
}

}  // namespace plumecast::cpu
