#include "kernels.hpp"

namespace plumecast::bench {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace

Tensor random_array(Backend& backend, const Shape& shape, std::uint64_t seed) {
    Tensor array(backend.memory(), shape, DType::float32);
    std::uint64_t state = seed;
    for (float& value : array.values<float>()) {
        value = static_cast<float>(static_cast<double>(next(state) >> 11) * 0x1p-52 - 1.0);
    }
    return array;
}

std::vector<std::int64_t> sampled(std::int64_t size, int count) {
    std::vector<std::int64_t> places;
    std::uint64_t state = 1;
    for (int k = 0; k < count; ++k) {
        places.push_back(static_cast<std::int64_t>(next(state) % static_cast<std::uint64_t>(size)));
    }
    return places;
}

}  // namespace plumecast::bench
