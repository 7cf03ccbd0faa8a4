#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/load.hpp"
#include "backend/cuda/kernels/conv/tile/product.hpp"
#include "backend/cuda/kernels/conv/tile/unrolled.hpp"
#include "backend/cuda/kernels/conv/tile/weight_schedule.hpp"

namespace plumecast::cuda::tile {

/// The gradient of a weight as a product of tensor cores, its sums over cells: 512 rows by some tiles of 8 coarse
/// channels. The fine cells of a box with their halo, and its coarse cells, come to shared memory once for all rows.
template <class Product, int column_tiles>
struct WeightTiles {
    static constexpr int threads = warps_of_weights * 32, blocks_at_once = 1;
    using T = typename Product::Element;
    using Columns = typename Product::Columns;
    static constexpr bool narrow = chunk_channels<T> == 8;
    static constexpr int step_cells = 2 * chunk_channels<T>;          ///< 16 of bfloat16, 8 of float32
    static constexpr int row_offsets = row_tiles * (narrow ? 1 : 2);  ///< of a lane

    Gather gather;  ///< from fine to coarse
    WeightSchedule schedule;
    Fields<T> fine, coarse;
    float* sums;  ///< [pieces, C, k1, k2, k3, F]

    template <class Warp>
    struct State {
        std::array<std::array<typename Warp::template PerLane<Quad>, column_tiles>, row_tiles> sums{};
        /// From an output cell's first input cell to the rows that a lane takes.
        typename Warp::template PerLane<std::array<int, row_offsets>> rows{};
    };

    /// What a block computes.
    struct Part {
        int slice, window, group, piece;

        constexpr Part(int block, const WeightSchedule& s)
            : slice(block % s.slices),
              window(block / s.slices % s.tiles.windows()),
              group(block / s.slices / s.tiles.windows() % s.tiles.groups),
              piece(block / s.parts()) {}
    };

    template <class Block>
    constexpr void operator()(Block& block) const {
        const Part part(block.index(), schedule);
        const GatherAxes axes = gather.of_class(0);
        const HaloLayout halo(axes, schedule.tiles.box, schedule.tiles.window);
        typename Block::template PerWarp<State<typename Block::Warp>> state{};
        block.each_warp([&](auto& warp) { find_rows(warp, part, axes, halo, state[warp.index()]); });
        const int boxes = schedule.boxes(gather.batch), last_buffer = schedule.buffer_bytes * (schedule.buffers - 1);
        int buffer = 0;
        load(block, part, axes, halo, part.piece, buffer);
        block.commit();
        for (int box = part.piece; box < boxes; box += schedule.pieces) {
            const bool is_last = box + schedule.pieces >= boxes;
            const int next = last_buffer - buffer;
            if (!is_last && next != buffer) {
                load(block, part, axes, halo, box + schedule.pieces, next);
            }
            block.commit();
            block.template wait<1>();
            block.barrier();
            block.each_warp([&](auto& warp) {
                for (int cell = 0; cell < rows_of_block; cell += step_cells) {
                    multiply_step(warp, halo, cell, buffer, state[warp.index()]);
                }
            });
            block.barrier();
            if (!is_last && next == buffer) {
                load(block, part, axes, halo, box + schedule.pieces, buffer);
            }
            block.commit();
            buffer = next;
        }
        block.each_warp([&](auto& warp) { write(block, warp, part, axes, state[warp.index()]); });
    }

   private:
    /// Row of a warp's row tile, among the rows of its window.
    constexpr int row(const Part& part, int warp, int m, int within) const {
        return ((part.slice * warps_of_weights + warp) * row_tiles + m) * 16 + within;
    }
    /// Rows beyond the last are the last chunk again, and not written.
    template <class Warp>
    constexpr void find_rows(Warp& warp, const Part& part, const GatherAxes& axes, const HaloLayout& halo,
                             State<Warp>& state) const {
        const int chunks = schedule.tiles.chunks_of(part.window), last = taps_of(axes) * chunks - 1;
        warp.each_lane([&](int lane) {
            unrolled<row_offsets>([&](auto i) {
                const int own = narrow ? row(part, warp.index(), i, lane / 8 % 2 * 8)
                                       : row(part, warp.index(), i / 2, i % 2 * 8 + lane / 4);
                state.rows[lane][i] = chunk_offset(axes, halo, chunks, std::min(own / chunk_channels<T>, last)) +
                                      own % chunk_channels<T> * static_cast<int>(sizeof(T));
            });
        });
    }

    template <class Block>
    constexpr void load(Block& block, const Part& part, const GatherAxes& axes, const HaloLayout& halo, int box,
                        int buffer) const {
        const Schedule& tiles = schedule.tiles;
        const BoxPlace place(box, tiles);
        constexpr int channels = chunk_channels<T>;
        load_tile(block, fine, part.window * tiles.window * channels, tiles.chunks_of(part.window) * channels,
                  input_box(place, axes, halo), halo, buffer);
        const HaloLayout cells({tiles.box.e1, tiles.box.e2, tiles.box.e3}, schedule.coarse_cell_bytes);
        load_tile(block, coarse, part.group * tiles.columns, tiles.columns,
                  {place.batch, {axes[0].outputs, axes[1].outputs, axes[2].outputs}, place.first, cells.extents}, cells,
                  buffer + schedule.coarse_at);
    }

