#pragma once

#include <functional>

#include <Eigen/Dense>

namespace plumecast {

/// A function to be minimised: its value at a point [K], and its derivatives there, which it writes.
using Differentiable = std::function<double(const Eigen::VectorXd& at, Eigen::VectorXd& gradient)>;

/// When a search ends.
struct LbfgsSettings {
    int evaluations = 200;    ///< of the function at most
    double tolerance = 1e-6;  ///< by which the value changes, of itself
    /// Of the absolute value of each coordinate, or twice the largest of the start: a line search that goes far would
    /// meet values that are no reservoir's.
    double bound = 10.0;
};

/// What a search found: the best point that any call has seen.
struct Minimum {
    Eigen::VectorXd at;
    double value = 0.0;
    int evaluations = 0;
    bool is_at_limit = false;  ///< of the evaluations
    bool is_at_bound = false;  ///< of a coordinate, so that there may be less beyond
};

/// L-BFGS (Nocedal 1980) from a point, and once more from the best one where the first search says that it failed, as
/// its line search may after good steps. A value that is not finite counts as very high. Throws what the function
/// throws, and NotBuilt where NLopt is left out.
Minimum minimised(const Differentiable& function, const Eigen::VectorXd& start, const LbfgsSettings& settings);

/// Whether searches are built. Throws NotBuilt.
void require_lbfgs();

}  // namespace plumecast
