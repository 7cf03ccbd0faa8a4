#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <plumecast/backend/backend.hpp>

#include "ceilings/ceilings.hpp"

/// Timings of single ops. Each kernel is checked at full size, at places drawn at random, against its definition in
/// double precision before it is timed; one that is wrong reports an error instead of a time.
namespace plumecast::bench {

/// What all kernels share.
struct Context {
    std::unique_ptr<Backend> backend;
    Ceilings ceilings;
    int threads = 1;
};

/// A grid the kernels run on, padded extents z, r, t.
struct Grid {
    std::string name;
    std::int64_t z, r, t;
    std::int64_t cells() const { return z * r * t; }
};

/// The published size, 96 x 200 x 24 padded, and a small case.
inline const std::vector<Grid> grids{{"published", 104, 208, 32}, {"small", 32, 72, 32}};

/// Grids whose second axis gets longer.
inline const std::vector<Grid> lengths{
    {"of_length/64", 32, 64, 32}, {"of_length/256", 32, 256, 32}, {"of_length/1024", 32, 1024, 32}};

/// Each registers its benchmarks; the context must outlive them.
void register_conv(Context& context);
void register_spectral(Context& context);
void register_fftw(Context& context);
void register_linear(Context& context);
void register_batch_norm(Context& context);
void register_adam(Context& context);

/// Uniform in [-1, 1), fixed by the seed; the CPU backend's memory is the host's.
Tensor random_array(Backend& backend, const Shape& shape, std::uint64_t seed);

/// Places to check a result at: `count` indices below `size`.
std::vector<std::int64_t> sampled(std::int64_t size, int count);

/// A sum as its definition says, in double, and the sum of the terms' magnitudes that sets what rounding may do.
struct Expected {
    double value = 0.0;
    double magnitude = 0.0;
    void add(double term) {
        value += term;
        magnitude += std::abs(term);
    }
    bool admits(double found) const { return std::abs(found - value) <= 1e-5 * magnitude + 1e-12; }
};

/// Work of one iteration, for the counters.
struct Work {
    double operations = 0.0;  ///< 0 for a kernel bound by memory
    double bytes = 0.0;       ///< every array once; 0 for a kernel bound by arithmetic
};

/// Checks, then times `kernel`; counts GFLOP/s or GB/s and their fraction of the ceiling measured in this run.
template <class Check, class Kernel>
void prove_then_time(benchmark::State& state, const Context& context, const Work& work, const Check& check,
                     const Kernel& kernel) {
    kernel();
    if (!check()) {
        state.SkipWithError("wrong result: not timed");
        return;
    }
    for (auto _ : state) {
        kernel();
    }
    using benchmark::Counter;
    const auto rate = [](double value) { return Counter(value, Counter::kIsIterationInvariantRate); };
    if (work.operations > 0.0) {
        state.counters["GFLOP/s"] = rate(1e-9 * work.operations);
        state.counters["of_peak"] = rate(1e-9 * work.operations / context.ceilings.gigaflops);
    }
    if (work.bytes > 0.0) {
        state.counters["GB/s"] = rate(1e-9 * work.bytes);
        state.counters["of_copy"] = rate(1e-9 * work.bytes / context.ceilings.copy);
    }
}

/// Registers a benchmark that measures elapsed time, in milliseconds.
template <class Body>
void register_kernel(const std::string& name, const Body& body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->UseRealTime()->Unit(benchmark::kMillisecond);
}

}  // namespace plumecast::bench
