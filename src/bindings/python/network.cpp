#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/named_arrays.hpp"
#include "bindings/python/options.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;
namespace {

/// NumPy arrays of all weights and buffers by their names, where they are; each keeps the network.
nb::dict parameters_of(nb::handle self) {
    plumecast_network* network = nb::cast<Network&>(self).get();
    std::size_t count = 0;
    require(plumecast_network_parameter_count(network, &count));
    nb::dict found;
    for (std::size_t index = 0; index < count; ++index) {
        plumecast_named named{};
        require(plumecast_network_parameter(network, index, &named));
        const plumecast_array& array = named.array;
        std::vector<std::size_t> shape(array.shape, array.shape + array.ndim);
        const nb::dlpack::dtype type{array.dtype.code, array.dtype.bits, array.dtype.lanes};
        const nb::ndarray<nb::numpy> view(array.data, shape.size(), shape.data(), self, nullptr, type);
        found[named.name] = view;
    }
    return found;
}

void inputs_of(const Network& network, Cases& cases, const nb::dict& arrays, const Options& options) {
    const NamedArrays<WritableArray> named(arrays);
    options.work(cases, [&](const plumecast_options& given) {
        return plumecast_network_inputs(network.get(), cases.get(), named.data(), named.size(), &given);
    });
}

}  // namespace

std::unique_ptr<Network> Network::create(const Device& device, const std::string& configuration, std::uint64_t seed) {
    const Unlocked unlocked;
    plumecast_network* handle = nullptr;
    require(plumecast_network_create(device.get(), configuration.c_str(), seed, &handle));
    return std::make_unique<Network>(Owned<plumecast_network>(handle));
}

std::unique_ptr<Network> Network::of_model(const Model& model, const std::string& field) {
    const Unlocked unlocked;
    plumecast_network* handle = nullptr;
    require(plumecast_network_of_model(model.get(), field.empty() ? nullptr : field.c_str(), &handle));
    return std::make_unique<Network>(Owned<plumecast_network>(handle));
}

const char* Network::description() const {
    const char* json = nullptr;
    require(plumecast_network_describe(handle_.get(), &json));
    return json;
}

void Network::read(const nb::dict& parameters) const {
    const NamedArrays<WritableArray> named(parameters);
    const Unlocked unlocked;
    require(plumecast_network_read(handle_.get(), named.data(), named.size()));
}

void Network::assign(const nb::dict& parameters) {
    const NamedArrays<InputArray> named(parameters);
    const Unlocked unlocked;
    require(plumecast_network_assign(handle_.get(), named.data(), named.size()));
}

void Network::forward(const InputArray& channels, const WritableArray& prediction, bool training) {
    const DescribedArray from(channels), to(prediction);
    const Unlocked unlocked;
    require(plumecast_network_forward(handle_.get(), &from.array(), &to.array(), training ? 1 : 0));
}

void Network::vjp(const InputArray& channels, const InputArray& cotangent, const nb::object& by_channels,
                  const nb::dict& by_parameters, bool training) {
    const DescribedArray from(channels), weights(cotangent);
    const NamedArrays<WritableArray> named(by_parameters);
    std::optional<DescribedArray> to;
    if (!by_channels.is_none()) {
        to.emplace(nb::cast<WritableArray>(by_channels));
    }
    const Unlocked unlocked;
    require(plumecast_network_vjp(handle_.get(), &from.array(), &weights.array(), to ? &to->array() : nullptr,
                                  named.data(), named.size(), training ? 1 : 0));
}

void Network::load(const std::string& path) {
    const Unlocked unlocked;
    require(plumecast_network_load(handle_.get(), path.c_str()));
}

void Network::save(const std::string& path, const std::string& title) const {
    const Unlocked unlocked;
    require(plumecast_network_save(handle_.get(), path.c_str(), title.empty() ? nullptr : title.c_str()));
}

void bind_network(nb::module_& module) {
    nb::class_<Network>(module, "Network", "A network of plumecast.h, with weights of its own.")
        .def_static("create", &Network::create, "device"_a, "configuration"_a, "seed"_a,
                    "A network that JSON describes, with initial weights.")
        .def_static("of_model", &Network::of_model, "model"_a, "field"_a,
                    "A copy of the network of a model that predicts a field; '' for its only one.")
        .def_prop_ro("description", &Network::description, "Configuration, parameters, title and device, as JSON.")
        .def("parameters", &parameters_of, nb::sig("def parameters(self) -> dict[str, Any]"),
             "Arrays of all weights and buffers where they are.")
        .def("read", &Network::read, "parameters"_a,
             nb::sig("def read(self, parameters: Mapping[str, object]) -> None"),
             "Copies weights and buffers into arrays.")
        .def("assign", &Network::assign, "parameters"_a,
             nb::sig("def assign(self, parameters: Mapping[str, object]) -> None"),
             "Replaces weights and buffers by copies of arrays.")
        .def("forward", &Network::forward, "channels"_a.noconvert(), "prediction"_a.noconvert(), "training"_a,
             nb::sig("def forward(self, channels: object, prediction: object, training: bool) -> None"),
             "Predicts into an array.")
        .def("vjp", &Network::vjp, "channels"_a.noconvert(), "cotangent"_a.noconvert(), "by_channels"_a.none(),
             "by_parameters"_a, "training"_a,
             nb::sig("def vjp(self, channels: object, cotangent: object, by_channels: object | None, by_parameters: "
                     "Mapping[str, object], training: bool) -> None"),
             "Derivatives of the sum of cotangent times prediction, into arrays.")
        .def("inputs", &inputs_of, "cases"_a, "arrays"_a, "options"_a,
             nb::sig("def inputs(self, cases: Cases, arrays: Mapping[str, object], options: Options) -> None"),
             "What the network takes of cases, into arrays.")
        .def("load", &Network::load, "path"_a, "Replaces all weights by those of a safetensors file.")
        .def("save", &Network::save, "path"_a, "title"_a, "Writes weights or a model.");
}

}  // namespace plumecast::python
