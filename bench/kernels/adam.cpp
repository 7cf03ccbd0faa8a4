#include <cmath>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace plumecast::bench {
namespace {

struct Value {
    double gradient, weight, first, second;
};

/// The weight after one step, as Kingma and Ba (2015) state it, with coupled weight decay.
double stepped(const AdamStep& step, const Value& v) {
    const double g = v.gradient + step.weight_decay * v.weight;
    const double first = step.beta1 * v.first + (1.0 - step.beta1) * g;
    const double second = step.beta2 * v.second + (1.0 - step.beta2) * g * g;
    const double unbiased = first / (1.0 - std::pow(step.beta1, static_cast<double>(step.step)));
    const double scale = std::sqrt(second / (1.0 - std::pow(step.beta2, static_cast<double>(step.step))));
    return v.weight - step.learning_rate * unbiased / (scale + step.epsilon);
}

void adam(benchmark::State& state, Context& context, std::int64_t count) {
    Backend& backend = *context.backend;
    const Tensor gradient = random_array(backend, {count}, 1);
    Tensor weight = random_array(backend, {count}, 2), first = random_array(backend, {count}, 3);
    Tensor second = random_array(backend, {count}, 4);
    backend.activate(Activation{Activation::Kind::relu}, second, second);  // a mean of squares is not negative
    const std::vector<std::int64_t> places = sampled(count, 1000);
    std::vector<Value> before;
    for (const std::int64_t place : places) {
        const auto i = static_cast<std::size_t>(place);
        before.push_back({gradient.values<float>()[i], weight.values<float>()[i], first.values<float>()[i],
                          second.values<float>()[i]});
    }
    const AdamStep step{.step = 10};
    const auto check = [&] {
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double found = weight.values<float>()[static_cast<std::size_t>(places[k])];
            if (std::abs(found - stepped(step, before[k])) > 1e-5) {
                return false;
            }
        }
        return true;
    };
    // Reads four arrays and writes three.
    prove_then_time(state, context, {0.0, 7.0 * 4.0 * static_cast<double>(count)}, check, [&] {
        backend.adam(step, std::array{AdamParameter{gradient, weight, first, second}});
    });
}

}  // namespace

void register_adam(Context& context) {
    const std::vector<std::pair<const char*, std::int64_t>> sizes{{"published", 33'097'829}, {"small", 1'000'000}};
    for (const auto& [name, count] : sizes) {
        register_kernel(std::string("adam/") + name,
                        [&context, n = count](benchmark::State& state) { adam(state, context, n); });
    }
}

}  // namespace plumecast::bench
