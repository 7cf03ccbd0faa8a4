#include "ceilings/ceilings.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "ceilings/ceiling_loops.hpp"

namespace plumecast::bench {
namespace {

constexpr int repetitions = 5;
constexpr std::int64_t rounds = 20'000'000;
constexpr std::int64_t alignment = 128;  // floats; a multiple of eight of the widest registers

/// Seconds of the fastest of several runs; the work of thread t is work(t).
double fastest(int threads, const std::function<void(int)>& work) {
    double best = 1e300;
    for (int k = 0; k < repetitions; ++k) {
        const auto start = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (int thread = 0; thread < threads; ++thread) {
            work(thread);
        }
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace

Ceilings measure_ceilings(int threads, int megabytes) {
    const CeilingLoops& loops = ceiling_loops(cpu::simd_kernels().name);
    Ceilings found;
    found.threads = threads;
    found.instruction_set = loops.name;
    std::vector<float> sink(static_cast<std::size_t>(threads) * alignment);
    const auto keep = [&](int thread, float value) { sink[static_cast<std::size_t>(thread) * alignment] = value; };
    const double seconds = fastest(threads, [&](int thread) { keep(thread, loops.multiply_add(rounds)); });
    found.gigaflops = 2e-9 * static_cast<double>(rounds) * loops.chains * loops.lanes * threads / seconds;

    const std::int64_t share = std::int64_t{megabytes} * 250'000 / threads / alignment * alignment;
    const auto count = static_cast<std::size_t>(share * threads);
    std::vector<float> from(count, 1.0f), to(count, 0.0f);
    const double gigabytes = 1e-9 * static_cast<double>(count * sizeof(float));
    found.read = gigabytes / fastest(threads, [&](int t) { keep(t, loops.sum(from.data() + t * share, share)); });
    found.copy = 2.0 * gigabytes / fastest(threads, [&](int t) {
                     std::memcpy(to.data() + t * share, from.data() + t * share,
                                 static_cast<std::size_t>(share) * sizeof(float));
                 });
    return found;
}

Json to_json(const Ceilings& ceilings) {
    return Json::Object{{"threads", ceilings.threads},
                        {"instruction_set", ceilings.instruction_set},
                        {"gflops", ceilings.gigaflops},
                        {"copy_gbs", ceilings.copy},
                        {"read_gbs", ceilings.read}};
}

}  // namespace plumecast::bench
