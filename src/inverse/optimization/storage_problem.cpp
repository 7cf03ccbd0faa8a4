#include "inverse/optimization/storage_problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "core/machine/in_order.hpp"
#include "inverse/optimization/limit_margin.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast {
namespace {

/// Of the cases that are in memory at once, at most.
constexpr std::size_t chunk_bytes = std::size_t{256} << 20;

/// What one case gives.
struct CaseOutcome {
    double stored = 0.0;
    std::vector<double> figures, excess, margins;  // of each limit
    std::string why_not_known = {};
};

const NamedSeries& series_of_limit(const std::vector<NamedSeries>& series, const StorageLimit& limit) {
    if (const NamedSeries* found = find_series(series, limit.figure)) {
        return *found;
    }
    std::vector<std::string> names;
    std::ranges::transform(series, std::back_inserter(names), &NamedSeries::name);
    const std::string near = nearest(limit.figure, names);
    throw InvalidInput(fmt::format("limits: '{}' is no figure of these cases (those of the report are: {}); {}",
                                   limit.figure, fmt::join(names, ", "),
                                   near.empty() ? "take one of them" : "did you mean '" + near + "'?"));
}

/// Whether more injection can only bring a limit nearer: those of pressures, of the size of plume and front, and of one
/// well that of the gas somewhere, which another well may push back.
bool rises_with_rates(const StorageLimit& limit, std::int64_t wells) {
    const std::string& name = limit.figure;
    if (name.ends_with("fracture_margin")) {
        return limit.at_least && !limit.at_most;
    }
    const bool is_size = name.starts_with("plume_radius") || name.starts_with("plume_area") ||
                         name.starts_with("front_") || name.starts_with("review_");
    const bool is_pressure = name.starts_with("bottom_hole_") || name == "max_buildup" || name == "mean_pressure";
    const bool is_gas = name == "gas_saturation" || name == "mass_outside" || name == "mass_free_outside";
    const bool is_there = name == "pressure_buildup" || (is_gas && wells == 1);
    return (is_size || is_pressure || is_there) && limit.at_most && !limit.at_least;
}

/// What a limit is held to in a case: the value where with its margin it is farthest beyond.
struct Worst {
    double figure = std::numeric_limits<double>::quiet_NaN();
    double excess = std::numeric_limits<double>::infinity();
    double margin = std::numeric_limits<double>::quiet_NaN();
};

/// The worst of the values of a series that may be wrong by `margins`; what is not known where one of them is not.
Worst worst_of(const std::vector<double>& values, const std::vector<double>& margins, const StorageLimit& limit) {
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
        return {};
    }
    Worst worst{0.0, -std::numeric_limits<double>::infinity(), 0.0};
    const auto look_at = [&](std::size_t t, double excess) {
        worst = excess > worst.excess ? Worst{values[t], excess, margins[t]} : worst;
    };
    for (std::size_t t = 0; t < values.size(); ++t) {
        if (limit.at_most) {
            look_at(t, values[t] + margins[t] - *limit.at_most);
        }
        if (limit.at_least) {
            look_at(t, *limit.at_least + margins[t] - values[t]);
        }
    }
    return worst;
}

/// A share of what is injected breaks no limit before anything is: until then it counts as it is afterwards.
void fill_before_injection(const CaseFields& fields, const std::vector<double>& times, NamedSeries& figure) {
    if (figure.name != "free_share" && figure.name != "mass_balance") {
        return;
    }
    double afterwards = 0.0;
    for (std::size_t t = times.size(); t-- > 0;) {
        figure.values[t] = fields.injected(times[t]) > 0.0 ? figure.values[t] : afterwards;
        afterwards = figure.values[t];
    }
}

/// A case whose figures are not known, for a reason.
CaseOutcome not_known(double stored, std::size_t limits, std::string why) {
    const std::vector<double> unknown(limits, std::numeric_limits<double>::quiet_NaN());
    return {stored, unknown, std::vector<double>(limits, std::numeric_limits<double>::infinity()), unknown,
            std::move(why)};
}

