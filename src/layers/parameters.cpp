#include <algorithm>
#include <utility>

#include <plumecast/core/random.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {
namespace {

Tensor uniform_values(std::uint64_t seed, const std::string& name, const Shape& shape, double low, double high) {
    const RandomStream random(seed, name);
    Tensor host = host_zeros(shape);
    std::span<float> values = host.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(low + (high - low) * random.uniform(i));
    }
    return host;
}

Tensor constant_values(const Shape& shape, double value) {
    Tensor host = host_zeros(shape);
    std::ranges::fill(host.values<float>(), static_cast<float>(value));
    return host;
}

}  // namespace

const Parameter& Parameters::at(const std::string& name) const {
    const auto found = std::ranges::find(all_, name, &Parameter::name);
    if (found == all_.end()) {
        throw InvalidInput("no parameter '" + name +
                           "' in this network (names follow its blocks); check the "
                           "architecture that the weights were saved for");
    }
    return *found;
}

std::int64_t Parameters::count() const {
    std::int64_t total = 0;
    for (const Parameter& parameter : all_) {
        const std::int64_t numbers = parameter.variable.shape().count();
        total += parameter.trainable ? (parameter.complex_valued ? numbers / 2 : numbers) : 0;
    }
    return total;
}

Variable Parameters::append(const std::string& name, Tensor host, bool trainable, bool complex_valued) {
    expects(std::ranges::find(all_, name, &Parameter::name) == all_.end(), "a parameter name used once");
    Tensor value(backend_->memory(), host.shape(), backend_->compute_type());
    backend_->upload(host, value);
    all_.push_back({name, Variable(*backend_, std::move(value), trainable), trainable, complex_valued});
    return all_.back().variable;
}

Variable Parameters::uniform(const std::string& name, const Shape& shape, double low, double high) {
    return append(name, uniform_values(seed_, name, shape, low, high), true, false);
}

Variable Parameters::complex_uniform(const std::string& name, const Shape& shape, double high) {
    return append(name, uniform_values(seed_, name, shape, 0.0, high), true, true);
}

Variable Parameters::constant(const std::string& name, const Shape& shape, double value) {
    return append(name, constant_values(shape, value), true, false);
}

Variable Parameters::buffer(const std::string& name, const Shape& shape, double value) {
    return append(name, constant_values(shape, value), false, false);
}

void Parameters::assign(const std::string& name, ConstView values) const {
    const Parameter& parameter = at(name);
    if (parameter.variable.shape() != values.shape) {
        throw InvalidInput("parameter '" + name + "' has shape " + values.shape.text() + " (the network needs " +
                           parameter.variable.shape().text() + "); check width, modes and channels");
    }
    backend_->upload(values, parameter.variable.mutable_value());
}

Tensor Parameters::download(const Parameter& parameter) const {
    Tensor host(host_memory(), parameter.variable.shape(), backend_->compute_type());
    backend_->download(parameter.variable.value(), host);
    return host;
}

void Parameters::set_trainable(bool trainable) const {
    for (const Parameter& parameter : all_) {
        parameter.variable.set_wants_gradient(trainable && parameter.trainable);
    }
}

}  // namespace plumecast
