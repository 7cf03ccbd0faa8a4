#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "inverse/optimization/search/cobyla.hpp"
#include "inverse/optimization/search/design_problem.hpp"
#include "inverse/optimization/search/sobol.hpp"

namespace plumecast {
namespace {

constexpr double no_objective = std::numeric_limits<double>::quiet_NaN();
/// What an excess that is not known, or beyond it, counts to the algorithm, in scales.
constexpr double most_excess = 10.0;
/// A limit binds where it holds by less than this share of its scale.
constexpr double binding_share = 0.02;
/// Into which the way up to a point is divided.
constexpr int parts_below = 8;
/// Of the way to a point beyond a limit.
constexpr int most_halvings = 12;

/// A point that was tried, in shares of the ranges.
struct Tried {
    std::vector<double> at;
    DesignValue value;
};

class Search {
   public:
    Search(const DesignProblem& problem, const DesignSearch& settings) : problem_(problem), settings_(settings) {
        for (const DesignVariable& variable : problem.variables) {
            if (!(std::isfinite(variable.low) && std::isfinite(variable.high) && variable.low < variable.high)) {
                throw InvalidInput(
                    fmt::format("{} may lie from {:g} to {:g} {} (there is nothing to choose between); "
                                "give a lower end below the upper one",
                                variable.name, variable.low, variable.high, variable.unit));
            }
        }
        if (problem.variables.empty() || problem.variables.size() > most_sobol_dimensions) {
            throw InvalidInput(fmt::format("{} variables are to be chosen (1 to {} can be); take fewer periods",
                                           problem.variables.size(), most_sobol_dimensions));
        }
    }

    DesignOptimum run() {
        try_first();
        std::vector<std::size_t> order = ranking();
        order.resize(std::min(order.size(), static_cast<std::size_t>(settings_.polished)));
        DesignPoints starts;
        for (const std::size_t i : order) {
            starts.push_back(tried_[i].at);
        }
        for (const std::vector<double>& start : starts) {
            polish(start, initial_step, Goal::objective);
        }
        look_near_low_ends();
        if (excess_of(best()) > 0.0) {  // no point of all is within the limits: how near do they come?
            polish(best().at, initial_step, Goal::least_excess);
            polish(best().at, 0.1 * initial_step, Goal::least_excess);
            if (excess_of(best()) <= 0.0) {
                polish(best().at, initial_step, Goal::objective);
            }
        }
        refresh();
        stay_below_breaks();
        close_in();
        refresh();
        return result();
    }

   private:
    enum class Goal { objective, least_excess };
    static constexpr double initial_step = 0.15;  // of a range

    std::vector<double> in_units(const std::vector<double>& at) const {
        std::vector<double> point;
        for (std::size_t i = 0; i < at.size(); ++i) {
            const DesignVariable& variable = problem_.variables[i];
            point.push_back(variable.low + std::clamp(at[i], 0.0, 1.0) * (variable.high - variable.low));
        }
        return point;
    }

    void try_points(const DesignPoints& at) {
        DesignPoints points;
        for (const std::vector<double>& one : at) {
            points.push_back(in_units(one));
        }
        std::vector<DesignValue> values = problem_.evaluate(points);
        expects(values.size() == at.size(), "a value of each point");
        for (std::size_t i = 0; i < at.size(); ++i) {
            expects(values[i].excess.size() == problem_.limits.size(), "an excess of each limit");
            tried_.push_back({at[i], std::move(values[i])});
        }
        if (settings_.progress) {
            const Tried& one = best();
            settings_.progress(static_cast<int>(tried_.size()),
                               is_feasible(one.value) ? one.value.objective : no_objective);
        }
    }

    void try_first() {
        DesignPoints first;
        for (const std::vector<double>& start : settings_.starts) {
            std::vector<double> at;
            for (std::size_t i = 0; i < start.size(); ++i) {
                const DesignVariable& variable = problem_.variables[i];
                at.push_back(std::clamp((start[i] - variable.low) / (variable.high - variable.low), 0.0, 1.0));
            }
            first.push_back(std::move(at));
        }
        std::ranges::move(
            sobol_points(static_cast<std::size_t>(std::max(settings_.points, 1)), problem_.variables.size()),
            std::back_inserter(first));
        scales_.assign(problem_.limits.size(), 1.0);
        try_points(first);
        for (std::size_t limit = 0; limit < scales_.size(); ++limit) {
            std::vector<double> known;
            for (const Tried& one : tried_) {
                if (std::isfinite(one.value.excess[limit])) {
                    known.push_back(one.value.excess[limit]);
                }
            }
            std::ranges::sort(known);
            const double spread = known.empty() ? 0.0 : known[known.size() * 9 / 10] - known[known.size() / 10];
            scales_[limit] = spread > 0.0 ? spread : 1.0;
        }
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Tried& one : tried_) {
            low = std::min(low, one.value.objective);
            high = std::max(high, one.value.objective);
        }
        objective_scale_ = high > low ? high - low : 1.0;
    }

