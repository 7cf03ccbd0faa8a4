// A program that uses networks and no data sets: links plumecast::nn alone.
#include <cmath>
#include <cstdio>

#include <plumecast/backend/backend.hpp>
#include <plumecast/layers/linear.hpp>

int main() {
    const auto backend = plumecast::make_cpu_backend({.threads = 1});
    plumecast::Parameters parameters(*backend, 7);
    const plumecast::Linear layer(plumecast::Scope(parameters), 2, 3);
    plumecast::Tensor x(backend->memory(), plumecast::Shape{4, 2}, plumecast::DType::float32);
    backend->fill(x, 1.0);
    const plumecast::Variable y = layer(plumecast::Variable(*backend, std::move(x)));
    const double squares = backend->squared_norm(y.value());
    const bool right = y.shape() == plumecast::Shape{4, 3} && std::isfinite(squares) && squares > 0.0;
    std::printf("plumecast::nn on %s: %s\n", backend->description().c_str(), right ? "usable" : "wrong");
    return right ? 0 : 1;
}
