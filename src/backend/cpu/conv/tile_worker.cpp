#include "backend/cpu/conv/tile_worker.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {

std::int64_t Tiles::Worker::points_floats(const Tiles& tiles) {
    return tiles.axis_3_.front().input_step * tiles.depth_ * tiles.pitch_x_;
}

std::int64_t Tiles::Worker::floats(const Tiles& t) {
    const WinogradTransform &f_1 = *t.filter_1_, &f_2 = *t.filter_2_;
    const std::int64_t group = t.layout_.group;
    return t.layout_.floats() + group * points_floats(t) +
           (group * (f_2.points + f_1.points * f_2.tile) + f_1.tile) * results_floats(t);
}

Tiles::Worker::Worker(const Tiles& tiles, float* memory)
    : t_(&tiles),
      blocks_(tiles.blocks()),
      lines_(*tiles.kernels_->tiles, tiles.layout_, memory),
      points_(memory + tiles.layout_.floats()),
      products_(points_ + tiles.layout_.group * points_floats(tiles)),
      halves_(products_ + tiles.layout_.group * tiles.filter_2_->points * results_floats(tiles)),
      finals_(halves_ + tiles.layout_.group * tiles.filter_1_->points * tiles.filter_2_->tile * results_floats(tiles)),
      taps_(tiles.taps_.size()) {
    std::fill(points_, products_, 0.0f);
}

void Tiles::Worker::run(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) {
    const WinogradTransform &f_1 = *t_->filter_1_, &f_2 = *t_->filter_2_;
    const std::int64_t size = t_->layout_.group * results_floats(*t_);
    const std::int64_t weights = static_cast<std::int64_t>(t_->taps_.size()) * t_->depth_ * t_->channels_;
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    lines_.load(batch, i, j, count);
    prefetch(batch, i, j, count);
    for (std::int64_t point_1 = 0; point_1 < f_1.points; ++point_1) {
        lines_.transform(point_1);
        for (std::int64_t point_2 = 0; point_2 < f_2.points; ++point_2) {
            arrange(point_2, count);
            multiply(t_->weights_ + (point_1 * f_2.points + point_2) * weights, products_ + point_2 * size, count);
            from[static_cast<std::size_t>(point_2)] = products_ + point_2 * size;
        }
        for (std::int64_t column = 0; column < f_2.tile; ++column) {
            to[static_cast<std::size_t>(column)] = halves_ + (point_1 * f_2.tile + column) * size;
        }
        t_->kernels_->tiles->filters[static_cast<std::size_t>(f_2.name)].outputs(
            {from.data(), to.data(), count * results_floats(*t_)});
    }
    write(batch, i, j, count);
}

/// What the next tiles read and these write comes from memory while products keep the processor busy.
void Tiles::Worker::prefetch(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const {
    const WinogradTransform &f_1 = *t_->filter_1_, &f_2 = *t_->filter_2_;
    const std::int64_t next = std::min(t_->layout_.group, f_2.tiles(t_->axis_2_.rows) - j - count);
    if (next > 0) {
        lines_.prefetch(batch, i, j + count, next);
    }
    for (std::int64_t column = 0; column < std::min(count * f_2.tile, t_->axis_2_.rows - j * f_2.tile); ++column) {
        for (std::int64_t row = 0; row < std::min(f_1.tile, t_->axis_1_.rows - i * f_1.tile); ++row) {
            for (const Result& result : t_->results_) {
                const Shape& shape = result.target.view.shape;
                const std::int64_t at_1 = t_->axis_1_.first + (i * f_1.tile + row) * t_->axis_1_.step;
                const std::int64_t at_2 = t_->axis_2_.first + (j * f_2.tile + column) * t_->axis_2_.step;
                const std::int64_t line = (batch * shape[1] + at_1) * shape[2] + at_2;
                prefetch_floats(result.target.view.as<float>() + line * shape[3] * shape[4], shape[3] * shape[4]);
            }
        }
    }
}

void Tiles::Worker::arrange(std::int64_t point_2, std::int64_t count) const {
    const std::int64_t step = t_->axis_3_.front().input_step, rows = t_->layout_.rows;
    for (std::int64_t tile = 0; tile < count; ++tile) {
        for (std::int64_t phase = 0; phase < std::min(step, rows); ++phase) {
            float* to = points_ + (tile * step + phase) * t_->depth_ * t_->pitch_x_;
            for (std::size_t f = 0; f < t_->layout_.fields.size(); ++f) {
                const std::int64_t channels = t_->layout_.fields[f].channels();
                t_->kernels_->tiles->transpose({.x = lines_.point(tile, point_2, f) + phase * channels,
                                                .x_stride = step * channels,
                                                .points = (rows - phase + step - 1) / step,
                                                .channels = channels,
                                                .y = to,
                                                .y_stride = t_->pitch_x_});
                to += channels * t_->pitch_x_;
            }
        }
    }
}

/// Products of the lines of a point with its weights, summed over channels and axis 3.
void Tiles::Worker::multiply(const float* weights, float* products, std::int64_t count) {
    for (const Block& block : blocks_) {
        float* to = products + block.first * t_->pitch_y_;
        for (const RowRun& run : t_->axis_3_) {
            multiply_run(run, block, weights, to, count);
            weights += static_cast<std::int64_t>(run.weights.size()) * t_->depth_ * block.rows;
            to += t_->run_vectors(run) * t_->kernels_->lanes;
        }
    }
}

void Tiles::Worker::multiply_run(const RowRun& run, const Block& block, const float* weights, float* products,
                                 std::int64_t count) {
    const std::int64_t vectors = t_->run_vectors(run), lanes = t_->kernels_->lanes;
    const auto at = [&](std::int64_t vector, std::int64_t tile_floats) {
        return vector / vectors * tile_floats + vector % vectors * lanes;
    };
    const std::int64_t from_tile = points_floats(*t_), to_tile = results_floats(*t_);
    const auto taps = static_cast<std::int64_t>(run.weights.size());
    for (std::int64_t vector = 0; vector < count * vectors; vector += 2) {
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t row = run.position + t_->layout_.before + tap;
            taps_[static_cast<std::size_t>(tap)] = points_ + at(vector, from_tile) +
                                                   row % run.input_step * t_->depth_ * t_->pitch_x_ +
                                                   row / run.input_step;
        }
        t_->kernels_->tiles->product({.x = taps_.data(),
                                      .taps = taps,
                                      .depth = t_->depth_,
                                      .x_stride = t_->pitch_x_,
                                      .x_step = at(vector + 1, from_tile) - at(vector, from_tile),
                                      .w = weights,
                                      .rows = block.rows,
                                      .vectors = std::min<std::int64_t>(2, count * vectors - vector),
                                      .y = products + at(vector, to_tile),
                                      .y_stride = t_->pitch_y_,
                                      .y_step = at(vector + 1, to_tile) - at(vector, to_tile)});
    }
}

