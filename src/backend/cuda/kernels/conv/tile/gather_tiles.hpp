#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "backend/cuda/kernels/conv/tile/finish.hpp"
#include "backend/cuda/kernels/conv/tile/load.hpp"
#include "backend/cuda/kernels/conv/tile/product.hpp"
#include "backend/cuda/kernels/conv/tile/schedule.hpp"
#include "backend/cuda/kernels/conv/tile/unrolled.hpp"

namespace plumecast::cuda::tile {

/// A convolution as a product of tensor cores: 256 output cells of a block by some tiles of 8 output channels, summed
/// over chunks of 16 bytes of input channels and taps, two chunks a step. The input cells of the block with their halo
/// come to shared memory once, for all taps. Where the number of chunks is odd, the last counts twice, the second time
/// with weights of zero.
template <class Product, int column_tiles>
struct GatherTiles {
    static constexpr int threads = warps_of_block * 32, blocks_at_once = 2;  ///< at once: on a multiprocessor
    using T = typename Product::Element;
    using Columns = typename Product::Columns;
    using Weights = Slab<Product, column_tiles>;

    Gather gather;
    Schedule schedule;
    Fields<T> inputs;
    const Columns* weights;  ///< [groups, classes, steps, column_tiles, 32], as PackColumns leaves them
    Targets<T> outputs;
    Finish<T> finish;

    /// What a warp keeps in registers.
    template <class Warp>
    struct State {
        std::array<std::array<typename Warp::template PerLane<Quad>, column_tiles>, row_tiles> sums{};
        /// Offset of the first input cell of the row that a lane addresses.
        typename Warp::template PerLane<std::array<int, row_tiles>> rows{};
    };

    template <class Block>
    constexpr void operator()(Block& block) const {
        const Place place(block.index(), schedule, gather.classes());
        const GatherAxes axes = gather.of_class(place.number);
        const HaloLayout halo(axes, schedule.box, schedule.window);
        typename Block::template PerWarp<State<typename Block::Warp>> state{};
        block.each_warp([&](auto& warp) {
            warp.each_lane([&](int lane) {
                unrolled<row_tiles>([&](auto m) {
                    const int row = (warp.index() * row_tiles + m) * 16 + lane % 16;
                    state[warp.index()].rows[lane][m] = halo.output(schedule.box.cell(row));
                });
            });
        });
        for (int window = 0; window < schedule.windows() && taps_of(axes) > 0; ++window) {
            accumulate(block, place, axes, halo, window, state);
        }
        store(block, state);
        write(block, place, axes);
    }

   private:
    /// Adds what a window of input channels gives.
    template <class Block, class States>
    constexpr void accumulate(Block& block, const Place& place, const GatherAxes& axes, const HaloLayout& halo,
                              int window, States& state) const {
        const int taps = taps_of(axes), chunks = schedule.chunks_of(window), steps = schedule.steps_of(window, taps);
        const std::int64_t before = std::int64_t{place.group * gather.classes() + place.number} * schedule.steps +
                                    schedule.steps_before(window, taps);
        const auto* packed = reinterpret_cast<const char*>(weights) + before * Weights::step_bytes;
        block.barrier();  // the window before is done with
        load(block, place, axes, halo, window);
        block.each_thread([&](int thread) {
            for (int chunk = thread; chunk < 2 * steps; chunk += threads) {
                const int offset = chunk_offset(axes, halo, chunks, std::min(chunk, taps * chunks - 1));
                block.template store<int>(schedule.table_at + 4 * chunk, offset);
            }
        });
        start_slab(block, packed, steps, 0);
        block.commit();
        start_slab(block, packed, steps, 1);
        block.commit();
        for (int slab = 0; slab * Weights::steps < steps; ++slab) {
            block.template wait<1>();
            block.barrier();
            start_slab(block, packed, steps, slab + 2);
            block.commit();
            const int first = slab * Weights::steps, most = Weights::steps;  // min() takes no constant on the device
            multiply(block, slab, first, std::min(most, steps - first), state);
        }
    }

    template <class Block>
    constexpr void load(Block& block, const Place& place, const GatherAxes& axes, const HaloLayout& halo,
                        int window) const {
        constexpr int channels = chunk_channels<T>;
        load_tile(block, inputs, window * schedule.window * channels, schedule.chunks_of(window) * channels,
                  input_box(place.box, axes, halo), halo, 0);
    }

