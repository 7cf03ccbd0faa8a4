#include "inference/networks/writable_network.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/architectures/weights_file.hpp>
#include <plumecast/core/error.hpp>

#include "inference/bundle/network_json.hpp"
#include "inference/networks/host_arrays.hpp"
#include "inference/networks/network_inputs.hpp"
#include "inference/prediction/output_checks.hpp"

namespace plumecast {
namespace {

/// What a bundle says of the data that it learned from, which stays true when weights change.
Json kept_record(const Json& training) {
    Json::Object kept;
    for (const char* key : {"ranges", "grid", "more_grids", "schedules", "pressure_limits", "dissolution_limits",
                            "temperature_gradients", "points", "rollout"}) {
        if (const Json* found = training.find(key)) {
            kept.emplace_back(key, *found);
        }
    }
    return kept;
}

const FieldNetwork& predicting(const Bundle& bundle, const std::string& field) {
    std::vector<std::string> names;
    for (const BundleNetwork& one : bundle.networks) {
        for (const Field& known : one.network->description().fields) {
            if (known.name == field) {
                return *one.network;
            }
            names.push_back(known.name);
        }
    }
    if (field.empty() && bundle.networks.size() == 1) {
        return *bundle.networks.front().network;
    }
    if (field.empty()) {
        throw InvalidInput(fmt::format("the model has {} networks (they predict {}); name a field of the one meant",
                                       bundle.networks.size(), fmt::join(names, ", ")));
    }
    const std::string near = nearest(field, names);
    throw InvalidInput(fmt::format("no network of the model predicts '{}' (they predict {}); {}", field.substr(0, 64),
                                   fmt::join(names, ", "),
                                   near.empty() ? "name one of them" : "did you mean " + near + "?"));
}

/// A description whose channels or fields are only counted.
template <class Named>
std::vector<Named> numbered(std::int64_t count, const char* what) {
    std::vector<Named> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].name = fmt::format("{}_{}", what, i);
    }
    return all;
}

NetworkDescription read_configuration(JsonReader& object, bool is_named) {
    if (is_named) {
        NetworkDescription description = read_network_description(object, Entries::optional);
        object.reject_unknown();
        return description;
    }
    NetworkDescription description;
    description.network = read_network_entries(object, Entries::optional);
    description.network.channels = object.get<std::int64_t>("channels");
    description.network.fields = object.get<std::int64_t>("fields");
    object.reject_unknown();
    description.network.check();
    description.channels = numbered<Channel>(description.network.channels, "channel");
    description.fields = numbered<Field>(description.network.fields, "field");
    return description;
}

Json configuration_of(const NetworkDescription& description, bool is_named) {
    if (is_named) {
        return to_json(description);
    }
    Json::Object entries = network_entries(description.network);
    entries.emplace_back("channels", description.network.channels);
    entries.emplace_back("fields", description.network.fields);
    return entries;
}

std::vector<std::int64_t> extents_of_weight(const Parameter& parameter) {
    return {parameter.whole.extents().begin(), parameter.whole.extents().end()};
}

Json json_of(const Parameter& parameter) {
    Json::Array shape;
    for (const std::int64_t extent : parameter.whole.extents()) {
        shape.emplace_back(extent);
    }
    return Json::Object{{"name", parameter.name},
                        {"shape", std::move(shape)},
                        {"trainable", parameter.trainable},
                        {"complex_valued", parameter.complex_valued}};
}

}  // namespace

WritableNetwork::WritableNetwork(std::unique_ptr<FieldNetwork> network, bool is_named, Json training)
    : network_(std::move(network)),
      function_(std::make_unique<NetworkFunction>(network_->network())),
      is_named_(is_named),
      training_(std::move(training)) {}

WritableNetwork WritableNetwork::of_bundle(const Bundle& bundle, const std::string& field) {
    const FieldNetwork& original = predicting(bundle, field);
    auto copy = std::make_unique<FieldNetwork>(original.backend(), original.description(), std::nullopt);
    for (const Parameter& parameter : original.parameters().all()) {
        copy->parameters().assign(parameter.name, original.parameters().download(parameter));
    }
    return {std::move(copy), true, kept_record(bundle.training)};
}

