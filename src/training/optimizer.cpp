#include <plumecast/training/optimizer.hpp>

#include <cmath>
#include <utility>

namespace plumecast {
namespace {

Tensor zeros_like(Backend& backend, const Variable& variable) {
    Tensor zeros(backend.memory(), variable.shape(), backend.compute_type());
    backend.fill(zeros, 0.0);
    return zeros;
}

Tensor downloaded(Backend& backend, const Tensor& values) {
    Tensor host(host_memory(), values.shape(), values.type());
    backend.download(values, host);
    return host;
}

}  // namespace

Adam::Adam(const Parameters& parameters, const OptimizerOptions& options)
    : parameters_(&parameters), options_(options) {
    for (const Parameter& parameter : parameters.all()) {
        if (parameter.trainable) {
            moments_.push_back(
                {&parameter, zeros_like(backend(), parameter.variable), zeros_like(backend(), parameter.variable)});
        }
    }
}

double Adam::step(double learning_rate) {
    double norm = 0.0;
    AdamStep step{
        learning_rate, options_.beta1, options_.beta2, options_.epsilon, options_.weight_decay, ++steps_, 1.0};
    if (options_.gradient_clip > 0.0) {
        for (const Moments& moments : moments_) {
            norm += backend().squared_norm(moments.parameter->variable.gradient());
        }
        norm = std::sqrt(norm);
        step.gradient_scale = norm > options_.gradient_clip ? options_.gradient_clip / norm : 1.0;
    }
    for (Moments& moments : moments_) {
        const Variable& weight = moments.parameter->variable;
        backend().adam(step, weight.gradient(), weight.mutable_value(), moments.first, moments.second);
        weight.clear_gradient();
    }
    return norm;
}

void Adam::save(const std::string& path) const {
    std::vector<Tensor> hosts;
    std::vector<NamedView> arrays;
    for (const Moments& moments : moments_) {
        for (const auto& [suffix, values] :
             {std::pair{".first", &moments.first}, std::pair{".second", &moments.second}}) {
            hosts.push_back(downloaded(backend(), *values));
            arrays.push_back({moments.parameter->name + suffix, std::as_const(hosts.back()).view()});
        }
    }
    write_safetensors(path, arrays, {{"format", "plumecast-adam"}});
}

void Adam::load(const std::string& path, std::int64_t steps) {
    const SafetensorsFile file(path);
    for (Moments& moments : moments_) {
        for (const auto& [suffix, values] :
             {std::pair{".first", &moments.first}, std::pair{".second", &moments.second}}) {
            const std::string name = moments.parameter->name + suffix;
            if (file.shape(name) != values->shape()) {
                throw InvalidModel(path + ": '" + name + "' has shape " + file.shape(name).text() +
                                   " (the network needs " + values->shape().text() +
                                   "); resume with the recipe the run was started with");
            }
            backend().upload(file.read(name), *values);
        }
    }
    steps_ = steps;
}

}  // namespace plumecast
