#include <plumecast/training/optimizer.hpp>

#include <utility>

namespace plumecast {
namespace {

Tensor zeros_like(Backend& backend, const Weight& weight) {
    Tensor zeros(backend.memory(), weight.shape(), backend.compute_type());
    backend.fill(zeros, 0.0);
    return zeros;
}

}  // namespace

Adam::Adam(const Parameters& parameters, const OptimizerOptions& options)
    : parameters_(&parameters), options_(options) {
    for (const Parameter& parameter : parameters.all()) {
        if (parameter.moves()) {
            moments_.push_back(
                {&parameter, zeros_like(backend(), parameter.weight), zeros_like(backend(), parameter.weight)});
        }
    }
    if (options_.gradient_clip > 0.0) {
        squared_norm_ = Tensor(backend().memory(), {1}, DType::float64);
        backend().fill(squared_norm_, 0.0);
    }
}

/// The norm stays on the device, which clips by it. Only ranks that hold shards of weights have to add theirs up on the
/// host.
void Adam::sum_squares() {
    std::vector<ConstView> replicated, sharded;
    for (const Moments& moments : moments_) {
        const Parameter& parameter = *moments.parameter;
        (parameter.is_sharded() ? sharded : replicated).push_back(parameter.weight.gradient());
    }
    const ProcessGrid* grid = parameters_->grid();
    if (grid == nullptr || !grid->partitions_space()) {
        replicated.insert(replicated.end(), sharded.begin(), sharded.end());
        backend().squared_norm(replicated, squared_norm_);
        return;
    }
    Tensor own = host_zeros({1}, DType::float64), others = host_zeros({1}, DType::float64);
    backend().squared_norm(sharded, squared_norm_);
    backend().download(std::as_const(squared_norm_).view(), others);
    grid->space().sum(others.values<double>());
    backend().squared_norm(replicated, squared_norm_);
    backend().download(std::as_const(squared_norm_).view(), own);
    own.values<double>()[0] += others.values<double>()[0];
    backend().upload(own, squared_norm_);
}

void Adam::step(double learning_rate) {
    AdamStep step{
        learning_rate, options_.beta1, options_.beta2, options_.epsilon, options_.weight_decay, ++steps_, 1.0};
    step.decoupled_decay = options_.kind == OptimizerOptions::Kind::adamw;
    if (options_.gradient_clip > 0.0) {
        sum_squares();
        step.clip_norm = options_.gradient_clip;
        step.squared_norm = std::as_const(squared_norm_).view();
    }
    std::vector<AdamParameter> targets;
    for (Moments& moments : moments_) {
        const Weight& weight = moments.parameter->weight;
        targets.push_back({weight.gradient(), weight.mutable_value(), moments.first, moments.second});
    }
    backend().adam(step, targets);
    for (const Moments& moments : moments_) {
        moments.parameter->weight.clear_gradient();
    }
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
