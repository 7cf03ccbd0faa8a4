#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <plumecast.h>

#include <plumecast/core/error.hpp>

#include "bindings/c/arrays.hpp"
#include "bindings/c/handles.hpp"
#include "bindings/c/options.hpp"
#include "bindings/c/status.hpp"

using namespace plumecast;

namespace plumecast::c {
namespace {

bool is_training(std::int32_t training) {
    if (training != 0 && training != 1) {
        throw InvalidInput("training is " + std::to_string(training) +
                           " (1 takes the statistics of the batch, 0 the running ones); give one of them");
    }
    return training == 1;
}

/// A handle with what it is asked for.
plumecast_network* handle_of(const std::shared_ptr<Backend>& backend, WritableNetwork network, std::string title) {
    std::unique_ptr<plumecast_network> made(
        new plumecast_network{backend, std::move(network), std::move(title), {}, {}});
    made->weights = made->network.weights();
    Json description = made->network.description();
    description["title"] = made->title;
    description["device"] = backend->description();
    made->description = description.dump();
    return made.release();
}

const WeightArray& weight_at(const plumecast_network& network, std::size_t index) {
    if (index >= network.weights.size()) {
        throw InvalidInput("parameter " + std::to_string(index) + " is not there (the network has " +
                           std::to_string(network.weights.size()) + ", counted from 0); give a smaller index");
    }
    return network.weights[index];
}

/// Throws InvalidInput for one that lies on a device.
plumecast_named named_array(WeightArray& weight) {
    OutputArray& array = weight.array;
    if (array.data == nullptr) {
        throw InvalidInput("parameter '" + weight.name +
                           "' lies on a device (its memory is not the host's); copy it with plumecast_network_read, or "
                           "open the device 'cpu'");
    }
    plumecast_named named{};
    named.name = weight.name.c_str();
    named.array.data = array.data;
    named.array.device = {PLUMECAST_HOST, 0};
    named.array.ndim = static_cast<std::int32_t>(array.extents.size());
    named.array.dtype = {PLUMECAST_FLOAT, static_cast<std::uint8_t>(array.type == ElementType::float64 ? 64 : 32), 1};
    named.array.shape = array.extents.data();
    return named;
}

}  // namespace
}  // namespace plumecast::c

plumecast_status plumecast_network_create(const plumecast_device* device, const char* configuration, uint64_t seed,
                                          plumecast_network** network) {
    return c::guarded([&] {
        plumecast_network*& to = c::required(network, "network");
        to = nullptr;
        const std::shared_ptr<Backend>& backend = c::required(device, "device").backend;
        to = c::handle_of(backend,
                          WritableNetwork::of_configuration(c::text_of(configuration, "configuration"), *backend, seed),
                          "a network by itself");
    });
}

plumecast_status plumecast_network_of_model(const plumecast_model* model, const char* field,
                                            plumecast_network** network) {
    return c::guarded([&] {
        plumecast_network*& to = c::required(network, "network");
        to = nullptr;
        const plumecast_model& of = c::required(model, "model");
        const Bundle& bundle = of.predictor->bundle();
        to = c::handle_of(of.backend, WritableNetwork::of_bundle(bundle, field == nullptr ? "" : field), bundle.title);
    });
}

plumecast_status plumecast_network_describe(const plumecast_network* network, const char** json) {
    return c::guarded([&] { c::required(json, "json") = c::required(network, "network").description.c_str(); });
}

plumecast_status plumecast_network_parameter_count(const plumecast_network* network, size_t* count) {
    return c::guarded([&] { c::required(count, "count") = c::required(network, "network").weights.size(); });
}

plumecast_status plumecast_network_parameter(plumecast_network* network, size_t index, plumecast_named* parameter) {
    return c::guarded([&] {
        plumecast_named& to = c::required(parameter, "parameter");
        plumecast_network& of = c::required(network, "network");
        c::weight_at(of, index);
        to = c::named_array(of.weights[index]);
    });
}

plumecast_status plumecast_network_read(const plumecast_network* network, const plumecast_named* parameters,
                                        size_t count) {
    return c::guarded([&] {
        c::required(network, "network")
            .network.read(c::named_arrays<OutputArray>({parameters, count, "parameters"}, c::output_from));
    });
}

plumecast_status plumecast_network_assign(plumecast_network* network, const plumecast_named* parameters, size_t count) {
    return c::guarded([&] {
        c::required(network, "network")
            .network.assign(c::named_arrays<ArrayView>(
                {parameters, count, "parameters"},
                [](const plumecast_array& array, const std::string& name) { return c::view_from(array, name, ""); }));
    });
}

plumecast_status plumecast_network_forward(plumecast_network* network, const plumecast_array* channels,
                                           const plumecast_array* prediction, int32_t training) {
    return c::guarded([&] {
        c::required(network, "network")
            .network.forward(c::view_from(c::required(channels, "channels"), "channels", ""),
                             c::output_from(c::required(prediction, "prediction"), "prediction"),
                             c::is_training(training));
    });
}

plumecast_status plumecast_network_vjp(plumecast_network* network, const plumecast_array* channels,
                                       const plumecast_array* cotangent, const plumecast_array* by_channels,
                                       const plumecast_named* by_parameters, size_t count, int32_t training) {
    return c::guarded([&] {
        NetworkGradients gradients;
        if (by_channels != nullptr) {
            gradients.channels = c::output_from(*by_channels, "by_channels");
        }
        gradients.weights = c::named_arrays<OutputArray>({by_parameters, count, "by_parameters"}, c::output_from);
        c::required(network, "network")
            .network.vjp(c::view_from(c::required(channels, "channels"), "channels", ""),
                         c::view_from(c::required(cotangent, "cotangent"), "cotangent", ""), gradients,
                         c::is_training(training));
    });
}

plumecast_status plumecast_network_inputs(const plumecast_network* network, const plumecast_cases* cases,
                                          const plumecast_named* arrays, size_t count,
                                          const plumecast_options* options) {
    return c::guarded([&] {
        const plumecast_network& by = c::required(network, "network");
        const plumecast_cases& of = c::required(cases, "cases");
        by.network.read_inputs(of.dataset(), c::outputs_of(arrays, count), c::options_of(options));
    });
}

plumecast_status plumecast_network_load(plumecast_network* network, const char* path) {
    return c::guarded([&] { c::required(network, "network").network.load(c::text_of(path, "path")); });
}

plumecast_status plumecast_network_save(const plumecast_network* network, const char* path, const char* title) {
    return c::guarded([&] {
        const plumecast_network& saved = c::required(network, "network");
        saved.network.save(c::text_of(path, "path"), title == nullptr ? saved.title : title);
    });
}

void plumecast_network_release(plumecast_network* network) { delete network; }
