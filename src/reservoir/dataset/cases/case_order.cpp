#include "reservoir/dataset/cases/case_order.hpp"

#include <charconv>
#include <cmath>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "io/hash.hpp"

namespace plumecast {

std::optional<std::vector<OrderedCase>> order_cases(const Dataset& dataset, std::int64_t seed,
                                                    const CaseProgress& progress) {
    std::vector<OrderedCase> cases;
    for (std::int64_t row = 0; row < dataset.cases(); ++row) {
        OrderedCase one{case_fingerprint(dataset, row), 0.0, row};
        constexpr std::size_t digits = 13;  // 52 bits, what a double holds exactly
        const std::string mixed = sha256(std::to_string(seed) + ' ' + one.fingerprint).substr(0, digits);
        std::uint64_t bits = 0;
        std::from_chars(mixed.data(), mixed.data() + mixed.size(), bits, 16);
        one.place = std::ldexp(static_cast<double>(bits), -52);
        cases.push_back(std::move(one));
        if (progress && progress("reading inputs", row + 1, dataset.cases())) {
            return std::nullopt;
        }
    }
    return cases;
}

}  // namespace plumecast
