#include "service/uploads/uploaded_cases.hpp"

#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"

namespace plumecast::service {
namespace {

/// As many digits as make the number again.
std::string exact_text(double value) { return fmt::format("{}", value); }

FileAttributes attributes_of(const Dataset& dataset) {
    FileAttributes attributes;
    for (const char* name : {"title", "origin"}) {
        if (const std::string text = dataset.attribute(name); !text.empty()) {
            attributes[name] = text;
        }
    }
    for (const NumberAttribute& number : number_attributes()) {
        if (const std::optional<double> value = dataset.stated(number.name)) {
            attributes[number.name] = exact_text(*value);
        }
    }
    if (dataset.top_depth() && !attributes.contains("origin")) {
        attributes["top_depth"] = exact_text(*dataset.top_depth());
    }
    if (dataset.well_radius()) {
        attributes["well_radius"] = exact_text(*dataset.well_radius());
    }
    return attributes;
}

void read_arrays(const Dataset& dataset, DatasetContent& content) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    std::iota(all.begin(), all.end(), 0);
    for (const ArraySpec& spec : dataset_arrays(Geometry::radial)) {
        const std::string name(spec.name());
        const bool is_in_schedule = name == "injection_rate" && !content.schedule_ends.empty();
        if (!dataset.has(name) || is_in_schedule) {
            continue;
        }
        if (spec.role == Role::scalar) {
            content.arrays[name] = dataset.scalar(name);
        } else if (spec.role == Role::map) {
            std::vector<float>& map = content.arrays[name];
            map.resize(static_cast<std::size_t>(dataset.cases() * dataset.cells()));
            dataset.read_map(name, all, map);
        }
    }
}

}  // namespace

Scenario uploaded_cases(const std::string& path, const Limits& limits) {
    const Dataset dataset(path, name_of_upload);
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(std::string(name_of_upload) +
                          ": has a Cartesian grid (the service takes cases of radial grids); compute it from the file "
                          "with the command line");
    }
    require_within_limits(dataset.cases(), dataset.cases() * dataset.cells() * dataset.snapshots(), limits);
    Scenario scenario;
    DatasetContent& content = scenario.content;
    content.attributes = attributes_of(dataset);
    content.r_edges = dataset.r_edges();
    content.z_edges = dataset.z_edges();
    content.times = dataset.times();
    content.schedule_ends = dataset.schedule_ends();
    if (!content.schedule_ends.empty()) {
        content.arrays["schedule_rate"] = dataset.schedule_rates();
    }
    read_arrays(dataset, content);
    scenario.notes.resize(static_cast<std::size_t>(dataset.cases()));
    return scenario;
}

}  // namespace plumecast::service
