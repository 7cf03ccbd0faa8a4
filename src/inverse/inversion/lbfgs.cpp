#include "inverse/inversion/lbfgs.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

constexpr double at_bound = 1e-9;  // of it, by which a coordinate may miss it

/// What one search calls, and the best point of it.
struct LbfgsSearch {
    const Differentiable& function;
    Minimum best;
    std::exception_ptr failure = nullptr;
    nlopt_opt optimizer = nullptr;

    double value(unsigned n, const double* x, double* gradient) {
        const Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(x, n);
        Eigen::VectorXd slopes = Eigen::VectorXd::Zero(n);
        double found = function(at, slopes);
        ++best.evaluations;
        if (!std::isfinite(found) || !slopes.allFinite()) {
            found = very_high;
            slopes.setZero();
        }
        if (found < best.value) {
            best.value = found;
            best.at = at;
        }
        if (gradient != nullptr) {
            Eigen::Map<Eigen::VectorXd>(gradient, n) = slopes;
        }
        return found;
    }

    static constexpr double very_high = 1e30;
};

/// No exception may pass through the functions of a C library.
double value_call(unsigned n, const double* x, double* gradient, void* data) {
    auto& search = *static_cast<LbfgsSearch*>(data);
    try {
        return search.value(n, x, gradient);
    } catch (...) {
        search.failure = std::current_exception();
        nlopt_force_stop(search.optimizer);
        return LbfgsSearch::very_high;
    }
}

nlopt_result search_from(LbfgsSearch& search, const Eigen::VectorXd& start, const LbfgsSettings& settings, double bound,
                         int evaluations) {
    const auto n = static_cast<unsigned>(start.size());
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(nlopt_create(NLOPT_LD_LBFGS, n),
                                                                           &nlopt_destroy);
    if (!optimizer) {
        throw OutOfMemory("NLopt gives no optimizer (there is no memory left for it); free some");
    }
    search.optimizer = optimizer.get();
    nlopt_set_min_objective(optimizer.get(), value_call, &search);
    nlopt_set_lower_bounds1(optimizer.get(), -bound);
    nlopt_set_upper_bounds1(optimizer.get(), bound);
    nlopt_set_ftol_rel(optimizer.get(), settings.tolerance);
    nlopt_set_maxeval(optimizer.get(), evaluations);
    std::vector<double> x(start.data(), start.data() + start.size());
    double least = 0.0;
    const nlopt_result said = nlopt_optimize(optimizer.get(), x.data(), &least);
    if (search.failure) {
        std::rethrow_exception(search.failure);
    }
    return said;
}

}  // namespace

Minimum minimised(const Differentiable& function, const Eigen::VectorXd& start, const LbfgsSettings& settings) {
    LbfgsSearch search{function, {start, std::numeric_limits<double>::infinity(), 0, false, false}};
    const double bound = std::max(settings.bound, 2.0 * start.cwiseAbs().maxCoeff());
    nlopt_result said = search_from(search, start, settings, bound, settings.evaluations);
    const int left = settings.evaluations - search.best.evaluations;
    if (said < 0 && left > 0) {
        const Eigen::VectorXd again = search.best.at;
        said = search_from(search, again, settings, bound, left);
    }
    search.best.is_at_limit = said == NLOPT_MAXEVAL_REACHED;
    search.best.is_at_bound = search.best.at.cwiseAbs().maxCoeff() >= bound * (1.0 - at_bound);
    return search.best;
}

void require_lbfgs() {}

}  // namespace plumecast