void Tiles::Worker::write(std::int64_t batch, std::int64_t i, std::int64_t j, std::int64_t count) const {
    const WinogradTransform &f_1 = *t_->filter_1_, &f_2 = *t_->filter_2_;
    const std::int64_t size = results_floats(*t_);
    std::array<const float*, 6> from{};
    std::array<float*, 6> to{};
    for (std::int64_t row = 0; row < f_1.tile; ++row) {
        to[static_cast<std::size_t>(row)] = finals_ + row * size;
    }
    const std::int64_t columns = std::min(count * f_2.tile, t_->axis_2_.rows - j * f_2.tile);
    for (std::int64_t column = 0; column < columns; ++column) {
        for (std::int64_t point = 0; point < f_1.points; ++point) {
            const std::int64_t half = point * f_2.tile + column % f_2.tile;
            from[static_cast<std::size_t>(point)] = halves_ + (half * t_->layout_.group + column / f_2.tile) * size;
        }
        t_->kernels_->tiles->filters[static_cast<std::size_t>(f_1.name)].outputs({from.data(), to.data(), size});
        const std::int64_t at_2 = t_->axis_2_.first + (j * f_2.tile + column) * t_->axis_2_.step;
        for (std::int64_t row = 0; row < std::min(f_1.tile, t_->axis_1_.rows - i * f_1.tile); ++row) {
            const std::int64_t at_1 = t_->axis_1_.first + (i * f_1.tile + row) * t_->axis_1_.step;
            for (const Result& result : t_->results_) {
                const Shape& shape = result.target.view.shape;
                write_line(result, finals_ + row * size, (batch * shape[1] + at_1) * shape[2] + at_2);
            }
        }
    }
}

void Tiles::Worker::write_line(const Result& result, const float* from, std::int64_t line) const {
    const Shape& shape = result.target.view.shape;
    const std::int64_t channels = shape[4];
    from += result.channel * t_->pitch_y_;
    for (const RowRun& run : t_->axis_3_) {
        t_->kernels_->tiles->finish({.x = from,
                                     .x_stride = t_->pitch_y_,
                                     .points = run.rows,
                                     .channels = channels,
                                     .y = result.target.view.as<float>() + (line * shape[3] + run.first) * channels,
                                     .y_stride = run.step * channels,
                                     .bias = result.bias,
                                     .beta = static_cast<float>(result.target.beta),
                                     .slope = result.slope});
        from += t_->run_vectors(run) * t_->kernels_->lanes;
    }
}

void Tiles::run() {
    const std::int64_t points = filter_1_->points * filter_2_->points;
    layout_.group = group();
    const std::int64_t floats = Worker::floats(*this);
    Tensor weights(*scratch_.from, Shape{points * static_cast<std::int64_t>(taps_.size()) * depth_ * channels_},
                   DType::float32);
    Tensor scratch(*scratch_.from, Shape{threads_ * floats}, DType::float32);
    if (scratch_.is_planned) {
        return;
    }
    transform_weights(weights.view().as<float>());
    weights_ = weights.view().as<float>();
    const std::int64_t rows = filter_1_->tiles(axis_1_.rows), tiles = filter_2_->tiles(axis_2_.rows);
    const std::int64_t groups = (tiles + layout_.group - 1) / layout_.group;
    float* base = scratch.view().as<float>();
    parallel_ranges(threads_, batch_ * rows * groups, 1, [&](std::int64_t begin, std::int64_t end) {
        Worker worker(*this, base + omp_get_thread_num() * floats);
        for (std::int64_t index = begin; index < end; ++index) {
            const std::int64_t row = index / groups, first = index % groups * layout_.group;
            if (first == 0) {
                worker.start_row();
            }
            worker.run(row / rows, row % rows, first, std::min(layout_.group, tiles - first));
        }
    });
}

}  // namespace plumecast::cpu
