#include "inverse/optimization/search/sobol.hpp"

#include <array>
#include <bit>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr std::size_t bits = 32;

/// A primitive polynomial over the integers modulo 2 and the first direction numbers of its dimension.
struct Polynomial {
    std::size_t degree;
    std::uint32_t coefficients;  ///< those between the first and the last, as bits
    std::array<std::uint32_t, 6> first;
};

/// Of the dimensions from the second on (Joe and Kuo 2008, file new-joe-kuo-6).
constexpr std::array<Polynomial, most_sobol_dimensions - 1> polynomials = {{{1, 0, {1}},
                                                                            {2, 1, {1, 3}},
                                                                            {3, 1, {1, 3, 1}},
                                                                            {3, 2, {1, 1, 1}},
                                                                            {4, 1, {1, 1, 3, 3}},
                                                                            {4, 4, {1, 3, 5, 13}},
                                                                            {5, 2, {1, 1, 5, 5, 17}},
                                                                            {5, 4, {1, 1, 5, 5, 5}},
                                                                            {5, 7, {1, 1, 7, 11, 19}},
                                                                            {5, 11, {1, 1, 5, 1, 1}},
                                                                            {5, 13, {1, 1, 1, 3, 11}},
                                                                            {5, 14, {1, 3, 5, 5, 31}},
                                                                            {6, 1, {1, 3, 3, 9, 7, 49}},
                                                                            {6, 13, {1, 1, 1, 15, 21, 21}},
                                                                            {6, 16, {1, 3, 1, 13, 27, 49}}}};

std::array<std::uint32_t, bits> directions_of(std::size_t dimension) {
    std::array<std::uint32_t, bits> directions{};
    if (dimension == 0) {
        for (std::size_t i = 0; i < bits; ++i) {
            directions[i] = std::uint32_t{1} << (bits - 1 - i);
        }
        return directions;
    }
    const Polynomial& polynomial = polynomials[dimension - 1];
    const std::size_t degree = polynomial.degree;
    for (std::size_t i = 0; i < bits; ++i) {
        if (i < degree) {
            directions[i] = polynomial.first[i] << (bits - 1 - i);
            continue;
        }
        directions[i] = directions[i - degree] ^ (directions[i - degree] >> degree);
        for (std::size_t k = 1; k < degree; ++k) {
            if ((polynomial.coefficients >> (degree - 1 - k) & 1U) != 0) {
                directions[i] ^= directions[i - k];
            }
        }
    }
    return directions;
}

}  // namespace

std::vector<std::vector<double>> sobol_points(std::size_t count, std::size_t dimensions) {
    expects(dimensions >= 1 && dimensions <= most_sobol_dimensions, "1 to 16 dimensions of a Sobol sequence");
    std::vector<std::vector<double>> points(count, std::vector<double>(dimensions));
    for (std::size_t d = 0; d < dimensions; ++d) {
        const auto directions = directions_of(d);
        std::uint32_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {  // in the order of Gray codes (Antonov and Saleev 1979)
            at ^= directions[static_cast<std::size_t>(std::countr_zero(~static_cast<std::uint32_t>(i)))];
            points[i][d] = static_cast<double>(at) / 4294967296.0;
        }
    }
    return points;
}

}  // namespace plumecast
