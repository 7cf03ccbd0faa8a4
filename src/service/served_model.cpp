#include "service/served_model.hpp"

#include <filesystem>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "inference/bundle/recorded.hpp"
#include "inference/guided/model_grid.hpp"
#include "inference/guided/written_fields.hpp"
#include "io/text_file.hpp"
#include "service/problem.hpp"

namespace plumecast::service {
namespace {

std::string name_of_folder(const std::string& bundle) {
    const std::filesystem::path path = std::filesystem::path(bundle).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

Json quantity_json(const ArraySpec& spec) {
    return Json::Object{{"name", std::string(spec.name())}, {"unit", spec.unit}, {"axes", axes_text(spec)},
                        {"long_name", spec.long_name},      {"low", spec.low},   {"high", spec.high}};
}

Json inputs_json(const Bundle& bundle) {
    const InputRanges trained = recorded_ranges(bundle);
    Json::Array inputs;
    for (const ArraySpec& spec : dataset_arrays(Geometry::radial)) {
        if ((spec.role != Role::map && spec.role != Role::scalar) || spec.name() == "active") {
            continue;
        }
        Json input = quantity_json(spec);
        input["is_map"] = spec.role == Role::map;
        input["required"] = spec.required && spec.name() != "perforation";
        if (const auto range = trained.ranges().find(std::string(spec.name())); range != trained.ranges().end()) {
            input["trained"] = Json::Object{{"min", range->second.low}, {"max", range->second.high}};
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

Json fields_json(const std::vector<std::string>& names) {
    Json::Array fields;
    for (const std::string& name : names) {
        const ArraySpec* spec = find_array(name, Geometry::radial);
        if (spec != nullptr) {
            fields.push_back(quantity_json(*spec));
        }
    }
    return fields;
}

/// Edges and times of the training; injection without an end lasts as long as the longest of the training, where other
/// times than those of the training cost nothing.
Axes usual_axes(const Bundle& bundle) {
    Axes axes = training_axes(bundle);
    const std::map<std::string, Range> trained = recorded_ranges(bundle).ranges();
    const auto end = trained.find("schedule_end");
    const auto times = axes.find("times");
    if (!corrects_at_other_times(bundle) || end == trained.end() || times == axes.end() || times->second.empty() ||
        !(end->second.high < times->second.back())) {
        return axes;
    }
    const double longest = end->second.high, nearly = 0.99 * longest;  // no time stands just before the last one
    std::vector<double> until;
    std::ranges::copy_if(times->second, std::back_inserter(until), [nearly](double day) { return day < nearly; });
    until.push_back(longest);
    axes[times_at_one_rate] = until;
    return axes;
}

Json axis_json(const Axes& axes, const std::string& name) {
    const auto found = axes.find(name);
    return found == axes.end() ? Json::Array() : Json::Array(found->second.begin(), found->second.end());
}

std::string card_of(const Bundle& bundle) {
    const std::filesystem::path card = std::filesystem::path(bundle.path) / "README.md";
    return std::filesystem::exists(card) ? read_text(card) : std::string();
}

}  // namespace

ServedModel::ServedModel(const std::string& bundle, Backend& backend)
    : name(name_of_folder(bundle)),
      predictor(bundle, backend),
      hash(predictor.bundle().hash()),
      axes(usual_axes(predictor.bundle())),
      fields(written_fields(predictor.bundle())),
      batch(backend.shares_host_memory() ? 1 : 0),
      trust(recorded_trust(predictor.bundle())) {
    if (predictor.bundle().training.find("points") != nullptr) {
        throw InvalidModel(bundle +
                           ": was trained on generic data (the service takes reservoirs); predict with it from files");
    }
    if (const auto x = axes.find("x_edges"); x != axes.end() && !x->second.empty()) {
        throw InvalidModel(bundle +
                           ": was trained on a Cartesian grid (the service takes cases of radial grids); serve another "
                           "model, or predict with this one from files");
    }
    description = Json::Object{
        {"name", name},
        {"title", predictor.bundle().title},
        {"hash", hash},
        {"inputs", inputs_json(predictor.bundle())},
        {"fields", fields_json(fields)},
        {"grid", Json::Object{{"r_edges", axis_json(axes, "r_edges")}, {"z_edges", axis_json(axes, "z_edges")}}},
        {"times", axis_json(axes, "times")},
        {"times_at_one_rate", axis_json(axes, axes.contains(times_at_one_rate) ? times_at_one_rate : "times")},
        {"card", card_of(predictor.bundle())},
        {"calibrated", Json::Object{{"intervals", !trust.bands.empty()}, {"bands", !trust.field_bands.empty()}}}};
}

std::vector<std::string> ServedModel::fields_of(bool with_bands) const {
    std::vector<std::string> names = fields;
    if (!with_bands) {
        return names;
    }
    if (trust.field_bands.empty()) {
        throw Problem(400,
                      fmt::format("the model '{}' is not calibrated for bands of its fields (nobody has compared it "
                                  "with held-out cases for that); leave uncertainty out, or serve one that is",
                                  name),
                      "uncertainty");
    }
    for (const std::string& field : fields) {
        if (trust.field_bands.of(field) != nullptr) {
            names.push_back(field + "_low");
            names.push_back(field + "_high");
        }
    }
    return names;
}

}  // namespace plumecast::service
