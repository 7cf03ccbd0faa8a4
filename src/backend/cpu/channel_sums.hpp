#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "backend/cpu/field_chunks.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {

/// So many rows of channels that their numbers fill whole vectors, and some of them: loops over channels then need not
/// stop at the end of every row.
struct ChannelPeriod {
    std::int64_t channels, rows;

    explicit ChannelPeriod(std::int64_t count) : channels(std::max<std::int64_t>(1, count)) {
        constexpr std::int64_t widest_vector = 16, enough = 256;
        const std::int64_t unit = widest_vector / std::gcd(channels, widest_vector);
        rows = unit * std::max<std::int64_t>(1, enough / (unit * channels));
    }
    std::int64_t numbers() const { return rows * channels; }
    /// Rows of a chunk, in fours of periods, which FieldKernels::add_fours takes together.
    std::int64_t chunk_rows() const { return 4 * rows * std::max<std::int64_t>(1, field_chunk / (4 * numbers())); }
    /// One number per channel for a whole period.
    template <class T>
    std::vector<T> repeated(const std::vector<T>& row) const {
        std::vector<T> all(static_cast<std::size_t>(numbers()));
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = row[i % row.size()];
        }
        return all;
    }
};

struct alignas(64) CacheLine {
    double numbers[8];
};

/// Sums per channel over all rows, `quantities` of them one after the other, in fixed pieces merged in order: the
/// result does not depend on how many threads there are. make_adder() gives a thread its add(first row, count of rows,
/// sums), which adds to sums [quantities, numbers of a period].
template <class MakeAdder>
std::vector<double> channel_sums(int threads, std::int64_t rows, const ChannelPeriod& period, std::int64_t quantities,
                                 const MakeAdder& make_adder) {
    const std::int64_t pieces = std::clamp<std::int64_t>(rows / 256, 1, 64);
    const std::int64_t channels = period.channels, numbers = period.numbers();
    std::vector<double> partial(static_cast<std::size_t>(pieces * quantities * channels), 0.0);
    parallel_ranges(threads, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        auto add = make_adder();
        // Where vectors cross the lines of the cache, to read what was just written takes long.
        std::vector<CacheLine> memory(static_cast<std::size_t>((quantities * numbers + 7) / 8));
        double* sums = memory.data()->numbers;
        for (std::int64_t p = begin; p < end; ++p) {
            std::fill_n(sums, quantities * numbers, 0.0);
            for_chunks(rows * p / pieces, rows * (p + 1) / pieces, period.chunk_rows(),
                       [&](std::int64_t first, std::int64_t count) { add(first, count, sums); });
            double* to = partial.data() + p * quantities * channels;
            for (std::int64_t i = 0; i < quantities * numbers; ++i) {
                to[i / numbers * channels + i % channels] += sums[i];
            }
        }
    });
    std::vector<double> total(static_cast<std::size_t>(quantities * channels), 0.0);
    for (std::size_t i = 0; i < partial.size(); ++i) {
        total[i % total.size()] += partial[i];
    }
    return total;
}

/// An adder of the numbers themselves, by FieldKernels::add_up or add_fours. One per thread.
class ColumnAdder {
   public:
    using Loop = decltype(FieldKernels::add_up);

    ColumnAdder(const SimdKernels& simd, Loop loop, ConstView x, const ChannelPeriod& period)
        : loop_(loop), period_(period), in_(simd, x, period.chunk_rows() * period.channels) {}
    void operator()(std::int64_t first, std::int64_t count, double* sums) {
        const std::int64_t numbers = count * period_.channels;
        loop_(in_(first * period_.channels, numbers), numbers, sums, period_.numbers());
    }

   private:
    Loop loop_;
    ChannelPeriod period_;
    FieldReader in_;
};

}  // namespace plumecast::cpu
