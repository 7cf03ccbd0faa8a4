#include "support/blocks/tensor_cores.hpp"

#include <bit>
#include <cmath>
#include <cstddef>

#include <plumecast/core/bfloat16.hpp>

namespace plumecast::testing {
namespace {

std::uint32_t pair(std::uint16_t low, std::uint16_t high) { return low | static_cast<std::uint32_t>(high) << 16; }

/// The float32 number next to a sum on the side of zero.
float cut_off(double sum) {
    const auto nearest = static_cast<float>(sum);
    const bool too_large = std::abs(static_cast<double>(nearest)) > std::abs(sum);
    return too_large ? std::nextafter(nearest, 0.0f) : nearest;
}

template <std::size_t depth>
using Rows = std::array<std::array<double, depth>, 16>;
template <std::size_t depth>
using Columns = std::array<std::array<double, depth>, 8>;

template <std::size_t depth>
void add_product(LaneSums& sums, const Rows<depth>& a, const Columns<depth>& b) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2;
            double sum = static_cast<double>(sums[lane][i]);
            for (std::size_t k = 0; k < depth; ++k) {
                sum += a[row][k] * b[column][k];
            }
            sums[lane][i] = cut_off(sum);
        }
    }
}

double narrow(std::uint32_t word, std::size_t half) {
    bfloat16 number;
    number.bits = static_cast<std::uint16_t>(half == 0 ? word & 0xffffu : word >> 16);
    return static_cast<double>(static_cast<float>(number));
}

double ten_bit(std::uint32_t word) { return static_cast<double>(std::bit_cast<float>(word & ~0x1fffu)); }

}  // namespace

std::array<std::uint32_t, 4> matrix_words(const MatrixRows& rows, int lane) {
    const auto row = static_cast<std::size_t>(lane / 4), column = static_cast<std::size_t>(lane % 4 * 2);
    std::array<std::uint32_t, 4> words{};
    for (std::size_t j = 0; j < 4; ++j) {
        words[j] = pair(rows[8 * j + row][column], rows[8 * j + row][column + 1]);
    }
    return words;
}

std::array<std::uint32_t, 4> transposed_matrix_words(const MatrixRows& rows, int lane) {
    const auto row = static_cast<std::size_t>(lane % 4 * 2), column = static_cast<std::size_t>(lane / 4);
    std::array<std::uint32_t, 4> words{};
    for (std::size_t j = 0; j < 4; ++j) {
        words[j] = pair(rows[8 * j + row][column], rows[8 * j + row + 1][column]);
    }
    return words;
}

void multiply_bfloat16_lanes(LaneSums& sums, const LaneRows& a, const LaneColumns& b) {
    Rows<16> rows{};
    Columns<16> columns{};
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t group = lane / 4, member = lane % 4;
        for (std::size_t half = 0; half < 2; ++half) {
            for (std::size_t word = 0; word < 4; ++word) {
                rows[group + word % 2 * 8][member * 2 + half + word / 2 * 8] = narrow(a[lane][word], half);
            }
            for (std::size_t word = 0; word < 2; ++word) {
                columns[group][member * 2 + half + word * 8] = narrow(b[lane][word], half);
            }
        }
    }
    add_product(sums, rows, columns);
}

void multiply_ten_bit_lanes(LaneSums& sums, const LaneRows& a, const LaneColumns& b) {
    Rows<8> rows{};
    Columns<8> columns{};
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t group = lane / 4, member = lane % 4;
        for (std::size_t word = 0; word < 4; ++word) {
            rows[group + word % 2 * 8][member + word / 2 * 4] = ten_bit(a[lane][word]);
        }
        for (std::size_t word = 0; word < 2; ++word) {
            columns[group][member + word * 4] = ten_bit(b[lane][word]);
        }
    }
    add_product(sums, rows, columns);
}

}  // namespace plumecast::testing
