#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "distributed/moments.hpp"

namespace plumecast {
namespace {

/// Joins the moments of two sets of values (Chan, Golub and LeVeque 1983).
void join(std::span<double> moments, double& count, std::span<const double> other, double other_count) {
    const std::size_t channels = moments.size() / 2;
    const double total = count + other_count;
    for (std::size_t c = 0; c < channels && other_count > 0.0; ++c) {
        const double difference = other[c] - moments[c];
        moments[c] += difference * (other_count / total);
        moments[channels + c] += other[channels + c] + difference * difference * (count * other_count / total);
    }
    count = total;
}

}  // namespace

double merge_moments(Communicator& ranks, std::span<double> moments, double count) {
    std::vector<double> mine(moments.begin(), moments.end());
    mine.push_back(count);
    const std::vector<std::byte> bytes = ranks.allgather(std::as_bytes(std::span(mine)));
    std::vector<double> all(bytes.size() / sizeof(double));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    std::ranges::fill(moments, 0.0);
    double merged = 0.0;
    for (std::size_t at = 0; at < all.size(); at += mine.size()) {
        join(moments, merged, std::span(all).subspan(at, moments.size()), all[at + moments.size()]);
    }
    return merged;
}

}  // namespace plumecast
