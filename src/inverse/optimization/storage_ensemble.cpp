#include "inverse/optimization/storage_ensemble.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"

namespace plumecast {
namespace {

/// What holds for all cases, without a schedule.
DatasetContent frame_of(const Dataset& dataset) {
    DatasetContent frame{{}, dataset.r_edges(), dataset.z_edges(), dataset.times(), {}};
    for (const NumberAttribute& attribute : number_attributes()) {
        if (const std::optional<double> number = dataset.stated(attribute.name)) {
            frame.attributes[attribute.name] = fmt::format("{}", *number);
        }
    }
    return frame;
}

std::vector<float> inputs_of(const Dataset& dataset, const ArraySpec& spec, const std::vector<std::int64_t>& cases) {
    if (spec.role == Role::map) {
        std::vector<float> values(cases.size() * static_cast<std::size_t>(dataset.cells()));
        dataset.read_map(spec.name(), cases, values);
        return values;
    }
    std::vector<float> values;
    for (const std::int64_t which : cases) {
        values.push_back(dataset.scalar(spec.name())[static_cast<std::size_t>(which)]);
    }
    return values;
}

}  // namespace

StorageEnsemble::StorageEnsemble(const Dataset& dataset, std::vector<std::int64_t> cases, const StorageConfig& config)
    : cases_(std::move(cases)) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(dataset.path() +
                          ": has a Cartesian grid (the rates and the interval of one well in the axis of a radial grid "
                          "are chosen so far); take a radial data set");
    }
    frame_ = frame_of(dataset);
    for (const ArraySpec& spec : dataset_arrays(Geometry::radial)) {
        const bool is_input = spec.role == Role::map || spec.role == Role::scalar;
        if (is_input && dataset.has(spec.name()) && spec.name() != "injection_rate") {
            frame_.arrays[std::string(spec.name())] = inputs_of(dataset, spec, cases_);
        }
    }
    const double last = dataset.times().back();
    if (!config.ends.empty() && config.ends.back() > last * (1.0 + 1e-9)) {
        throw InvalidInput(
            fmt::format("rates.ends: the last period ends after {:g} days (the data set {} ends after "
                        "{:g}, and no limit is looked at later); end it there",
                        config.ends.back(), dataset.path(), last));
    }
    periods_ = std::max<std::size_t>(config.ends.size(), 1);
    const bool is_constant = config.ends.empty() || (config.ends.size() == 1 && config.ends[0] >= last);
    if (!is_constant) {
        frame_.schedule_ends = config.ends;
    }
    for (std::size_t i = 0; i < periods_; ++i) {
        const double end = config.ends.empty() ? last : config.ends[i];
        variables_.push_back({is_constant ? "rate" : fmt::format("rate until day {:g}", end), "Mt/year",
                              config.rate.low, config.rate.high});
    }
    if (config.top) {
        std::vector<double> thicknesses;
        for (std::size_t place = 0; place < cases_.size(); ++place) {
            thicknesses.push_back(thickness(place));
        }
        const auto thinnest = std::ranges::min_element(thicknesses);
        const double most = *thinnest - config.length->low;  // so that each formation is opened
        if (config.top->low >= most) {
            throw InvalidInput(fmt::format(
                "perforation.top begins at {:g} m (the formation of case {} of {} has {:g} m, of which an interval of "
                "{:g} m or more is to be opened); begin above {:g} m",
                config.top->low, cases_[static_cast<std::size_t>(thinnest - thicknesses.begin())], dataset.path(),
                *thinnest, config.length->low, most));
        }
        variables_.push_back({"top of the perforation", "m", config.top->low, std::min(config.top->high, most)});
        variables_.push_back({"length of the perforation", "m", config.length->low,
                              std::min(config.length->high, std::ranges::max(thicknesses))});
    }
    const auto values = static_cast<std::size_t>(dataset.cells()) * sizeof(float);
    bytes_ = values * (6 + 4 * dataset.times().size());
}

double StorageEnsemble::thickness(std::size_t place) const {
    const std::size_t rows = frame_.z_edges.size() - 1, columns = frame_.r_edges.size() - 1;
    const std::vector<float>& active = frame_.arrays.at("active");
    double depth = 0.0;
    for (std::size_t row = 0; row < rows; ++row) {
        if (active[(place * rows + row) * columns] != 0.0F) {
            depth = frame_.z_edges[row + 1] - frame_.z_edges[0];
        }
    }
    return depth;
}

std::vector<float> StorageEnsemble::perforation(const std::vector<double>& point, std::size_t place) const {
    const std::size_t rows = frame_.z_edges.size() - 1, columns = frame_.r_edges.size() - 1;
    const std::vector<float>& active = frame_.arrays.at("active");
    const double top = point[periods_], bottom = top + point[periods_ + 1];
    std::vector<float> open(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        const double upper = frame_.z_edges[row] - frame_.z_edges[0],
                     lower = frame_.z_edges[row + 1] - frame_.z_edges[0];
        const double share = (std::min(lower, bottom) - std::max(upper, top)) / (lower - upper);
        if (active[(place * rows + row) * columns] != 0.0F) {
            open[row * columns] = static_cast<float>(std::clamp(share, 0.0, 1.0));
        }
    }
    return open;
}

DatasetContent StorageEnsemble::planned(const std::vector<PlannedCase>& plan) const {
    DatasetContent content{frame_.attributes, frame_.r_edges, frame_.z_edges, frame_.times, {}};
    content.schedule_ends = frame_.schedule_ends;
    for (const auto& [name, values] : frame_.arrays) {
        const std::size_t each = values.size() / cases_.size();
        std::vector<float>& chosen = content.arrays[name];
        for (const PlannedCase& one : plan) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(one.place * each);
            chosen.insert(chosen.end(), begin, begin + static_cast<std::ptrdiff_t>(each));
        }
    }
    if (variables_.size() > periods_) {
        std::vector<float>& open = content.arrays["perforation"];
        open.clear();
        for (const PlannedCase& one : plan) {
            std::ranges::copy(perforation(*one.point, one.place), std::back_inserter(open));
        }
    }
    std::vector<float>& rates = content.arrays[content.schedule_ends.empty() ? "injection_rate" : "schedule_rate"];
    for (const PlannedCase& one : plan) {
        for (std::size_t period = 0; period < periods_; ++period) {
            rates.push_back(static_cast<float>((*one.point)[period]));
        }
    }
    return content;
}

}  // namespace plumecast
