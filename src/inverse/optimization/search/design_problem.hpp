#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace plumecast {

/// A number that is to be chosen between two ends.
struct DesignVariable {
    std::string name;
    std::string unit;
    double low = 0.0;
    double high = 1.0;
};

/// What a choice of all variables gives.
struct DesignValue {
    double objective = 0.0;      ///< to be as large as possible
    std::vector<double> excess;  ///< of each limit, in its unit: above 0 it is broken; infinite where it is not known
};

/// Points [count][variables], each within the ends of its variables.
using DesignPoints = std::vector<std::vector<double>>;

/// What is to be as large as possible, and within which limits; computed for many points in one call.
struct DesignProblem {
    std::vector<DesignVariable> variables;
    std::vector<std::string> limits;  ///< names, for messages
    /// Values of points, in their order. May throw; Interrupted ends the search.
    std::function<std::vector<DesignValue>(const DesignPoints& points)> evaluate;
    /// The first so many variables can only bring limits nearer as they rise, so that a limit that holds above a point
    /// that breaks it holds by chance; `evaluate` then says that it is broken, once it has seen both.
    std::size_t rising = 0;
};

/// How a problem is searched.
struct DesignSearch {
    int points = 64;           ///< of the Sobol sequence that is tried first
    int polished = 3;          ///< of the best of these, from which the search goes on
    int evaluations = 80;      ///< of each of these searches, at most
    double tolerance = 1e-4;   ///< of the variables, as a share of their ranges
    DesignPoints starts = {};  ///< tried first as well
    /// Told after each call how many points were tried, and the best objective within all limits (NaN so far for none).
    std::function<void(int tried, double best)> progress = {};
};

/// What a search found.
struct DesignOptimum {
    bool is_feasible = false;          ///< all limits hold at `point`
    std::vector<double> point;         ///< the best one; of an infeasible problem the one that breaks its limits least
    DesignValue value;                 ///< computed again there, after the search
    std::vector<double> scales;        ///< of each limit: how much its excess varies between the points tried first
    std::vector<std::string> not_met;  ///< limits that `value` breaks
    std::vector<std::string> binding;  ///< limits that hold by less than 2 % of their scales, or jump there
    int tried = 0;                     ///< points
    int false_successes = 0;           ///< searches that were told to have succeeded where a limit was broken
    int restarts = 0;                  ///< of searches that ended at once or outside the limits
};

/// Points of a Sobol sequence in one call, then from the best of them COBYLA (Powell 1994), which needs no derivatives.
/// What the algorithm says of its success is not believed: the best point within the limits that any call has seen is
/// taken, a search that ends outside of them is begun once more from there, and the limits are computed again at the
/// end. Where no point is within them, the largest excess per scale is made as small as possible. The same problem
/// gives the same optimum. Throws what `problem.evaluate` throws, and InvalidInput for variables whose ends are no
/// interval or that are more than most_sobol_dimensions.
DesignOptimum optimize(const DesignProblem& problem, const DesignSearch& search);

}  // namespace plumecast
