#include "inverse/inversion/inversion_config.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"
#include "core/number_text.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

const std::vector<std::string>& method_names() {
    static const std::vector<std::string> names{"esmda", "smc", "rml", "map"};
    return names;
}

std::string counted_from(const std::string& path, const std::string& folder) {
    if (path.empty() || folder.empty()) {
        return path;
    }
    return (std::filesystem::path(folder) / path).lexically_normal().string();
}

template <class Visitor, class Config>
void visit_config(Visitor& v, Config& config) {
    v.field("model", config.model);
    v.field("case", config.case_file);
    v.field("case_index", config.case_index);
    v.field("prior", config.prior);
    v.field("unknown", config.unknown);
    v.field("observations", config.observations);
    v.field("output", config.output);
    v.choice("method", config.method, method_names());
    v.field("members", config.members);
    v.field("steps", config.steps);
    v.field("localization", config.localization);
    v.field("components", config.components);
    v.field("moves", config.moves);
    v.field("iterations", config.iterations);
    v.field("model_error", config.model_error);
    v.seed("seed", config.seed);
}

void require_text(const std::string& text, const char* entry, const char* what) {
    if (text.empty()) {
        throw InvalidInput(
            fmt::format("configuration entry '{}' is empty (an inversion needs {}); name it", entry, what));
    }
}

void require_between(double value, double low, double high, const char* entry) {
    if (!(value >= low && value <= high)) {
        throw InvalidInput(fmt::format("configuration entry '{}' is {} (it must lie between {} and {}); correct it",
                                       entry, number_text(value), number_text(low), number_text(high)));
    }
}

}  // namespace

InversionConfig InversionConfig::defaults() {
    InversionConfig config;
    config.model = "models/radial-co2";
    config.case_file = "case.h5";
    config.prior = "prior.h5";
    config.unknown = {"permeability_r", "permeability_z", "porosity"};
    config.observations = "observations.csv";
    config.output = "posterior";
    return config;
}

InversionConfig InversionConfig::from_json(const Json& json, const std::string& origin, const std::string& folder) {
    InversionConfig config;
    JsonReader object(json, origin);
    object.has("$schema");  // for editors only
    read_whole(object, [&](FieldReader& v) { visit_config(v, config); });
    for (std::string* path : {&config.case_file, &config.prior, &config.observations, &config.output}) {
        *path = counted_from(*path, folder);
    }
    if (config.model_error != "off") {
        config.model_error = counted_from(config.model_error, folder);
    }
    std::error_code ignored;
    const std::string beside = counted_from(config.model, folder);
    if (config.model != "estimate" && std::filesystem::exists(beside, ignored)) {
        config.model = beside;  // else a name among the installed models
    }
    return config;
}

InversionConfig InversionConfig::from_file(const std::string& path) {
    return from_json(Json::parse(read_text(path), path), path, std::filesystem::path(path).parent_path().string());
}

Json InversionConfig::to_json() const {
    return Json(written([&](FieldWriter& v) { visit_config(v, *this); }));
}

const std::string& InversionConfig::method_name() const { return method_names()[static_cast<std::size_t>(method)]; }

void InversionConfig::set(const std::string& assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InvalidInput(assignment + ": is no assignment (one has the form key=value); write for example steps=6");
    }
    const std::string key = assignment.substr(0, equals), text = assignment.substr(equals + 1);
    Json json = to_json();
    const Json* present = json.find(key);
    if (present == nullptr) {
        std::vector<std::string> keys;
        for (const auto& entry : *json.get_if<Json::Object>()) {
            keys.push_back(entry.first);
        }
        const std::string near = nearest(key, keys);
        throw InvalidInput(
            "an inversion has no entry '" + key + "' (nothing reads it); " +
            (near.empty() ? "InversionConfig::to_json() lists the entries" : "did you mean '" + near + "'?"));
    }
    const bool is_text = present->get_if<std::string>() != nullptr;
    json[key] = is_text ? Json(text) : Json::parse(text, "InversionConfig::set " + key);
    *this = from_json(json, "InversionConfig::set " + assignment, "");
}

void InversionConfig::check() const {
    require_text(model, "model", "a model, or \"estimate\" for the reduced physics");
    require_text(case_file, "case", "a data set that states what is known");
    require_text(prior, "prior", "a data set of realizations");
    require_text(observations, "observations", "a CSV file");
    require_text(output, "output", "a folder for its results");
    require_text(model_error, "model_error", "a data set of simulated cases, or \"off\"");
    if (unknown.empty()) {
        throw InvalidInput(
            "configuration entry 'unknown' is empty (nothing would change); name inputs such as permeability_r");
    }
    for (const std::string& name : unknown) {
        if (std::ranges::count(unknown, name) > 1) {
            throw InvalidInput("configuration entry 'unknown' names " + name + " twice; name it once");
        }
    }
    require_between(static_cast<double>(case_index), 0.0, 1e9, "case_index");
    require_between(steps, 1.0, 100.0, "steps");
    require_between(localization, 0.0, 100.0, "localization");
    require_between(static_cast<double>(components), 0.0, 1e6, "components");
    require_between(moves, 1.0, 1000.0, "moves");
    require_between(iterations, 1.0, 10000.0, "iterations");
    if (members != 0) {
        require_between(static_cast<double>(members), 10.0, 1e6, "members");
    }
}

}  // namespace plumecast