/// The largest value of a field over the depth of a column, at each time. Throws InvalidInput where there is no such
/// field.
NamedSeries series_at(const CaseFields& fields, const StorageLimit& limit, std::size_t column) {
    const bool is_gas = limit.figure == "gas_saturation";
    const std::vector<float>& field = is_gas ? fields.gas_saturation : fields.pressure_buildup;
    if (field.empty()) {
        throw InvalidInput(
            fmt::format("limits: {} is not known (nothing computes this field); take a model that does, or "
                        "leave it out",
                        limit.name()));
    }
    NamedSeries series{limit.figure, is_gas ? "1" : "bar", limit.name(), {}};
    const std::size_t cells = fields.active.size(), columns = fields.geometry.columns;
    for (std::size_t begin = 0; begin < field.size(); begin += cells) {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t cell = column; cell < cells; cell += columns) {
            if (fields.active[cell] != 0.0F) {
                largest = std::max(largest, static_cast<double>(field[begin + cell]));
            }
        }
        series.values.push_back(largest);
    }
    return series;
}

CaseOutcome measured(CaseFields fields, const std::vector<double>& times, const StorageConfig& config,
                     const std::vector<LimitPlace>& places, const FigureBands& intervals) {
    CaseOutcome outcome;
    outcome.stored = fields.injected(times.back());
    std::map<std::pair<std::optional<double>, std::string>, std::vector<NamedSeries>> known;  // by front and area
    for (std::size_t i = 0; i < config.limits.size(); ++i) {
        const StorageLimit& limit = config.limits[i];
        auto& series = known[{limit.front, limit.polygon}];
        try {
            fields.inside = places[i].inside;
            series = series.empty() ? case_series(fields, times, config.series_of(limit.front)) : series;
        } catch (const InvalidInput& error) {  // pressures at which nothing is known of CO2
            return not_known(outcome.stored, config.limits.size(), error.what());
        }
        NamedSeries figure =
            places[i].column ? series_at(fields, limit, *places[i].column) : series_of_limit(series, limit);
        fill_before_injection(fields, times, figure);
        const Worst worst = worst_of(figure.values, margins_of(limit, series, intervals), limit);
        outcome.figures.push_back(worst.figure);
        outcome.excess.push_back(worst.excess);
        outcome.margins.push_back(worst.margin);
    }
    return outcome;
}

}  // namespace

double excess_at(double probability, std::vector<double> excess) {
    expects(!excess.empty(), "a case of the ensemble");
    const double needed = std::ceil(probability * static_cast<double>(excess.size()) - 1e-9);
    const auto at = static_cast<std::size_t>(std::clamp(needed, 1.0, static_cast<double>(excess.size()))) - 1;
    std::ranges::nth_element(excess, excess.begin() + static_cast<std::ptrdiff_t>(at));
    return excess[at];
}

StorageProblem::StorageProblem(const StorageConfig& config, const StorageEnsemble& ensemble, std::size_t placement,
                               const FieldSource& source, int threads, std::function<bool()> stop_requested)
    : config_(config), ensemble_(ensemble), placement_(placement), source_(source) {
    options_.threads = threads;
    options_.stop_requested = std::move(stop_requested);
}

DesignProblem StorageProblem::design(double probability) {
    std::vector<std::string> names;
    std::ranges::transform(config_.limits, std::back_inserter(names), &StorageLimit::name);
    return {ensemble_.variables(), std::move(names),
            [this, probability](const DesignPoints& points) {
                compute(points);
                std::vector<DesignValue> values;
                for (const std::vector<double>& point : points) {
                    DesignValue value{outcomes_.at(point).stored, {}};
                    for (std::size_t i = 0; i < config_.limits.size(); ++i) {
                        value.excess.push_back(excess_at(config_.limits[i].probability.value_or(probability),
                                                         excess_from_below(point, i)));
                    }
                    values.push_back(std::move(value));
                }
                return values;
            },
            ensemble_.rates()};
}

std::vector<double> StorageProblem::excess_from_below(const std::vector<double>& point, std::size_t limit) const {
    std::vector<double> excess = outcomes_.at(point).excess[limit];
    if (!rises_with_rates(config_.limits[limit], ensemble_.wells())) {
        return excess;
    }
    const auto rates = static_cast<std::ptrdiff_t>(ensemble_.rates());
    for (const auto& [other, outcome] : outcomes_) {
        const bool is_below = std::equal(other.begin(), other.begin() + rates, point.begin(), std::less_equal<>()) &&
                              std::equal(other.begin() + rates, other.end(), point.begin() + rates);
        for (std::size_t i = 0; is_below && i < excess.size(); ++i) {
            excess[i] = std::max(excess[i], outcome.excess[limit][i]);
        }
    }
    return excess;
}

