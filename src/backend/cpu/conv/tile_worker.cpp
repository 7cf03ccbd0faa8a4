#include "backend/cpu/conv/tile_worker.hpp"

#include <algorithm>

#include "backend/cpu/conv/line_sum.hpp"

namespace plumecast::cpu {

std::int64_t Tiles::Worker::floats(const Tiles& tiles) {
    const Filtering& f = *tiles.filtering_;
    return tiles.layout_.floats(f) + (1 + f.tile) * f.places * tiles.rows_ * tiles.width_;
}

Tiles::Worker::Worker(const Tiles& tiles, float* memory)
    : t_(&tiles),
      places_(tiles.filtering_->places),
      products_floats_(tiles.rows_ * tiles.width_),
      lines_(*tiles.kernels_, *tiles.filtering_, tiles.layout_, tiles.inputs_, memory),
      products_(memory + tiles.layout_.floats(*tiles.filtering_)),
      halves_(products_ + places_ * products_floats_) {}

void Tiles::Worker::run(std::int64_t batch, std::int64_t i, std::int64_t j) {
    lines_.load(batch, i, j);
    for (std::int64_t place_2 = 0; place_2 < places_; ++place_2) {
        for (std::int64_t place_1 = 0; place_1 < places_; ++place_1) {
            multiply(place_1, place_2);
        }
        add_up(place_2);
    }
    write(batch, i, j);
}

/// Products of a point with the weights of its place, summed over channels and axis 3.
void Tiles::Worker::multiply(std::int64_t place_1, std::int64_t place_2) const {
    const float* point = lines_.point(place_1, place_2);
    const auto all_taps = static_cast<std::int64_t>(t_->taps_.size());
    for (const Job& job : t_->jobs_) {
        const std::int64_t panel_width = job.panel.vectors * t_->kernels_->lanes;
        const float* w = job.weights + (place_1 * places_ + place_2) * all_taps * t_->layout_.depth * panel_width;
        float* y = products_ + place_1 * products_floats_ + job.column;
        for (const RowRun& run : t_->runs_.axis_3) {
            const std::int64_t depth = static_cast<std::int64_t>(run.weights.size()) * t_->layout_.depth;
            const float* x = point + (run.position + t_->layout_.before) * t_->layout_.depth;
            t_->kernels_->rows({.x = &x,
                                .w = &w,
                                .taps = 1,
                                .depth = depth,
                                .x_stride = run.input_step * t_->layout_.depth,
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
        const auto factors = row_of(t_->filtering_->outputs, row, places_);
        LineSum sum;
        for (std::int64_t place = 0; place < places_; ++place) {
            sum.add(factors[static_cast<std::size_t>(place)], products_ + place * products_floats_);
        }
        t_->kernels_->sum(sum.into(halves_ + (row * places_ + place_2) * products_floats_, products_floats_));
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
    const auto factors = row_of(t_->filtering_->outputs, column, places_);
    std::int64_t before = 0;
    for (const RowRun& run : t_->runs_.axis_3) {
        LineSum sum;
        for (std::int64_t place = 0; place < places_; ++place) {
            sum.add(factors[static_cast<std::size_t>(place)],
                    halves_ + (row * places_ + place) * products_floats_ + before * t_->width_ + job.column);
        }
        ConvSum call = sum.into(y + run.first * channels, job.panel.columns);
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
