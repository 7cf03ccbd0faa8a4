#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include <plumecast.h>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/sized.hpp"
#include "bindings/c/status.hpp"
#include "inference/bundle/recorded.hpp"
#include "inference/guided/written_fields.hpp"
#include "inference/prediction/prediction_task.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast::c {
namespace {

using Quantity = plumecast_model::Quantity;

Quantity quantity_of(const ArraySpec& spec) {
    return {std::string(spec.name()), spec.unit, axes_text(spec), spec.long_name, spec.required, spec.low, spec.high};
}

Geometry geometry_of(const Bundle& bundle) {
    const int axes = bundle.networks.front().network->description().network.space_axes();
    return axes == 2 ? Geometry::radial : Geometry::cartesian;
}

/// Whether a network's channels or fields are worked out from an input, by its name.
bool reads(const NetworkDescription& network, std::string_view input) {
    const auto is_factor = [&](const PowerFactor& factor) { return factor.source == input; };
    return std::ranges::any_of(network.channels,
                               [&](const Channel& channel) {
                                   return channel.source == input || std::ranges::any_of(channel.factors, is_factor);
                               }) ||
           std::ranges::any_of(network.fields,
                               [&](const Field& field) { return std::ranges::any_of(field.factors, is_factor); });
}

/// Of generic data, whose channels name what they read by its path.
bool is_of_generic_data(const Bundle& bundle) {
    return is_path(bundle.networks.front().network->description().channels.front().source);
}

/// Any value of a unit; the model does not say over which axes it varies.
Quantity named_quantity(const std::string& name, const std::string& unit, const char* long_name) {
    return {name,
            unit.empty() ? "1" : unit,
            "",
            long_name,
            true,
            std::numeric_limits<double>::lowest(),
            std::numeric_limits<double>::max()};
}

/// What the channels of a model for generic data read, each once.
std::vector<Quantity> generic_inputs_of(const Bundle& bundle, const InputRanges& ranges) {
    std::vector<Quantity> inputs;
    for (const BundleNetwork& network : bundle.networks) {
        for (const Channel& channel : network.network->description().channels) {
            const std::string name = channel.source == "/grid/times" ? "times" : channel.source;
            if (std::ranges::find(inputs, name, &Quantity::name) != inputs.end()) {
                continue;
            }
            Quantity input = named_quantity(name, channel.unit, name.starts_with("/inputs/") ? "input" : "coordinate");
            for (const std::string& called : {name, channel.source}) {
                if (const auto found = ranges.ranges().find(called); found != ranges.ranges().end()) {
                    input.trained = found->second;
                }
            }
            inputs.push_back(std::move(input));
        }
    }
    return inputs;
}

std::vector<Quantity> inputs_of(const Bundle& bundle) {
    const InputRanges ranges = recorded_ranges(bundle);
    if (is_of_generic_data(bundle)) {
        return generic_inputs_of(bundle, ranges);
    }
    std::vector<Quantity> inputs;
    for (const ArraySpec& spec : dataset_arrays(geometry_of(bundle))) {
        if (spec.role == Role::output) {
            continue;
        }
        Quantity input = quantity_of(spec);
        for (const BundleNetwork& network : bundle.networks) {
            const bool is_needed = !spec.otherwise && reads(network.network->description(), input.name);
            input.is_required = input.is_required || is_needed;
        }
        if (const auto found = ranges.ranges().find(input.name); found != ranges.ranges().end()) {
            input.trained = found->second;
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::vector<Quantity> fields_of(const Bundle& bundle, const std::vector<std::string>& names) {
    std::vector<Quantity> fields;
    if (is_of_generic_data(bundle)) {
        for (const BundleNetwork& network : bundle.networks) {
            for (const Field& field : network.network->description().fields) {
                if (std::ranges::find(names, field.name) != names.end()) {
                    fields.push_back(named_quantity(field.name, field.unit, field.name.c_str()));
                }
            }
        }
        return fields;
    }
    for (const std::string& name : names) {
        const ArraySpec* spec = find_array(name, geometry_of(bundle));
        if (spec == nullptr) {
            throw InvalidModel(bundle.path + ": predicts '" + name +
                               "' (no output of the data set format has that name); rename the field");
        }
        fields.push_back(quantity_of(*spec));
        fields.back().is_required = true;
    }
    return fields;
}

/// The ends of the bands that a model is calibrated for.
std::vector<std::string> ends_of_bands(const Bundle& bundle) {
    std::vector<std::string> ends;
    for (const FieldBand& band : recorded_trust(bundle).field_bands.fields) {
        std::ranges::copy(ends_of_band(band.field), std::back_inserter(ends));
    }
    return ends;
}

Json json_of(const Quantity& quantity) {
    Json json = Json::Object{{"name", quantity.name},           {"unit", quantity.unit}, {"axes", quantity.axes},
                             {"long_name", quantity.long_name}, {"low", quantity.low},   {"high", quantity.high},
                             {"required", quantity.is_required}};
    if (quantity.trained) {
        json["trained"] = Json::Array{quantity.trained->low, quantity.trained->high};
    }
    return json;
}

Json json_of(const std::vector<Quantity>& quantities) {
    Json::Array list;
    for (const Quantity& one : quantities) {
        list.push_back(json_of(one));
    }
    return list;
}

std::string describe(const plumecast_model& model) {
    const Bundle& bundle = model.predictor->bundle();
    Json json;
    json["title"] = bundle.title;
    json["path"] = bundle.path;
    json["hash"] = model.hash;
    json["device"] = model.backend->description();
    json["inputs"] = json_of(model.inputs);
    json["fields"] = json_of(model.fields);
    json["bands"] = json_of(fields_of(bundle, ends_of_bands(bundle)));
    if (const Json* grid = bundle.training.find("grid")) {
        json["grid"] = *grid;
    }
    return json.dump();
}

/// Throws InvalidInput for what is no axis.
std::span<const double> axis_of(const plumecast_model& model, const std::string& name) {
    const auto found = model.axes.find(name);
    if (found != model.axes.end()) {
        return found->second;
    }
    std::vector<std::string> names;
    std::string known;
    for (const auto& [one, entries] : model.axes) {
        names.push_back(one);
        known += (known.empty() ? "" : ", ") + one;
    }
    const std::string meant = nearest(name, names);
    throw InvalidInput("'" + name.substr(0, 64) + "' is no axis (there are " + known + "); " +
                       (meant.empty() ? "name one of them" : "did you mean '" + meant + "'?"));
}

void give(const std::vector<Quantity>& all, std::size_t index, plumecast_quantity* to, const char* argument) {
    plumecast_quantity& answer = required(to, argument);
    if (index >= all.size()) {
        throw InvalidInput(std::string(argument) + " " + std::to_string(index) + " is not there (the model has " +
                           std::to_string(all.size()) + ", counted from 0); give a smaller index");
    }
    const Quantity& one = all[index];
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    write_sized(
        &answer,
        {0, one.name.c_str(), one.unit.c_str(), one.axes.c_str(), one.long_name.c_str(), one.is_required ? 1 : 0,
         one.low, one.high, one.trained ? one.trained->low : unknown, one.trained ? one.trained->high : unknown},
        argument);
}

}  // namespace
}  // namespace plumecast::c

using namespace plumecast;

plumecast_status plumecast_model_load(const plumecast_device* device, const char* path, plumecast_model** model) {
    return c::guarded([&] {
        plumecast_model*& to = c::required(model, "model");
        to = nullptr;
        const auto& [backend, name, models] = c::required(device, "device");
        std::unique_ptr<plumecast_model> loaded(new plumecast_model{backend, nullptr, {}, {}, {}, {}, {}});
        loaded->predictor = models->load(c::text_of(path, "path"), *backend);
        const Bundle& bundle = loaded->predictor->bundle();
        loaded->inputs = c::inputs_of(bundle);
        loaded->fields = c::fields_of(bundle, written_fields(bundle));
        loaded->axes = training_axes(bundle);
        loaded->hash = bundle.hash();
        loaded->description = c::describe(*loaded);
        to = loaded.release();
    });
}

plumecast_status plumecast_model_describe(const plumecast_model* model, const char** json) {
    return c::guarded([&] { c::required(json, "json") = c::required(model, "model").description.c_str(); });
}

plumecast_status plumecast_model_input_count(const plumecast_model* model, size_t* count) {
    return c::guarded([&] { c::required(count, "count") = c::required(model, "model").inputs.size(); });
}

plumecast_status plumecast_model_input(const plumecast_model* model, size_t index, plumecast_quantity* input) {
    return c::guarded([&] { c::give(c::required(model, "model").inputs, index, input, "input"); });
}

plumecast_status plumecast_model_field_count(const plumecast_model* model, size_t* count) {
    return c::guarded([&] { c::required(count, "count") = c::required(model, "model").fields.size(); });
}

plumecast_status plumecast_model_field(const plumecast_model* model, size_t index, plumecast_quantity* field) {
    return c::guarded([&] { c::give(c::required(model, "model").fields, index, field, "field"); });
}

plumecast_status plumecast_model_axis(const plumecast_model* model, const char* name, const double** values,
                                      size_t* count) {
    return c::guarded([&] {
        const double*& to = c::required(values, "values");
        size_t& entries = c::required(count, "count");
        const std::span<const double> axis = c::axis_of(c::required(model, "model"), c::text_of(name, "name"));
        to = axis.data();
        entries = axis.size();
    });
}

plumecast_status plumecast_model_hash(const plumecast_model* model, const char** hash) {
    return c::guarded([&] { c::required(hash, "hash") = c::required(model, "model").hash.c_str(); });
}

void plumecast_model_release(plumecast_model* model) { delete model; }
