#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/grid_place.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/dataset/cases/case_copy.hpp"
#include "reservoir/dataset/cases/merged_attributes.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/h5/case_notes.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

/// Throws InvalidData when cases of the two cannot share a file, because their grids lie at different places.
void require_same_place(const Dataset& first, const Dataset& other) {
    const auto require_same = [&](const char* what, std::optional<double> one, std::optional<double> two) {
        constexpr double same = 0.01;  // [m]
        if (one.has_value() != two.has_value() || std::abs(one.value_or(0.0) - two.value_or(0.0)) > same) {
            const auto text = [](std::optional<double> value) {
                return value ? fmt::format("{} m", *value) : std::string("not stated");
            };
            throw InvalidData(fmt::format(
                "{}: {} is {}, that of {} is {} (it holds for all cases of a data set); correct the wrong one, or keep "
                "the files apart",
                other.path(), what, text(two), first.path(), text(one)));
        }
    };
    require_same("the depth of the top of the formation", first.top_depth(), other.top_depth());
    require_same("the radius of the wells", first.well_radius(), other.well_radius());
    if (first.place() != other.place()) {
        const auto text = [](const Dataset& dataset) {
            const std::string own = dataset.place().text();
            return own.empty() ? std::string("not stated") : own;
        };
        throw InvalidData(
            fmt::format("{}: the place of the grid is {}, that of {} is {} (it holds for all cases of a "
                        "data set); correct the wrong one, or keep the files apart",
                        other.path(), text(other), first.path(), text(first)));
    }
}

/// The outputs that all files need, for comparison; "none" without one.
std::string outputs_text(const Dataset& dataset) {
    std::string text;
    for (const std::string& name : dataset.outputs()) {
        if (name != optional_output) {
            text += (text.empty() ? "" : ", ") + name;
        }
    }
    return text.empty() ? "none" : text;
}

void check_alike(const Dataset& first, const Dataset& other) {
    const auto refuse = [&](const std::string& what) {
        throw InvalidData(other.path() + ": " + what + " differ from those of " + first.path() +
                          " (the cases of a data set share one grid and its times); keep the files apart");
    };
    if (first.geometry() != other.geometry() || !axes_agree(first.last_edges(), other.last_edges()) ||
        !axes_agree(first.y_edges(), other.y_edges()) || !axes_agree(first.z_edges(), other.z_edges())) {
        refuse("the cells of the grid");
    }
    if (!axes_agree(first.times(), other.times())) {
        refuse("the times");
    }
    if (!axes_agree(first.schedule_ends(), other.schedule_ends())) {
        refuse("the periods of the schedule (/schedule/end)");
    }
    if (first.schedule_rates().size() / static_cast<std::size_t>(first.cases()) !=
        other.schedule_rates().size() / static_cast<std::size_t>(other.cases())) {
        refuse("the wells of the schedule (/schedule/rate)");
    }
    const std::string own = outputs_text(other), wanted = outputs_text(first);
    if (own != wanted) {
        refuse("the outputs (" + own + " against " + wanted + ")");
    }
    for (const std::string& name : array_names(Role::cell)) {
        if (first.geometry() == Geometry::cartesian && first.cell_values(name) != other.cell_values(name)) {
            refuse(find_array(name)->path + " and others of cells");
        }
    }
    require_same_place(first, other);
    if (first.geometry() != Geometry::generic) {
        require_same_rock_fluid(first, other);
    }
    for (const ArraySpec& spec : dataset_arrays(first.geometry())) {
        if ((spec.role == Role::map || spec.role == Role::scalar) && first.has(spec.name()) != other.has(spec.name())) {
            refuse("the inputs (" + spec.path + ")");
        }
    }
}

/// Throws InvalidData where the cells of both name saturation tables and one file alone has them.
void require_tables(const Dataset& first, const Dataset& other) {
    const auto has_tables = [](const Dataset& dataset) {
        return !case_texts(dataset.path(), std::string(saturation_tables_name)).empty();
    };
    if (first.has("saturation_region") && has_tables(first) != has_tables(other)) {
        const auto& [with, without] = has_tables(first) ? std::tie(first, other) : std::tie(other, first);
        throw InvalidData(fmt::format(
            "{}: no /case/{}, which {} has (the cells of both name saturation tables by /inputs/saturation_region, and "
            "the cases of a file have the same arrays); import its run again, or keep the files apart",
            without.path(), saturation_tables_name, with.path()));
    }
}

/// What the new file says of where its cases come from.
FileAttributes attributes_of_all(const MergeOptions& options) {
    const std::vector<std::string>& sources = options.sources;
    const std::string line = fmt::format("plumecast {} merge of {} files", version(), sources.size());
    const std::string before = joined_texts(sources, "history");
    FileAttributes attributes{{"history", before.empty() ? line : line + ": " + before}};
    attributes["source"] = joined_texts(sources, "source");
    for (const char* name : {"model", "model_hash"}) {
        const auto states = [&](const std::string& path) { return h5::File::open(path).text("/", name).has_value(); };
        if (std::ranges::all_of(sources, states)) {
            attributes[name] = joined_texts(sources, name);
        }
    }
    attributes["title"] = options.title;
    std::erase_if(attributes, [](const auto& one) { return one.second.empty(); });
    return attributes;
}

}  // namespace

bool axes_agree(const std::vector<double>& a, const std::vector<double>& b) {
    constexpr double tolerance = 1e-6;  // relative
    return std::ranges::equal(
        a, b, [](double x, double y) { return std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)); });
}

CaseReport merge_datasets(const MergeOptions& options) {
    if (options.sources.size() < 2) {
        throw InvalidInput("merge takes two data sets or more (one is whole already); name them");
    }
    CopyPlan plan{options.sources, {}, {}, false};
    CaseReport report;
    const Dataset first(options.sources[0]);
    // Before much is read, in case that it cannot be written.
    AtomicFile target(options.output, AtomicFile::Newcomer::kept);
    std::map<std::string, CasePlace> seen;
    for (std::size_t i = 0; i < options.sources.size(); ++i) {
        const Dataset dataset(options.sources[i]);
        check_alike(first, dataset);
        require_tables(first, dataset);
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
    plan.attributes = attributes_of_all(options);
    report.is_complete = copy_cases(target, plan, options.progress, report);
    if (report.is_complete) {
        target.commit();
        report.files.push_back({options.output, static_cast<std::int64_t>(plan.cases.size())});
    }
    return report;
}

}  // namespace plumecast