    /// The cell of a step that a lane takes, among those of the box.
    static constexpr int cell_of(int lane, int half) { return narrow ? lane % 8 + lane / 16 * 8 : lane % 4 + 4 * half; }
    template <class Warp>
    constexpr void multiply_step(Warp& warp, const HaloLayout& halo, int cell, int buffer, State<Warp>& state) const {
        std::array<typename Warp::template PerLane<Columns>, column_tiles> b{};
        load_columns(warp, buffer + schedule.coarse_at + cell * schedule.coarse_cell_bytes, b);
        typename Warp::template PerLane<std::array<int, 2>> at{};
        warp.each_lane([&](int lane) {
            unrolled<2>([&](auto half) {
                at[lane][half] = buffer + halo.output(schedule.tiles.box.cell(cell + cell_of(lane, half)));
            });
        });
        unrolled<row_tiles>([&](auto m) {
            typename Warp::template PerLane<RowWords> words{};
            if constexpr (narrow) {
                warp.load_matrices_transposed(words, [&](int lane) { return at[lane][0] + state.rows[lane][m]; });
            } else {
                unrolled<4>([&](auto i) {
                    typename Warp::template PerLane<std::uint32_t> word{};
                    warp.load(word, [&](int lane) { return at[lane][i / 2] + state.rows[lane][2 * m + i % 2]; });
                    warp.each_lane([&](int lane) { words[lane][i] = word[lane]; });
                });
            }
            typename Warp::template PerLane<typename Product::Rows> a{};
            warp.each_lane([&](int lane) { a[lane] = Product::rows(words[lane]); });
            unrolled<column_tiles>([&](auto n) { Product::multiply(warp, state.sums[m][n], a, b[n]); });
        });
    }

    /// The coarse channels of a step's cells, the first of which lies at `from`.
    template <class Warp, class AllColumns>
    constexpr void load_columns(Warp& warp, int from, AllColumns& b) const {
        const int cell_bytes = schedule.coarse_cell_bytes;
        if constexpr (narrow) {
            unrolled<(column_tiles + 1) / 2>([&](auto pair) {
                constexpr int first = 2 * pair, second = first + 1 < column_tiles ? first + 1 : first;
                typename Warp::template PerLane<RowWords> words{};
                warp.load_matrices_transposed(words, [&](int lane) {
                    return from + lane % 16 * cell_bytes + (lane < 16 ? first : second) * chunk_bytes;
                });
                warp.each_lane([&](int lane) {
                    b[first][lane] = {{words[lane][0], words[lane][1]}};
                    b[second][lane] = {{words[lane][2], words[lane][3]}};
                });
            });
        } else {
            unrolled<column_tiles>([&](auto n) {
                typename Warp::template PerLane<std::uint32_t> low{}, high{};
                const auto address = [&](int lane) { return from + lane % 4 * cell_bytes + (n * 8 + lane / 4) * 4; };
                warp.load(low, address);
                warp.load(high, [&](int lane) { return address(lane) + 4 * cell_bytes; });
                warp.each_lane([&](int lane) { b[n][lane] = Product::columns({{low[lane], high[lane]}}); });
            });
        }
    }

    template <class Block, class Warp>
    constexpr void write(Block& block, Warp& warp, const Part& part, const GatherAxes& axes,
                         const State<Warp>& state) const {
        const int chunks = schedule.tiles.chunks_of(part.window), n3 = axes[2].taps, n2 = axes[1].taps;
        const std::int64_t weights = std::int64_t{gather.coarse_channels} * taps_of(axes) * gather.fine_channels;
        warp.each_lane([&](int lane) {
            unrolled<row_tiles * 2>([&](auto i) {
                const int own = row(part, warp.index(), i / 2, i % 2 * 8 + lane / 4);
                const int chunk = own / chunk_channels<T>, tap = chunk / chunks;
                const int f = (part.window * schedule.tiles.window + chunk % chunks) * chunk_channels<T> +
                              own % chunk_channels<T>;
                const bool exists = tap < taps_of(axes) && f < gather.fine_channels;
                unrolled<column_tiles * 2>([&](auto j) {
                    const int c = part.group * schedule.tiles.columns + j / 2 * 8 + lane % 4 * 2 + j % 2;
                    if (exists && c < gather.coarse_channels) {
                        block.write(sums + part.piece * weights +
                                        gather.weight(axes, tap / n3 / n2, tap / n3 % n2, tap % n3, f, c),
                                    state.sums[i / 2][j / 2][lane][i % 2 * 2 + j % 2]);
                    }
                });
            });
        });
    }
};

/// Adds the pieces of a gradient to beta times what is there.
struct AddPieces {
    const float* sums;  ///< [pieces, weights]
    float* gradient;
    std::int64_t pieces, weights;
    float beta;

    constexpr std::int64_t positions() const { return 0; }

    template <class Position>
    constexpr void operator()(Position i) const {
        double sum = beta != 0.0f ? static_cast<double>(beta) * static_cast<double>(gradient[i]) : 0.0;
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            sum += static_cast<double>(sums[piece * weights + i]);
        }
        gradient[i] = static_cast<float>(sum);
    }
};

}  // namespace plumecast::cuda::tile
