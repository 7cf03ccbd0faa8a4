// Eight threads run one plan at once: the plan, its weights and its constants are shared, a workspace is each
// thread's own. On the CPU, and by the kernels of the CUDA backend on the host: side by side with Fourier transforms in
// the place of cuFFT's, and one after the other as a device does them, each thread recording its passes; and on the
// first CUDA device where there is one. A program without a test framework and with plumecast::nn alone, so that a
// build with the thread sanitizer is small. Exit status 0 when every thread gets the bits that one alone gets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/architectures/network.hpp>
#include <plumecast/backend/cuda.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "support/fenced_kernels.hpp"
#include "support/fft_by_definition.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {
namespace {

constexpr int threads = 8, passes = 3;

/// A U-FNO that has every kind of layer, on a grid that is padded and cropped.
NetworkConfig small_unet() {
    NetworkConfig config;
    config.channels = 3;
    config.width = 12;
    config.modes = {4, 6, 3};
    config.padding = {2, 2, 2};
    config.fourier_blocks = 1;
    config.extended_blocks = 1;
    config.hidden = 32;
    return config;
}

Tensor waves(Backend& backend, const Shape& shape) {
    Tensor host = host_zeros(shape);
    for (std::size_t i = 0; i < host.values<float>().size(); ++i) {
        host.values<float>()[i] = static_cast<float>(std::sin(0.37 * static_cast<double>(i)));
    }
    Tensor values(backend.memory(), shape, DType::float32);
    backend.upload(host, values);
    return values;
}

/// What a thread does: a workspace, and some passes of the plan, which a device records.
std::vector<float> predicted(Backend& backend, const Plan& plan, const Tensor& input, const Shape& fields) {
    Tensor workspace = plan.make_workspace();
    Tensor output(backend.memory(), fields, DType::float32);
    const auto replay = backend.make_replay();
    for (int pass = 0; pass < passes; ++pass) {
        replay->run([&] {
            plan.run(
                workspace, [&](const std::string&) { return input.view(); }, std::array{output.view()});
        });
    }
    Tensor host = host_zeros(fields);
    backend.download(output, host);
    return {host.values<float>().begin(), host.values<float>().end()};
}

/// Whether every thread gets the bits of one alone.
bool run(const char* what, const std::unique_ptr<Backend>& backend, const Shape& extents) {
    const NetworkConfig config = small_unet();
    const auto network = std::make_unique<Network>(*backend, config, 3);
    const Feed weights = [&](const std::string& name) { return network->parameters().at(name).weight.value(); };
    const Shape fields = Shape{1}.append(extents[0]).append(extents[1]).append(extents[2]).append(config.fields);
    const NetworkShapes shapes = whole_input(config, 1, extents);
    const Graph described = describe(config, shapes, ExecutionMode::evaluation);
    const Plan plan(*backend, for_prediction(*backend, described, weights), weights);
    const Tensor input = waves(*backend, shapes.groups.front().values);
    const std::vector<float> expected = predicted(*backend, plan, input, fields);
    std::array<std::vector<float>, threads> results;
    {
        std::vector<std::jthread> running;
        for (std::vector<float>& result : results) {
            running.emplace_back([&] { result = predicted(*backend, plan, input, fields); });
        }
    }
    const bool same = std::ranges::all_of(results, [&](const std::vector<float>& one) { return one == expected; });
    const auto moved = std::ranges::minmax(expected);
    std::printf("%s, %d threads, %zu numbers from %g to %g: %s\n", what, threads, expected.size(),
                static_cast<double>(moved.min), static_cast<double>(moved.max),
                same ? "the bits of one thread" : "OTHER BITS than one thread");
    return same && moved.min < moved.max;
}

int run() {
    const bool cpu = run("CPU", make_cpu_backend({.threads = 1}), {12, 20, 5});
    const bool kernels = run(
        "CUDA's kernels",
        make_kernels_on_host(std::make_unique<CountedMemory>(), Precision::fp32, std::make_unique<FftByDefinition>()),
        {5, 9, 3});
    const bool recorded = run("CUDA's kernels, recorded", make_fenced_kernels(), {5, 9, 3});
    const bool device =
        !cuda_obstacle().empty() || run("CUDA", make_cuda_backend({.memory_bytes = std::size_t{1} << 30}), {12, 20, 5});
    return cpu && kernels && recorded && device ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::testing

int main() { return plumecast::testing::run(); }