WritableNetwork WritableNetwork::of_configuration(const std::string& json, Backend& backend, std::uint64_t seed) {
    const Json parsed = Json::parse(json, "configuration");
    JsonReader object(parsed, "configuration");
    const bool is_named = object.raw("channels").get_if<Json::Array>() != nullptr;
    return {std::make_unique<FieldNetwork>(backend, read_configuration(object, is_named), seed), is_named, {}};
}

Json WritableNetwork::description() const {
    Json::Array parameters;
    for (const Parameter& parameter : network_->parameters().all()) {
        parameters.push_back(json_of(parameter));
    }
    return Json::Object{{"configuration", configuration_of(network_->description(), is_named_)},
                        {"named", is_named_},
                        {"count", network_->parameters().count()},
                        {"parameters", std::move(parameters)}};
}

std::vector<WeightArray> WritableNetwork::weights() const {
    const bool is_here = network_->backend().shares_host_memory();
    std::vector<WeightArray> all;
    for (const Parameter& parameter : network_->parameters().all()) {
        const View value = parameter.weight.mutable_value();
        all.push_back({parameter.name,
                       parameter.trainable,
                       parameter.complex_valued,
                       {is_here ? value.data : nullptr,
                        value.type == DType::float64 ? ElementType::float64 : ElementType::float32,
                        extents_of_weight(parameter)}});
    }
    return all;
}

void WritableNetwork::assign(const std::map<std::string, ArrayView>& weights) {
    const Parameters& parameters = network_->parameters();
    for (const auto& [name, array] : weights) {
        if (const std::string problem = problem_of_view(array); !problem.empty()) {
            throw InvalidInput(fmt::format("the array for {} {}", name.substr(0, 64), problem));
        }
        const std::vector<std::int64_t> wanted = extents_of_weight(parameters.at(name));
        if (array.extents != wanted) {
            throw InvalidInput(
                fmt::format("parameter '{}' has the shape [{}] (the network needs [{}]); give an array "
                            "of that shape",
                            name, fmt::join(array.extents, ", "), fmt::join(wanted, ", ")));
        }
    }
    for (const auto& [name, array] : weights) {
        const Tensor values = from_caller(network_->backend(), array);
        network_->backend().add(1.0, values.view(), {parameters.at(name).weight.mutable_value()});
    }
}

void WritableNetwork::read(const std::map<std::string, OutputArray>& weights) const {
    const Parameters& parameters = network_->parameters();
    WrittenArrays written{"parameter", "names", {}};
    for (const auto& [name, array] : weights) {
        written.extents[name] = extents_of_weight(parameters.at(name));
    }
    require_apart(weights, written, {});
    for (const auto& [name, array] : weights) {
        to_caller(network_->backend(), parameters.at(name).weight.value(), array);
    }
}

void WritableNetwork::forward(const ArrayView& channels, const OutputArray& prediction, bool in_training) {
    function_->forward(channels, prediction, in_training ? ExecutionMode::training : ExecutionMode::evaluation);
}

void WritableNetwork::vjp(const ArrayView& channels, const ArrayView& cotangent, const NetworkGradients& gradients,
                          bool in_training) {
    function_->vjp(channels, cotangent, gradients, in_training ? ExecutionMode::training : ExecutionMode::evaluation);
}

void WritableNetwork::read_inputs(const Dataset& dataset, const PredictedArrays& arrays,
                                  const PredictionOptions& options) const {
    if (!is_named_) {
        throw InvalidInput(
            "the network knows only how many channels it has (cases have inputs by name); list its channels and "
            "fields in the configuration, as model.json does");
    }
    read_network_inputs(*network_, dataset, arrays, options);
}

void WritableNetwork::load(const std::string& path) { read_weights(path, network_->parameters()); }

void WritableNetwork::save(const std::string& path, const std::string& title) const {
    if (path.ends_with(".safetensors")) {
        write_weights(path, network_->parameters(), {{"format", "plumecast-model"}, {"title", title}});
        return;
    }
    if (!is_named_) {
        throw InvalidInput(
            "the network knows only how many channels it has (a model names them); list its channels and fields in "
            "the configuration, or save its weights alone, to a file FILE.safetensors");
    }
    const std::vector<Field>& fields = network_->description().fields;
    const std::string stem = fields.size() == 1 ? fields.front().name : "fields";
    write_bundle(path, {title,
                        {{stem, network_.get()}},
                        training_,
                        fmt::format("# {}\n\nA network saved by itself: its weights were set by a program, and nothing "
                                    "was recorded of how.\n",
                                    title)});
}

}  // namespace plumecast
