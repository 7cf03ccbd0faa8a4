// Eight threads run one plan at once: the plan, its weights and its constants are shared, a workspace is each
// thread's own. A program without a test framework and with plumecast::nn alone, so that a build with the thread
// sanitizer is small. Exit status 0 when every thread gets the bits that one alone gets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/architectures/network.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

namespace plumecast::testing {
namespace {

constexpr int threads = 8, passes = 3;

/// A U-FNO that has every kind of layer, on a grid that is padded and cropped.
NetworkConfig small_unet() {
    NetworkConfig config;
    config.channels = 3;
    config.width = 12;
    config.modes = {4, 6, 3};
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

/// What a thread does: a workspace, and some passes of the plan.
std::vector<float> predicted(Backend& backend, const Plan& plan, const Tensor& input, const Shape& fields) {
    Tensor workspace = plan.make_workspace();
    Tensor output(backend.memory(), fields, DType::float32);
    for (int pass = 0; pass < passes; ++pass) {
        plan.run(
            workspace, [&](const std::string&) { return input.view(); }, std::array{output.view()});
    }
    Tensor host = host_zeros(fields);
    backend.download(output, host);
    return {host.values<float>().begin(), host.values<float>().end()};
}

int run() {
    const auto backend = make_cpu_backend({.threads = 1});
    const NetworkConfig config = small_unet();
    const auto network = std::make_unique<Network>(*backend, config, 3);
    const Feed weights = [&](const std::string& name) { return network->parameters().at(name).weight.value(); };
    const Shape extents{12, 20, 5}, fields{1, 12, 20, 5, config.fields};
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
    std::printf("%d threads, %zu numbers from %g to %g: %s\n", threads, expected.size(), static_cast<double>(moved.min),
                static_cast<double>(moved.max), same ? "the bits of one thread" : "OTHER BITS than one thread");
    return same && moved.min < moved.max ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::testing

int main() { return plumecast::testing::run(); }
