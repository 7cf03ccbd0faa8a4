#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "backend/cpu/backend.hpp"
#include "backend/cpu/channel_sums.hpp"
#include "backend/cpu/field_chunks.hpp"
#include "backend/cpu/parallel.hpp"

namespace plumecast::cpu {
namespace {

// Fixed pieces, summed in order: the result does not depend on how many threads there are.
constexpr std::int64_t reduced_at_once = 65536;

double sum_of_squares(const SimdKernels& simd, int threads, ConstView x) {
    const std::int64_t count = x.shape.count();
    const std::int64_t pieces = (count + reduced_at_once - 1) / reduced_at_once;
    std::vector<double> partial(static_cast<std::size_t>(pieces), 0.0);
    parallel_ranges(threads, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        FieldReader in(simd, x);
        for (std::int64_t p = begin; p < end; ++p) {
            std::array<double, norm_lanes> sums{};
            for_chunks(
                p * reduced_at_once, std::min(count, (p + 1) * reduced_at_once), field_chunk,
                [&](std::int64_t first, std::int64_t n) { simd.fields->add_norm(in(first, n), n, sums.data()); });
            partial[static_cast<std::size_t>(p)] = std::accumulate(sums.begin(), sums.end(), 0.0);
        }
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
}

}  // namespace

void CpuBackend::squared_norm(std::span<const ConstView> arrays, View sum) {
    double total = 0.0;
    for (const ConstView& x : arrays) {
        total += sum_of_squares(*simd_, threads_, x);
    }
    *sum.as<double>() = total;
}

void CpuBackend::column_sums(ConstView x, OutputRef y) {
    const std::int64_t columns = x.shape[-1], rows = columns ? x.shape.count() / columns : 0;
    const ChannelPeriod period(columns);
    const auto sums = channel_sums(threads_, rows, period, 1,
                                   [&] { return ColumnAdder(*simd_, simd_->fields->add_fours, x, period); });
    float* out = y.view.as<float>();
    for (std::int64_t c = 0; c < columns; ++c) {
        const double before = y.beta != 0.0 ? y.beta * static_cast<double>(out[c]) : 0.0;
        out[c] = static_cast<float>(before + sums[static_cast<std::size_t>(c)]);
    }
}

}  // namespace plumecast::cpu