    static bool is_feasible(const DesignValue& value) {
        return std::ranges::all_of(value.excess, [](double excess) { return excess <= 0.0; });
    }
    double scaled_excess(const DesignValue& value, std::size_t limit) const {
        const double scaled = value.excess[limit] / scales_[limit];
        return std::isnan(scaled) ? most_excess : std::clamp(scaled, -most_excess, most_excess);
    }
    /// The largest excess of all limits, in scales.
    double excess_of(const Tried& one) const {
        double most = -std::numeric_limits<double>::infinity();
        for (std::size_t limit = 0; limit < scales_.size(); ++limit) {
            most = std::max(most, scaled_excess(one.value, limit));
        }
        return is_feasible(one.value) ? std::min(most, 0.0) : std::max(most, std::numeric_limits<double>::min());
    }
    /// Points within the limits come first, by their objectives, then the others by their excess.
    bool is_better(const Tried& one, const Tried& other) const {
        const bool holds = is_feasible(one.value), other_holds = is_feasible(other.value);
        if (holds != other_holds) {
            return holds;
        }
        return holds ? one.value.objective > other.value.objective : excess_of(one) < excess_of(other);
    }
    const Tried& best() const {
        return *std::ranges::min_element(tried_,
                                         [&](const Tried& one, const Tried& other) { return is_better(one, other); });
    }
    std::vector<std::size_t> ranking() const {
        std::vector<std::size_t> order(tried_.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::ranges::stable_sort(
            order, [&](std::size_t one, std::size_t other) { return is_better(tried_[one], tried_[other]); });
        return order;
    }

    /// Values of all points once more: what a problem says of a point may depend on the points that it has seen since.
    void refresh() {
        DesignPoints points;
        for (const Tried& one : tried_) {
            points.push_back(in_units(one.at));
        }
        std::vector<DesignValue> values = problem_.evaluate(points);
        for (std::size_t i = 0; i < tried_.size(); ++i) {
            tried_[i].value = std::move(values[i]);
        }
    }

    /// Where no point is within the limits, they are nearest to hold at the low ends of the rising variables.
    void look_near_low_ends() {
        if (problem_.rising == 0 || is_feasible(best().value)) {
            return;
        }
        DesignPoints below;
        for (double part = 0.5; part > 1e-3; part *= 0.5) {
            std::vector<double> at = best().at;
            for (std::size_t i = 0; i < problem_.rising; ++i) {
                at[i] *= part > 2e-3 ? part : 0.0;
            }
            below.push_back(std::move(at));
        }
        try_points(below);
        refresh();
        if (is_feasible(best().value)) {
            const std::vector<double> start = best().at;
            polish(start, 0.1 * initial_step, Goal::objective);
            refresh();
        }
    }

    /// Looks at points below the best one in its rising variables, of which none may break a limit, and goes on from
    /// the best of those that are left.
    void stay_below_breaks() {
        for (int round = 0; round < 3 && problem_.rising > 0 && is_feasible(best().value); ++round) {
            const std::vector<double> before = best().at;
            DesignPoints below;
            for (int part = 1; part < parts_below; ++part) {
                std::vector<double> at = before;
                for (std::size_t i = 0; i < problem_.rising; ++i) {
                    at[i] *= static_cast<double>(part) / parts_below;
                }
                below.push_back(std::move(at));
            }
            try_points(below);
            refresh();
            if (best().at == before) {
                return;
            }
            const std::vector<double> start = best().at;
            polish(start, 0.3 * initial_step, Goal::objective);
            refresh();
        }
    }

    /// The nearest point beyond a limit that stores more than the best one; nullptr where there is none near it.
    const Tried* beyond(const Tried& within) const {
        const Tried* nearest = nullptr;
        double least = initial_step;
        for (const Tried& one : tried_) {
            double distance = 0.0;
            for (std::size_t i = 0; i < one.at.size(); ++i) {
                distance = std::max(distance, std::abs(one.at[i] - within.at[i]));
            }
            if (!is_feasible(one.value) && one.value.objective > within.value.objective && distance < least) {
                nearest = &one;
                least = distance;
            }
        }
        return nearest;
    }

    /// Halves the way from the best point to the nearest better one beyond a limit: linear models say little of a limit
    /// that jumps.
    void close_in() {
        for (int step = 0; step < most_halvings && is_feasible(best().value); ++step) {
            const Tried within = best();
            const Tried* other = beyond(within);
            if (other == nullptr) {
                return;
            }
            std::vector<double> middle;
            double distance = 0.0;
            for (std::size_t i = 0; i < within.at.size(); ++i) {
                middle.push_back(0.5 * (within.at[i] + other->at[i]));
                distance = std::max(distance, std::abs(middle[i] - within.at[i]));
            }
            if (distance < 0.5 * settings_.tolerance) {
                return;
            }
            try_points({middle});
        }
    }

    /// One run of COBYLA, and once more from the best point where it ends at once or outside the limits.
    void polish(const std::vector<double>& start, double step, Goal goal) {
        const std::size_t before = tried_.size();
        const bool is_success = cobyla(start, step, goal);
        if (goal == Goal::least_excess || tried_.size() == before) {
            return;
        }
        Tried end = tried_.back();
        for (std::size_t i = before; i < tried_.size(); ++i) {
            end = is_better(tried_[i], end) ? tried_[i] : end;
        }
        const bool ends_outside = !is_feasible(last_.value);
        false_successes_ += is_success && ends_outside ? 1 : 0;
        if (ends_outside || !is_success) {
            ++restarts_;
            cobyla(end.at, 0.1 * step, goal);
        }
    }

    /// The value of a point that COBYLA asks for, which is tried once where it asks again.
    const DesignValue& asked_for(const std::vector<double>& point) {
        if (point != asked_) {
            try_points({point});
            asked_ = point;
            last_ = tried_.back();
        }
        return last_.value;
    }

    /// For the least excess, a further variable that no scaled excess may be above is what COBYLA minimises.
    bool cobyla(const std::vector<double>& start, double step, Goal goal) {
        const bool is_excess = goal == Goal::least_excess;
        const auto variables = static_cast<std::ptrdiff_t>(start.size());
        LimitedProblem problem{
            {}, std::vector<double>(start.size(), 0.0), std::vector<double>(start.size(), 1.0), scales_.size()};
        std::vector<double> from = start;  // which may lie among the points that grow
        if (is_excess) {
            from.push_back(excess_of(best()));
            problem.low.push_back(-most_excess);
            problem.high.push_back(most_excess);
        }
        const auto value_at = [&](const std::vector<double>& x) -> const DesignValue& {
            return asked_for({x.begin(), x.begin() + variables});
        };
        problem.objective = [&](const std::vector<double>& x) {
            return is_excess ? x.back() : -value_at(x).objective / objective_scale_;
        };
        problem.limits = [&](const std::vector<double>& x, std::span<double> above) {
            const DesignValue& value = value_at(x);
            for (std::size_t limit = 0; limit < above.size(); ++limit) {
                above[limit] = scaled_excess(value, limit) - (is_excess ? x.back() : 0.0);
            }
        };
        asked_.clear();
        const LimitedMinimum found =
            minimised_within_limits(problem, from, {step, settings_.tolerance, settings_.evaluations});
        value_at(found.at);  // where it ended, which need not be where it looked last
        return found.is_success;
    }

    DesignOptimum result() {
        const Tried found = best();
        DesignOptimum optimum;
        optimum.point = in_units(found.at);
        optimum.value = problem_.evaluate({optimum.point}).at(0);
        optimum.is_feasible = is_feasible(optimum.value);
        optimum.scales = scales_;
        for (std::size_t limit = 0; limit < scales_.size(); ++limit) {
            const double excess = optimum.value.excess[limit];
            if (!(excess <= 0.0)) {
                optimum.not_met.push_back(problem_.limits[limit]);
            } else if (excess > -binding_share * scales_[limit]) {
                optimum.binding.push_back(problem_.limits[limit]);
            }
        }
        const Tried* other = optimum.is_feasible && optimum.binding.empty() ? beyond(found) : nullptr;
        for (std::size_t limit = 0; other != nullptr && limit < scales_.size(); ++limit) {
            if (!(other->value.excess[limit] <= 0.0)) {  // a limit that jumps
                optimum.binding.push_back(problem_.limits[limit]);
            }
        }
        optimum.tried = static_cast<int>(tried_.size());
        optimum.false_successes = false_successes_;
        optimum.restarts = restarts_;
        return optimum;
    }

    const DesignProblem& problem_;
    const DesignSearch& settings_;
    std::vector<Tried> tried_;
    Tried last_;                 // that COBYLA asked for
    std::vector<double> asked_;  // its point in the run that is under way
    std::vector<double> scales_;
    double objective_scale_ = 1.0;
    int false_successes_ = 0, restarts_ = 0;
};

}  // namespace

DesignOptimum optimize(const DesignProblem& problem, const DesignSearch& search) {
    return Search(problem, search).run();
}

}  // namespace plumecast
