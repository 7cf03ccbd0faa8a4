#include "service/uploads/uploaded_cases.hpp"

#include <numeric>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "service/problem.hpp"

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

/// The values that belong to cases, of an array [N, ...].
std::vector<float> of_cases(const std::vector<float>& all, const std::vector<std::int64_t>& cases, std::int64_t count) {
    const auto of_case = static_cast<std::ptrdiff_t>(all.size()) / static_cast<std::ptrdiff_t>(count);
    std::vector<float> chosen;
    for (const std::int64_t which : cases) {
        chosen.insert(chosen.end(), all.begin() + which * of_case, all.begin() + (which + 1) * of_case);
    }
    return chosen;
}

void read_arrays(const Dataset& dataset, const std::vector<std::int64_t>& cases, DatasetContent& content) {
    for (const ArraySpec& spec : dataset_arrays(Geometry::radial)) {
        const std::string name(spec.name());
        const bool is_in_schedule = name == "injection_rate" && !content.schedule_ends.empty();
        if (!dataset.has(name) || is_in_schedule) {
            continue;
        }
        if (spec.role == Role::scalar) {
            content.arrays[name] = of_cases(dataset.scalar(name), cases, dataset.cases());
        } else if (spec.role == Role::map) {
            std::vector<float>& map = content.arrays[name];
            map.resize(cases.size() * static_cast<std::size_t>(dataset.cells()));
            dataset.read_map(name, cases, map);
        }
    }
}

}  // namespace

Scenario uploaded_cases(const std::string& path, std::vector<std::int64_t> cases, const Limits& limits) {
    const Dataset dataset(path, name_of_upload);
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(std::string(name_of_upload) +
                          ": has a Cartesian grid (the service takes cases of radial grids); compute it from the file "
                          "with the command line");
    }
    if (cases.empty()) {
        cases.resize(static_cast<std::size_t>(dataset.cases()));
        std::iota(cases.begin(), cases.end(), 0);
    } else if (cases.back() >= dataset.cases()) {
        throw Problem(400,
                      fmt::format("the uploaded file has no case {} (it has cases 0 to {}); choose among them",
                                  cases.back(), dataset.cases() - 1),
                      "cases");
    }
    const auto count = static_cast<std::int64_t>(cases.size());
    require_within_limits(count, count * dataset.cells() * dataset.snapshots(), limits);
    Scenario scenario;
    scenario.file = {dataset.cases(), cases};
    DatasetContent& content = scenario.content;
    content.attributes = attributes_of(dataset);
    content.r_edges = dataset.r_edges();
    content.z_edges = dataset.z_edges();
    content.times = dataset.times();
    content.schedule_ends = dataset.schedule_ends();
    if (!content.schedule_ends.empty()) {
        content.arrays["schedule_rate"] = of_cases(dataset.schedule_rates(), cases, dataset.cases());
    }
    read_arrays(dataset, cases, content);
    scenario.notes.resize(cases.size());
    return scenario;
}

}  // namespace plumecast::service
