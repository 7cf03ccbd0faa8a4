#include <array>
#include <cmath>
#include <numbers>

#include "core/random.hpp"

namespace plumecast {
namespace {

using Block = std::array<std::uint32_t, 4>;

std::uint64_t hash(std::string_view name) {  // FNV-1a
    std::uint64_t value = 0xcbf29ce484222325ull;
    for (char letter : name) {
        value = (value ^ static_cast<unsigned char>(letter)) * 0x100000001b3ull;
    }
    return value;
}

Block philox(Block counter, std::uint64_t key) {
    auto low = static_cast<std::uint32_t>(key);
    auto high = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ low, static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ high, static_cast<std::uint32_t>(a)};
        low += 0x9E3779B9u;
        high += 0xBB67AE85u;
    }
    return counter;
}

Block split(std::uint64_t a, std::uint64_t b) {
    return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b),
            static_cast<std::uint32_t>(b >> 32)};
}

double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) : key_(seed), name_(hash(name)) {}

std::uint64_t RandomStream::bits(std::uint64_t index) const {
    const Block block = philox(split(index, name_), key_);
    return (std::uint64_t{block[1]} << 32) | block[0];
}

double RandomStream::uniform(std::uint64_t index) const { return unit(bits(index)); }

double RandomStream::normal(std::uint64_t index) const {
    const Block block = philox(split(index, name_), key_);
    const double a = 1.0 - unit((std::uint64_t{block[1]} << 32) | block[0]);
    const double b = unit((std::uint64_t{block[3]} << 32) | block[2]);
    return std::sqrt(-2.0 * std::log(a)) * std::cos(2.0 * std::numbers::pi * b);
}

}  // namespace plumecast
