// Compiled once per instruction set by CMake, which names the factory and sets the compiler's target.
#include "ceilings/ceiling_loops.hpp"

namespace plumecast::bench {
namespace {

constexpr int lanes = PLUMECAST_CEILING_LANES;
constexpr int chains = 12;  // two units times a latency of four or five, within sixteen registers

typedef float Vector __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

float horizontal(const Vector& v) {
    float sum = 0.0f;
    for (int lane = 0; lane < lanes; ++lane) {
        sum += v[lane];
    }
    return sum;
}

float multiply_add(std::int64_t rounds) {
    Vector value[chains];
    for (int chain = 0; chain < chains; ++chain) {
        value[chain] = Vector{} + static_cast<float>(chain);
    }
    const Vector factor = Vector{} + 0.999f, shift = Vector{} + 0.001f;
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
        for (int chain = 0; chain < chains; ++chain) {
            value[chain] = value[chain] * factor + shift;
        }
    }
    Vector total = {};
    for (int chain = 0; chain < chains; ++chain) {
        total += value[chain];
    }
    return horizontal(total);
}

float sum(const float* x, std::int64_t count) {
    Vector part[8] = {};
    for (std::int64_t i = 0; i < count; i += 8 * lanes) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            part[k] += *reinterpret_cast<const Vector*>(x + i + k * lanes);
        }
    }
    Vector total = {};
    for (const Vector& v : part) {
        total += v;
    }
    return horizontal(total);
}

const char* name_of_level() { return lanes == 16 ? "avx512" : lanes == 8 ? "avx2" : "baseline"; }

}  // namespace

const CeilingLoops& PLUMECAST_CEILING_FACTORY() {
    static const CeilingLoops loops{name_of_level(), lanes, multiply_add, chains, sum};
    return loops;
}

}  // namespace plumecast::bench
