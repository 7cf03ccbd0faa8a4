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

}  // namespace

Adam::Adam(const Parameters& parameters, const OptimizerOptions& options)
    : parameters_(&parameters), sum_(parameters), options_(options) {
    for (const Parameter& parameter : parameters.all()) {
        if (parameter.trainable) {
            moments_.push_back(
                {&parameter, zeros_like(backend(), parameter.variable), zeros_like(backend(), parameter.variable)});
        }
    }
}

double Adam::gradient_norm() const {
    const ProcessGrid* grid = parameters_->grid();
    double replicated = 0.0, shared_out = 0.0;
    for (const Moments& moments : moments_) {
        const Parameter& parameter = *moments.parameter;
        (parameter.is_shared_out() ? shared_out : replicated) += backend().squared_norm(parameter.variable.gradient());
    }
    if (grid != nullptr && grid->cuts_space()) {
        grid->space().sum(std::span(&shared_out, 1));
    }
    return std::sqrt(replicated + shared_out);
}

double Adam::step(double learning_rate) {
    sum_();
    double norm = 0.0;
    AdamStep step{
        learning_rate, options_.beta1, options_.beta2, options_.epsilon, options_.weight_decay, ++steps_, 1.0};
    if (options_.gradient_clip > 0.0) {
        norm = gradient_norm();
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
            hosts.push_back(parameters_->download(*moments.parameter, values->view()));
            arrays.push_back({moments.parameter->name + suffix, std::as_const(hosts.back()).view()});
        }
    }
    const ProcessGrid* grid = parameters_->grid();
    if (grid != nullptr && grid->world().rank() != 0) {
        return;
    }
    write_safetensors(path, arrays, {{"format", "plumecast-adam"}});
}

void Adam::load(const std::string& path, std::int64_t steps) {
    const SafetensorsFile file(path);
    for (Moments& moments : moments_) {
        for (const auto& [suffix, values] :
             {std::pair{".first", &moments.first}, std::pair{".second", &moments.second}}) {
            const std::string name = moments.parameter->name + suffix;
            const Shape& whole = moments.parameter->whole;
            if (file.shape(name) != whole) {
                throw InvalidModel(path + ": '" + name + "' has shape " + file.shape(name).text() +
                                   " (the network needs " + whole.text() +
                                   "); resume with the recipe the run was started with");
            }
            const Tensor stored = file.read(name);
            backend().upload(parameters_->held_part(*moments.parameter, stored), *values);
        }
    }
    steps_ = steps;
}

}  // namespace plumecast
