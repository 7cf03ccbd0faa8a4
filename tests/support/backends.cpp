#include "support/backends.hpp"

#include <algorithm>
#include <iterator>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/version.hpp>

#include "backend/cpu/processor/simd_levels.hpp"
#include "backend/cpu/simd.hpp"
#include "support/environment.hpp"
#include "support/fenced_kernels.hpp"
#include "support/kernels_on_host.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// Every test makes a backend of its own, which should not take the whole device each time.
constexpr std::size_t device_bytes = std::size_t{1} << 30;

std::unique_ptr<Backend> make_cuda_where_possible(Precision precision) {
    return cuda_obstacle().empty() ? make_cuda_backend({.precision = precision, .memory_bytes = device_bytes})
                                   : nullptr;
}

bool runs_here(const char* level) {
    try {
        return std::string(cpu::simd_kernels(level).name) == level;
    } catch (const InvalidInput&) {
        return false;
    }
}

std::unique_ptr<Backend> make_cpu(const char* level, Precision precision) {
    const EnvironmentScope forced("PLUMECAST_SIMD", level);
    return make_cpu_backend({.threads = 1, .precision = precision});
}

}  // namespace

std::vector<BackendChoice> backends() {
    std::vector<BackendChoice> all{{"cpu_1_thread", "", [] { return make_cpu_backend({.threads = 1}); }},
                                   {"cpu_2_threads", "", [] { return make_cpu_backend({.threads = 2}); }},
                                   {"cuda_kernels_on_host", "", [] { return make_kernels_on_host(); }},
                                   {"cuda_kernels_fenced", "", [] { return make_fenced_kernels(); }}};
    std::ranges::move(cuda_backends(), std::back_inserter(all));
    return all;
}

std::vector<BackendChoice> cuda_backends() {
    const std::vector<std::string> built = build_info().backends;
    if (std::ranges::find(built, "cuda") == built.end()) {
        return {};
    }
    return {{"cuda", cuda_obstacle(), [] { return make_cuda_where_possible(Precision::fp32); }}};
}

std::vector<BackendChoice> bfloat16_backends() {
    std::vector<BackendChoice> all{
        {"cpu_bf16", "", [] { return make_cpu_backend({.threads = 2, .precision = Precision::bf16}); }},
        {"cuda_kernels_bf16", "",
         [] { return make_kernels_on_host(std::make_unique<CountedMemory>(), Precision::bf16); }}};
    for (const BackendChoice& choice : cuda_backends()) {
        all.push_back(
            {choice.name + "_bf16", choice.missing, [] { return make_cuda_where_possible(Precision::bf16); }});
    }
    return all;
}

std::vector<BackendChoice> op_backends() {
    std::vector<BackendChoice> all = backends();
    std::ranges::move(bfloat16_backends(), std::back_inserter(all));
    for (const char* level : {"baseline", "avx2", "avx512"}) {
        const bool runs = runs_here(level);
        for (const auto& [name, precision] : {std::pair{"cpu_", Precision::fp32}, {"cpu_bf16_", Precision::bf16}}) {
            all.push_back({std::string(name) + level, runs ? "" : std::string("the processor lacks ") + level,
                           [=, chosen = precision] { return runs ? make_cpu(level, chosen) : nullptr; }});
        }
    }
    return all;
}

std::vector<BackendChoice> backends_and_oracle() {
    std::vector<BackendChoice> all = backends();
    all.push_back({"oracle", "", [] { return make_oracle_backend(); }});
    return all;
}

void PrintTo(const BackendChoice& choice, std::ostream* out) { *out << choice.name; }

std::string choice_name(const ::testing::TestParamInfo<BackendChoice>& choice) { return choice.param.name; }

}  // namespace plumecast::testing