bool StorageProblem::is_held_back(const std::vector<double>& point, double probability) const {
    const double stored = outcomes_.at(point).stored;
    return std::ranges::any_of(outcomes_, [&](const auto& other) {
        bool holds = other.second.stored > stored;
        for (std::size_t i = 0; holds && i < config_.limits.size(); ++i) {
            holds = excess_at(config_.limits[i].probability.value_or(probability), other.second.excess[i]) <= 0.0;
        }
        return holds;
    });
}

const StorageOutcome& StorageProblem::outcome(const std::vector<double>& point) {
    outcomes_.erase(point);
    compute({point});
    return outcomes_.at(point);
}

void StorageProblem::compute(const DesignPoints& points) {
    std::vector<PlannedCase> plan;
    std::set<std::vector<double>> added;
    for (const std::vector<double>& point : points) {
        if (!outcomes_.contains(point) && added.insert(point).second) {
            for (std::size_t place = 0; place < ensemble_.cases().size(); ++place) {
                plan.push_back({&point, place, placement_});
            }
        }
    }
    const std::size_t at_once = std::max<std::size_t>(chunk_bytes / ensemble_.bytes_per_case(), 1);
    for (std::size_t begin = 0; begin < plan.size(); begin += at_once) {
        const auto first = plan.begin() + static_cast<std::ptrdiff_t>(begin);
        const std::vector<PlannedCase> part(
            first, first + static_cast<std::ptrdiff_t>(std::min(at_once, plan.size() - begin)));
        DatasetContent content = ensemble_.planned(part);
        const ComputedCases computed = source_.add_fields(content, options_);
        measure(content, part, computed);
        computed_ += static_cast<std::int64_t>(part.size());
    }
}

void StorageProblem::measure(const DatasetContent& content, const std::vector<PlannedCase>& plan,
                             const ComputedCases& computed) {
    const CaseReader reader(Dataset(views_of(content)), {config_.top_depth, config_.well_radius});
    const std::size_t limits = config_.limits.size();
    const auto make = [&](std::int64_t which) {
        const auto failed = computed.failed.find(which);
        if (failed == computed.failed.end()) {
            return measured(reader.read(which), reader.times(), config_, ensemble_.limit_places(), source_.intervals());
        }
        return not_known(case_inputs(reader.dataset(), which).injected(reader.times().back()), limits, failed->second);
    };
    const auto take = [&](std::int64_t which, const CaseOutcome& one) {
        const PlannedCase& planned = plan[static_cast<std::size_t>(which)];
        StorageOutcome& outcome = outcomes_[*planned.point];
        outcome.figures.resize(limits);
        outcome.excess.resize(limits);
        outcome.margins.resize(limits);
        outcome.stored = one.stored;  // the same in all cases
        outcome.not_known += one.why_not_known.empty() ? 0 : 1;
        outcome.why_not_known = outcome.why_not_known.empty() ? one.why_not_known : outcome.why_not_known;
        for (std::size_t i = 0; i < limits; ++i) {
            outcome.figures[i].push_back(one.figures[i]);
            outcome.excess[i].push_back(one.excess[i]);
            outcome.margins[i].push_back(one.margins[i]);
        }
        return true;
    };
    in_order(static_cast<std::int64_t>(plan.size()), options_.threads, make, take);
}

ComputedCases StorageProblem::judged(const std::vector<double>& point) const {
    ComputedCases all;
    const std::size_t at_once = std::max<std::size_t>(chunk_bytes / ensemble_.bytes_per_case(), 1);
    for (std::size_t place = 0; place < ensemble_.cases().size();) {
        std::vector<PlannedCase> part;
        for (; place < ensemble_.cases().size() && part.size() < at_once; ++place) {
            part.push_back({&point, place, placement_});
        }
        DatasetContent content = ensemble_.planned(part);
        ComputationOptions judged = options_;
        judged.has_verdicts = true;
        ComputedCases computed = source_.add_fields(content, judged);
        std::ranges::move(computed.verdicts, std::back_inserter(all.verdicts));
        std::ranges::move(computed.without_interval, std::back_inserter(all.without_interval));
    }
    return all;
}

}  // namespace plumecast
