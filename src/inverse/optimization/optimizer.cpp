#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "inverse/optimization/design_problem.hpp"
#include "inverse/optimization/sobol.hpp"

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
        const nlopt_result said = cobyla(start, step, goal);
        if (goal == Goal::least_excess || tried_.size() == before) {
            return;
        }
        Tried end = tried_.back();
        for (std::size_t i = before; i < tried_.size(); ++i) {
            end = is_better(tried_[i], end) ? tried_[i] : end;
        }
        const bool ends_outside = !is_feasible(last_.value);
        false_successes_ += said > 0 && ends_outside ? 1 : 0;
        if (ends_outside || said < 0) {
            ++restarts_;
            cobyla(end.at, 0.1 * step, goal);
        }
    }

    /// What COBYLA minimises and what it keeps at or below 0: for the least excess, a further variable that no scaled
    /// excess may be above.
    struct Call {
        Search& search;
        Goal goal;
        std::exception_ptr failure = nullptr;
        nlopt_opt optimizer = nullptr;
        std::vector<double> last = {};

        const Tried& at(unsigned n, const double* x) {
            std::vector<double> point(x, x + n);
            if (goal == Goal::least_excess) {
                point.pop_back();
            }
            if (point != last) {
                search.try_points({point});
                last = std::move(point);
                search.last_ = search.tried_.back();
            }
            return search.last_;
        }
        double minimised(unsigned n, const double* x) {
            if (goal == Goal::least_excess) {
                return x[n - 1];
            }
            return -at(n, x).value.objective / search.objective_scale_;
        }
        void limited(double* values, unsigned n, const double* x) {
            const Tried& one = at(n, x);
            for (std::size_t limit = 0; limit < search.scales_.size(); ++limit) {
                values[limit] = search.scaled_excess(one.value, limit) - (goal == Goal::least_excess ? x[n - 1] : 0.0);
            }
        }
        /// No exception may pass through the functions of a C library.
        template <class Compute>
        void guarded(const Compute& compute) {
            if (failure) {
                return;
            }
            try {
                compute();
            } catch (...) {
                failure = std::current_exception();
                nlopt_force_stop(optimizer);
            }
        }
    };
    static double objective_call(unsigned n, const double* x, double*, void* data) {
        double value = 0.0;
        auto& call = *static_cast<Call*>(data);
        call.guarded([&] { value = call.minimised(n, x); });
        return value;
    }
    static void limits_call(unsigned m, double* values, unsigned n, const double* x, double*, void* data) {
        std::fill(values, values + m, 0.0);
        auto& call = *static_cast<Call*>(data);
        call.guarded([&] { call.limited(values, n, x); });
    }

    nlopt_result cobyla(const std::vector<double>& start, double step, Goal goal) {
        std::vector<double> x = start;
        std::vector<double> low(x.size(), 0.0), high(x.size(), 1.0);
        if (goal == Goal::least_excess) {
            x.push_back(excess_of(best()));
            low.push_back(-most_excess);
            high.push_back(most_excess);
        }
        const auto n = static_cast<unsigned>(x.size());
        const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(nlopt_create(NLOPT_LN_COBYLA, n),
                                                                               &nlopt_destroy);
        if (!optimizer) {
            throw OutOfMemory("NLopt gives no optimizer (there is no memory left for it); free some");
        }
        Call call{*this, goal};
        call.optimizer = optimizer.get();
        nlopt_set_lower_bounds(optimizer.get(), low.data());
        nlopt_set_upper_bounds(optimizer.get(), high.data());
        nlopt_set_min_objective(optimizer.get(), objective_call, &call);
        if (!scales_.empty()) {
            nlopt_add_inequality_mconstraint(optimizer.get(), static_cast<unsigned>(scales_.size()), limits_call, &call,
                                             nullptr);
        }
        nlopt_set_initial_step1(optimizer.get(), step);
        nlopt_set_xtol_abs1(optimizer.get(), settings_.tolerance);
        nlopt_set_maxeval(optimizer.get(), settings_.evaluations);
        double least = 0.0;
        const nlopt_result said = nlopt_optimize(optimizer.get(), x.data(), &least);
        if (call.failure) {
            std::rethrow_exception(call.failure);
        }
        call.at(n, x.data());  // where it ended, which need not be where it looked last
        return said;
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
    Tried last_;  // that COBYLA asked for
    std::vector<double> scales_;
    double objective_scale_ = 1.0;
    int false_successes_ = 0, restarts_ = 0;
};

}  // namespace

DesignOptimum optimize(const DesignProblem& problem, const DesignSearch& search) {
    return Search(problem, search).run();
}

}  // namespace plumecast
