#include <algorithm>
#include <utility>

#include <plumecast/architectures/parameters.hpp>

#include "core/random.hpp"

namespace plumecast {
namespace {

/// The rows of all ranks one after the other, for the first rank; the others send theirs and get nothing.
Tensor gathered_rows(Communicator& ranks, Tensor& held, const AxisPartition& owners, const Shape& whole) {
    const auto bytes_of = [](Tensor& tensor) {
        return std::span(static_cast<std::byte*>(tensor.view().data), tensor.bytes());
    };
    const std::span<std::byte> own = bytes_of(held);
    if (ranks.rank() != 0) {
        const OutgoingMessage message{0, own};
        ranks.start(std::span(&message, own.empty() ? 0 : 1), {})->wait();
        return {};
    }
    Tensor all(host_memory(), whole, held.type());
    const std::size_t row = all.bytes() / static_cast<std::size_t>(owners.back());
    std::vector<IncomingMessage> messages;
    for (std::size_t peer = 0; peer + 1 < owners.size(); ++peer) {
        const auto begin = static_cast<std::size_t>(owners[peer]), end = static_cast<std::size_t>(owners[peer + 1]);
        const std::span<std::byte> place = bytes_of(all).subspan(begin * row, (end - begin) * row);
        if (peer == 0) {
            std::ranges::copy(own, place.begin());
        } else if (!place.empty()) {
            messages.push_back({static_cast<int>(peer), place});
        }
    }
    ranks.start({}, messages)->wait();
    return all;
}

/// Whether a name is `part` or lies in it.
bool is_in(const std::string& name, const std::string& part) {
    return part.empty() || name == part || name.starts_with(part + ".");
}

/// The names one level below a part, each once, in their order.
std::string names_in(const std::vector<Parameter>& all, const std::string& part) {
    std::vector<std::string> names;
    for (const Parameter& parameter : all) {
        const std::size_t begin = part.empty() ? 0 : part.size() + 1;
        const std::string name = parameter.name.substr(0, parameter.name.find('.', begin));
        if (parameter.trainable && is_in(parameter.name, part) && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
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
        const std::int64_t numbers = parameter.whole.count();
        total += parameter.trainable ? (parameter.complex_valued ? numbers / 2 : numbers) : 0;
    }
    return total;
}

Shape Parameters::held_shape(const Parameter& parameter) const {
    if (!parameter.is_sharded()) {
        return parameter.whole;
    }
    std::int64_t rows = 1;
    int axis = 0;
    while (rows < parameter.owners.back()) {
        rows *= parameter.whole[axis++];
    }
    const auto place = static_cast<std::size_t>(grid_->space().rank());
    Shape shape{parameter.owners[place + 1] - parameter.owners[place]};
    for (; axis < parameter.whole.rank(); ++axis) {
        shape = shape.append(parameter.whole[axis]);
    }
    return shape;
}

ConstView Parameters::held_part(const Parameter& parameter, ConstView whole) const {
    if (!parameter.is_sharded()) {
        return whole;
    }
    const Shape held = held_shape(parameter);
    const std::int64_t rows = parameter.owners.back();
    const auto place = static_cast<std::size_t>(grid_->space().rank());
    return whole.reshaped({rows, whole.shape.count() / rows})
        .rows(parameter.owners[place], parameter.owners[place + 1])
        .reshaped(held);
}

Tensor Parameters::uniform_values(const Parameter& parameter, std::uint64_t seed, double low, double high) const {
    const RandomStream random(seed, parameter.name);
    Tensor host = host_zeros(held_shape(parameter));
    std::span<float> values = host.values<float>();
    std::size_t first = 0;  // the index counts in the whole array
    if (parameter.is_sharded()) {
        const std::int64_t row = parameter.whole.count() / parameter.owners.back();
        first = static_cast<std::size_t>(parameter.owners[static_cast<std::size_t>(grid_->space().rank())] * row);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(low + (high - low) * random.uniform(first + i));
    }
    return host;
}

void Parameters::add(const WeightOp& weight, int shared_axes) {
    expects(std::ranges::find(all_, weight.of, &Parameter::name) == all_.end(), "a parameter name used once");
    Parameter parameter;
    parameter.name = weight.of;
    parameter.trainable = weight.trainable;
    parameter.complex_valued = weight.complex_valued;
    parameter.whole = weight.shape;
    if (shared_axes > 0 && grid_ != nullptr && grid_->partitions_space()) {
        parameter.owners = grid_->owners(weight.shape.slice(0, shared_axes));
    }
    Tensor value(backend_->memory(), held_shape(parameter), backend_->compute_type());
    if (seed_) {
        backend_->upload(uniform_values(parameter, *seed_, weight.low, weight.high), value);
    } else {
        backend_->fill(value, 0.0);
    }
    parameter.weight = Weight(*backend_, std::move(value));
    all_.push_back(std::move(parameter));
}

void Parameters::assign(const std::string& name, ConstView values) const {
    const Parameter& parameter = at(name);
    if (parameter.whole != values.shape) {
        throw InvalidInput("parameter '" + name + "' has shape " + values.shape.text() + " (the network needs " +
                           parameter.whole.text() + "); check width, modes and channels");
    }
    backend_->upload(held_part(parameter, values), parameter.weight.mutable_value());
}

Tensor Parameters::download(const Parameter& parameter) const { return download(parameter, parameter.weight.value()); }

Tensor Parameters::download(const Parameter& parameter, ConstView held) const {
    Tensor host(host_memory(), held.shape, held.type);
    backend_->download(held, host);
    if (!parameter.is_sharded()) {
        return host;
    }
    return gathered_rows(grid_->space(), host, parameter.owners, parameter.whole);
}

void Parameters::freeze(const std::vector<std::string>& names) const {
    for (const std::string& part : names) {
        bool found = false;
        for (const Parameter& parameter : all_) {
            if (!part.empty() && parameter.trainable && is_in(parameter.name, part)) {
                parameter.weight.freeze();
                found = true;
            }
        }
        if (!found) {
            std::string known = part;
            std::string inside;
            do {
                known = known.substr(0, known.find_last_of('.') == std::string::npos ? 0 : known.find_last_of('.'));
                inside = names_in(all_, known);
            } while (inside.empty() && !known.empty());
            throw InvalidInput("no weight '" + part + "' to freeze (there are " + inside +
                               "); name one of them, or one inside it");
        }
    }
}

}  // namespace plumecast
