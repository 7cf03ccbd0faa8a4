#include "training/run/averaged_weights.hpp"

#include <algorithm>
#include <utility>

#include <plumecast/io/safetensors.hpp>

namespace plumecast {

AveragedWeights::AveragedWeights(const Parameters& parameters, double decay) : parameters_(&parameters), decay_(decay) {
    std::int64_t largest = 0;
    for (const Parameter& parameter : parameters.all()) {
        if (parameter.weight.is_frozen()) {
            continue;
        }
        const Shape& shape = parameter.weight.shape();
        averages_.push_back({&parameter, Tensor(backend().memory(), shape, backend().compute_type())});
        largest = std::max(largest, shape.count());
    }
    scratch_ = Tensor(backend().memory(), {largest}, backend().compute_type());
    restart();
}

View AveragedWeights::scratch(const Shape& shape) { return scratch_.view().rows(0, shape.count()).reshaped(shape); }

void AveragedWeights::restart() {
    for (Average& average : averages_) {
        backend().add(1.0, average.parameter->weight.value(), {average.value});
    }
}

void AveragedWeights::follow(std::int64_t step) {
    const auto n = static_cast<double>(step);
    const double part = 1.0 - std::min(decay_, (1.0 + n) / (10.0 + n));
    for (Average& average : averages_) {
        const View difference = scratch(average.value.shape());
        backend().add(1.0, average.parameter->weight.value(), {difference});
        backend().add(-1.0, std::as_const(average.value).view(), {difference, 1.0});
        backend().add(part, difference, {average.value, 1.0});
    }
}

void AveragedWeights::exchange() {
    for (Average& average : averages_) {
        const View weights = average.parameter->weight.mutable_value();
        const View kept = scratch(weights.shape);
        backend().add(1.0, weights, {kept});
        backend().add(1.0, std::as_const(average.value).view(), {weights});
        backend().add(1.0, kept, {average.value});
    }
}

void AveragedWeights::save(const std::string& path) const {
    std::vector<Tensor> hosts;
    std::vector<NamedView> arrays;
    for (const Average& average : averages_) {
        hosts.push_back(parameters_->download(*average.parameter, average.value.view()));
        arrays.push_back({average.parameter->name, std::as_const(hosts.back()).view()});
    }
    const ProcessGrid* grid = parameters_->grid();
    if (grid == nullptr || grid->world().rank() == 0) {
        write_safetensors(path, arrays, {{"format", "plumecast-average"}});
    }
}

void AveragedWeights::load(const std::string& path) {
    const SafetensorsFile file(path);
    for (Average& average : averages_) {
        const Parameter& parameter = *average.parameter;
        if (file.shape(parameter.name) != parameter.whole) {
            throw InvalidModel(path + ": '" + parameter.name + "' has shape " + file.shape(parameter.name).text() +
                               " (the network needs " + parameter.whole.text() +
                               "); resume with the recipe the run was started with");
        }
        const Tensor stored = file.read(parameter.name);
        backend().upload(parameters_->held_part(parameter, stored), average.value);
    }
}

AveragedInPlace::AveragedInPlace(AveragedWeights* average) : average_(average) {
    if (average_ != nullptr) {
        average_->exchange();
    }
}

AveragedInPlace::~AveragedInPlace() {
    if (average_ != nullptr) {
        average_->exchange();
    }
}

}  // namespace plumecast