    template <class Block>
    constexpr void start_slab(Block& block, const char* packed, int steps, int slab) const {
        const int first = slab * Weights::steps,
                  bytes = (std::min(first + Weights::steps, steps) - first) * Weights::step_bytes;
        const int to = schedule.weights_at + slab % Weights::ring * Weights::bytes;
        block.each_thread([&](int thread) {
            for (int at = thread * 16; at < bytes; at += threads * 16) {
                block.copy(to + at, packed + std::int64_t{first} * Weights::step_bytes + at, 16);
            }
        });
    }

    /// `count` steps from `first` on, whose weights are in the slab's place.
    template <class Block, class States>
    constexpr void multiply(Block& block, int slab, int first, int count, States& state) const {
        const int table_at = schedule.table_at + 8 * first,
                  slab_at = schedule.weights_at + slab % Weights::ring * Weights::bytes;
        block.each_warp([&](auto& warp) {
            for (int step = 0; step < count; ++step) {
                multiply_step(warp, table_at + 8 * step, slab_at + step * Weights::step_bytes, state[warp.index()]);
            }
        });
    }
    template <class Warp>
    constexpr void multiply_step(Warp& warp, int chunks_at, int weights_at, State<Warp>& state) const {
        typename Warp::template PerLane<int> chunk{};
        warp.load(chunk, [&](int lane) { return chunks_at + 4 * (lane / 16); });
        std::array<typename Warp::template PerLane<Columns>, column_tiles> b{};
        unrolled<column_tiles>([&](auto n) {
            warp.load(b[n], [&](int lane) { return weights_at + (n * 32 + lane) * static_cast<int>(sizeof(Columns)); });
        });
        unrolled<row_tiles>([&](auto m) {
            typename Warp::template PerLane<RowWords> words{};
            warp.load_matrices(words, [&](int lane) { return state.rows[lane][m] + chunk[lane]; });
            typename Warp::template PerLane<typename Product::Rows> a{};
            warp.each_lane([&](int lane) { a[lane] = Product::rows(words[lane]); });
            unrolled<column_tiles>([&](auto n) { Product::multiply(warp, state.sums[m][n], a, b[n]); });
        });
    }

    /// The sums to shared memory, [rows, sum_stride].
    template <class Block, class States>
    constexpr void store(Block& block, States& state) const {
        block.template wait<0>();
        block.barrier();
        block.each_warp([&](auto& warp) {
            const auto& sums = state[warp.index()].sums;
            unrolled<row_tiles>([&](auto m) {
                unrolled<column_tiles>([&](auto n) {
                    unrolled<2>([&](auto half) {
                        warp.store(
                            [&](int lane) {
                                const int row = (warp.index() * row_tiles + m) * 16 + half * 8 + lane / 4;
                                return (row * sum_stride(column_tiles) + n * 8 + lane % 4 * 2) * 4;
                            },
                            [&](int lane) {
                                const Quad& quad = sums[m][n][lane];
                                return Run<float, 2>{quad[2 * half], quad[2 * half + 1]};
                            });
                    });
                });
            });
        });
        block.barrier();
    }

    template <class Block>
    constexpr void write(Block& block, const Place& place, const GatherAxes& axes) const {
        const int channels = std::min(schedule.columns, gather.out_channels() - place.group * schedule.columns);
        block.each_thread([&](int thread) {
            outputs.even ? write_runs<2>(block, place, axes, thread, channels)
                         : write_runs<1>(block, place, axes, thread, channels);
        });
    }
    template <int width, class Block>
    constexpr void write_runs(Block& block, const Place& place, const GatherAxes& axes, int thread,
                              int channels) const {
        const int runs = channels / width;
        for (int item = thread; item < rows_of_block * runs; item += threads) {
            const int row = item / runs, column = (item - row * runs) * width;
            const std::array<int, 3> in_box = schedule.box.cell(row);
            const int i1 = place.box.first[0] + in_box[0], i2 = place.box.first[1] + in_box[1],
                      i3 = place.box.first[2] + in_box[2];
            if (i1 >= axes[0].outputs || i2 >= axes[1].outputs || i3 >= axes[2].outputs) {
                continue;
            }
            const auto sums = block.template load<Run<float, width>>((row * sum_stride(column_tiles) + column) * 4);
            finish_channels<width>(block, finish, outputs, gather.output_cell(axes, place.box.batch, i1, i2, i3),
                                   place.group * schedule.columns + column, sums.elements);
        }
    }
};

}  // namespace plumecast::cuda::tile
