#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/dataset/cases/case_copy.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/rock_fluid.hpp"

namespace plumecast {
namespace {

constexpr double tolerance = 1e-6;  // relative

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(
        a, b, [](double x, double y) { return std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)); });
}

void check_alike(const Dataset& first, const Dataset& other) {
    const auto refuse = [&](const std::string& what) {
        throw InvalidData(other.path() + ": " + what + " differ from those of " + first.path() +
                          " (the cases of a data set share one grid and its times); keep the files apart");
    };
    if (first.geometry() != other.geometry() || !agree(first.last_edges(), other.last_edges()) ||
        !agree(first.y_edges(), other.y_edges()) || !agree(first.z_edges(), other.z_edges())) {
        refuse("the cells of the grid");
    }
    if (!agree(first.times(), other.times())) {
        refuse("the times");
    }
    if (first.outputs() != other.outputs()) {
        refuse("the outputs");
    }
    for (const std::string& name : array_names(Role::cell)) {
        if (first.geometry() == Geometry::cartesian && first.cell_values(name) != other.cell_values(name)) {
            refuse("/grid/" + name + " and others of cells");
        }
    }
    require_same_place(first, other);
    if (first.geometry() == Geometry::radial) {
        require_same_rock_fluid(first, other);
    }
    for (const ArraySpec& spec : dataset_arrays(first.geometry())) {
        if ((spec.role == Role::map || spec.role == Role::scalar) && first.has(spec.name()) != other.has(spec.name())) {
            refuse("the inputs (" + spec.path + ")");
        }
    }
}

}  // namespace

CaseReport merge_datasets(const MergeOptions& options) {
    if (options.sources.size() < 2) {
        throw InvalidInput("merge takes two data sets or more (one is whole already); name them");
    }
    CopyPlan plan{options.sources, {}, {}, false};
    CaseReport report;
    const Dataset first(options.sources[0]);
    std::map<std::string, CasePlace> seen;
    for (std::size_t i = 0; i < options.sources.size(); ++i) {
        const Dataset dataset(options.sources[i]);
        check_alike(first, dataset);
        for (std::int64_t row = 0; row < dataset.cases(); ++row) {
            const auto [before, is_new] = seen.try_emplace(case_fingerprint(dataset, row), CasePlace{i, row});
            if (!is_new && options.duplicates == Duplicates::refuse) {
                throw InvalidData(
                    fmt::format("{}: case {} has the same inputs as case {} of {} (a case counts once); choose "
                                "Duplicates::drop or Duplicates::keep",
                                dataset.path(), row, before->second.row, options.sources[before->second.source]));
            }
            if (!is_new && options.duplicates == Duplicates::drop) {
                ++report.duplicates;
            } else {
                plan.cases.push_back({i, row});
            }
            if (options.progress && options.progress("reading inputs of " + dataset.path(), row + 1, dataset.cases())) {
                report.is_complete = false;
                return report;
            }
        }
    }
    plan.attributes["history"] = fmt::format("plumecast {} merge of {} files", version(), options.sources.size());
    if (!options.title.empty()) {
        plan.attributes["title"] = options.title;
    }
    AtomicFile target(options.output);
    report.is_complete = copy_cases(target, plan, options.progress, report.left_out);
    if (report.is_complete) {
        target.commit();
        report.files.push_back({options.output, static_cast<std::int64_t>(plan.cases.size())});
    }
    return report;
}

}  // namespace plumecast
