#include <nanobind/stl/string.h>

#include "bindings/python/failure.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {
namespace nb = nanobind;
using nb::literals::operator""_a;

Device::Device(const std::string& name, int threads, bool bfloat16, std::uint64_t memory_limit, int spectral,
               double memory_share) {
    const Unlocked unlocked;
    plumecast_device_options options{};
    options.size = sizeof options;
    options.threads = threads;
    options.bfloat16 = bfloat16 ? 1 : 0;
    options.memory_limit = memory_limit;
    options.spectral = spectral;
    options.memory_share = memory_share;
    plumecast_device* handle = nullptr;
    require(plumecast_device_open(name.c_str(), &options, &handle));
    handle_.reset(handle);
}

const char* Device::description() const {
    const char* text = nullptr;
    require(plumecast_device_describe(handle_.get(), &text));
    return text;
}

void Device::trim() {
    const Unlocked unlocked;
    require(plumecast_device_trim(handle_.get()));
}

Model::Model(const Device& device, const std::string& path) {
    const Unlocked unlocked;
    plumecast_model* handle = nullptr;
    require(plumecast_model_load(device.get(), path.c_str(), &handle));
    handle_.reset(handle);
}

const char* Model::description() const {
    const char* json = nullptr;
    require(plumecast_model_describe(handle_.get(), &json));
    return json;
}

const char* Model::hash() const {
    const char* hash = nullptr;
    require(plumecast_model_hash(handle_.get(), &hash));
    return hash;
}

void bind_model(nb::module_& module) {
    nb::class_<Device>(module, "Device", "A device of plumecast.h, with memory of its own.")
        .def(nb::init<const std::string&, int, bool, std::uint64_t, int, double>(), "name"_a, "threads"_a, "bfloat16"_a,
             "memory_limit"_a, "spectral"_a, "memory_share"_a)
        .def_prop_ro("description", &Device::description, "What it computes with.")
        .def("trim", &Device::trim, "Gives memory that nothing uses back to the system.");
    nb::class_<Model>(module, "Model", "A model of plumecast.h, which any number of threads may use.")
        .def(nb::init<const Device&, const std::string&>(), "device"_a, "path"_a)
        .def_prop_ro("description", &Model::description, "Title, hash, inputs, fields and grid, as JSON.")
        .def_prop_ro("hash", &Model::hash, "SHA-256 of the weights.");
}

}  // namespace plumecast::python
