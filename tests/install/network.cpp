// A program that uses networks and no data sets: links plumecast::nn alone.
#include <cmath>
#include <cstdio>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/backend/backend.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

int main() {
    const auto backend = plumecast::make_cpu_backend({.threads = 1});
    plumecast::NetworkConfig config = plumecast::NetworkConfig::published("fno");
    config.channels = 2;
    config.width = 4;
    config.modes = {2, 2, 2};
    const plumecast::Network network(*backend, config, 7);
    const plumecast::Feed weights = [&](const std::string& name) {
        return network.parameters().at(name).weight.value();
    };
    const plumecast::Shape grid{6, 8, 4};
    const plumecast::Graph described =
        describe(config, whole_input(config, 1, grid), plumecast::ExecutionMode::evaluation);
    const plumecast::Plan plan(*backend, for_prediction(*backend, described, weights), weights);
    plumecast::Tensor x(backend->memory(), plumecast::Shape{1, 6, 8, 4, 2}, plumecast::DType::float32);
    plumecast::Tensor y(backend->memory(), plumecast::Shape{1, 6, 8, 4, 1}, plumecast::DType::float32);
    backend->fill(x, 1.0);
    plumecast::Tensor workspace = plan.make_workspace();
    const plumecast::View outputs[] = {y.view()};
    plan.run(
        workspace, [&](const std::string&) { return static_cast<const plumecast::Tensor&>(x).view(); }, outputs);
    const double squares = backend->squared_norm(y);
    const bool right = std::isfinite(squares) && squares > 0.0;
    std::printf("plumecast::nn on %s: %s\n", backend->description().c_str(), right ? "usable" : "wrong");
    return right ? 0 : 1;
}
