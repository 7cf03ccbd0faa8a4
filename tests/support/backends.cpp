#include "support/backends.hpp"

#include <algorithm>
#include <iterator>

#include <plumecast/backend/cuda.hpp>
#include <plumecast/core/version.hpp>

#include "support/fenced_kernels.hpp"
#include "support/kernels_on_host.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

/// Every test makes a backend of its own, which should not take the whole device each time.
constexpr std::size_t device_bytes = std::size_t{1} << 30;

std::unique_ptr<Backend> make_cuda_where_possible() {
    return cuda_obstacle().empty() ? make_cuda_backend({.memory_bytes = device_bytes}) : nullptr;
}

}  // namespace

std::vector<BackendChoice> backends() {
    std::vector<BackendChoice> all{{"cpu_1_thread", "", [] { return make_cpu_backend({.threads = 1}); }},
                                   {"cpu_2_threads", "", [] { return make_cpu_backend({.threads = 2}); }},
                                   {"cuda_kernels_on_host", "", [] { return make_kernels_on_host(); }},
                                   {"cuda_kernels_fenced", "", make_fenced_kernels}};
    std::ranges::move(cuda_backends(), std::back_inserter(all));
    return all;
}

std::vector<BackendChoice> cuda_backends() {
    const std::vector<std::string> built = build_info().backends;
    if (std::ranges::find(built, "cuda") == built.end()) {
        return {};
    }
    return {{"cuda", cuda_obstacle(), make_cuda_where_possible}};
}

std::vector<BackendChoice> backends_and_oracle() {
    std::vector<BackendChoice> all = backends();
    all.push_back({"oracle", "", [] { return make_oracle_backend(); }});
    return all;
}

void PrintTo(const BackendChoice& choice, std::ostream* out) { *out << choice.name; }

std::string choice_name(const ::testing::TestParamInfo<BackendChoice>& choice) { return choice.param.name; }

}  // namespace plumecast::testing
