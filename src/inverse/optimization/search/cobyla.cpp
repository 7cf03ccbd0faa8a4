#include "inverse/optimization/search/cobyla.hpp"

#include <nlopt.h>

#include <algorithm>
#include <exception>
#include <memory>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// A search under way. No exception may pass through the functions of a C library.
struct CobylaCall {
    const LimitedProblem& problem;
    nlopt_opt optimizer;
    std::exception_ptr failure = nullptr;

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

double cobyla_objective(unsigned n, const double* x, double*, void* data) {
    double value = 0.0;
    auto& call = *static_cast<CobylaCall*>(data);
    call.guarded([&] { value = call.problem.objective({x, x + n}); });
    return value;
}

void cobyla_limits(unsigned m, double* values, unsigned n, const double* x, double*, void* data) {
    std::fill(values, values + m, 0.0);
    auto& call = *static_cast<CobylaCall*>(data);
    call.guarded([&] { call.problem.limits({x, x + n}, {values, m}); });
}

}  // namespace

LimitedMinimum minimised_within_limits(const LimitedProblem& problem, const std::vector<double>& start,
                                       const LimitedSearch& search) {
    const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(
        nlopt_create(NLOPT_LN_COBYLA, static_cast<unsigned>(start.size())), &nlopt_destroy);
    if (!optimizer) {
        throw OutOfMemory("NLopt gives no optimizer (there is no memory left for it); free some");
    }
    CobylaCall call{problem, optimizer.get()};
    nlopt_set_lower_bounds(optimizer.get(), problem.low.data());
    nlopt_set_upper_bounds(optimizer.get(), problem.high.data());
    nlopt_set_min_objective(optimizer.get(), cobyla_objective, &call);
    if (problem.limit_count > 0) {
        nlopt_add_inequality_mconstraint(optimizer.get(), static_cast<unsigned>(problem.limit_count), cobyla_limits,
                                         &call, nullptr);
    }
    nlopt_set_initial_step1(optimizer.get(), search.step);
    nlopt_set_xtol_abs1(optimizer.get(), search.tolerance);
    nlopt_set_maxeval(optimizer.get(), search.evaluations);
    LimitedMinimum found{start};
    double least = 0.0;
    found.is_success = nlopt_optimize(optimizer.get(), found.at.data(), &least) > 0;
    if (call.failure) {
        std::rethrow_exception(call.failure);
    }
    return found;
}

}  // namespace plumecast
