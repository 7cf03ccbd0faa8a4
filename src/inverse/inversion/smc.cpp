#include "inverse/inversion/smc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"
#include "inverse/inversion/columns.hpp"
#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/shrunk_covariance.hpp"

namespace plumecast {
namespace {

constexpr int most_rise_halvings = 1000;
constexpr double least_rise_difference = 1e-15;
constexpr double least_step = 0.02, largest_step = 0.9;
constexpr double largest_correlation = 0.6;  // of any one component
constexpr double steady_growth = 0.1;        // of the variances of members that keep their spread

/// Weights [N] of members whose likelihood counts by `more`, the largest 1.
Eigen::VectorXd weights_for(const Eigen::VectorXd& log_likelihood, double more) {
    const double largest = log_likelihood.maxCoeff();
    if (!std::isfinite(largest)) {
        throw NotConverged("no member of the ensemble has a likelihood (none can be computed); correct the prior");
    }
    return ((log_likelihood.array() - largest) * more).exp();
}

double effective_size(const Eigen::VectorXd& weights) { return weights.sum() * weights.sum() / weights.squaredNorm(); }

/// By how much the temperature may rise.
double next_rise(const SmcState& state, double effective) {
    const double wanted = effective * static_cast<double>(state.log_likelihood.size());
    const auto size_after = [&](double rise) { return effective_size(weights_for(state.log_likelihood, rise)); };
    double low = 0.0, high = 1.0 - state.temperature;
    if (size_after(high) >= wanted) {
        return high;
    }
    // Until the rise is known to rounding, however small it is: that of data so exact may be 1e-30.
    for (int halving = 0; halving < most_rise_halvings && high - low > least_rise_difference * high; ++halving) {
        const double middle = 0.5 * (low + high);
        (size_after(middle) >= wanted ? low : high) = middle;
    }
    return low > 0.0 ? low : high;  // members without a likelihood alone leave fewer than wanted
}

/// A normal distribution that moves keep.
struct Reference {
    Eigen::VectorXd mean;
    Eigen::MatrixXd factor;  // lower Cholesky factor of the covariance

    /// Logarithm of prior over reference at coordinates, but for a constant.
    double log_ratio(const Eigen::VectorXd& at) const {
        const Eigen::VectorXd scaled = factor.triangularView<Eigen::Lower>().solve(at - mean);
        return 0.5 * (scaled.squaredNorm() - at.squaredNorm());
    }
};

/// That of the members, whose factor becomes that of the state.
Reference reference_of(SmcState& state) {
    const Eigen::MatrixXd& z = state.coordinates;
    // Members that all descend from one leave no covariance: a little of the one before keeps the factor finite.
    const Eigen::MatrixXd little = 1e-8 * Eigen::MatrixXd::Identity(z.rows(), z.rows());
    const Eigen::MatrixXd scaled = state.factor.triangularView<Eigen::Lower>().solve(z);
    state.factor = state.factor * cholesky_factor(shrunk_covariance(scaled) + little);
    return {z.rowwise().mean(), state.factor};
}

/// z' = m + sqrt(1 - b^2) (z - m) + b L xi.
Eigen::MatrixXd proposals(const SmcState& state, const Reference& reference, const RandomStream& normal) {
    const Eigen::MatrixXd& now = state.coordinates;
    Eigen::MatrixXd drawn(now.rows(), now.cols());
    for (Eigen::Index i = 0; i < drawn.size(); ++i) {
        drawn.data()[i] = normal.normal(static_cast<std::uint64_t>(i));
    }
    const double kept = std::sqrt(1.0 - state.step * state.step);
    const Eigen::MatrixXd moved = kept * (now.colwise() - reference.mean) + state.step * (reference.factor * drawn);
    return moved.colwise() + reference.mean;
}

/// One Metropolis step of all members; the share that was accepted.
double move(SmcState& state, SmcMembers& members, const Reference& reference, const std::string& name,
            std::uint64_t seed) {
    const RandomStream normal(seed, "normal numbers of " + name), uniform(seed, "acceptance of " + name);
    const Eigen::MatrixXd proposed = proposals(state, reference, normal);
    const Eigen::VectorXd likelihood = members.propose(proposed);
    std::vector<bool> is_accepted(static_cast<std::size_t>(proposed.cols()), false);
    double accepted = 0.0;
    for (Eigen::Index j = 0; j < proposed.cols(); ++j) {
        if (!std::isfinite(likelihood[j])) {
            continue;
        }
        const double log_ratio = state.temperature * (likelihood[j] - state.log_likelihood[j]) +
                                 reference.log_ratio(proposed.col(j)) - reference.log_ratio(state.coordinates.col(j));
        if (std::log1p(-uniform.uniform(static_cast<std::uint64_t>(j))) < log_ratio) {
            is_accepted[static_cast<std::size_t>(j)] = true;
            state.coordinates.col(j) = proposed.col(j);
            state.log_likelihood[j] = likelihood[j];
            accepted += 1.0;
        }
    }
    members.accept(is_accepted);
    return accepted / static_cast<double>(proposed.cols());
}

Eigen::MatrixXd centred(const Eigen::MatrixXd& members) { return members.colwise() - members.rowwise().mean(); }

/// Correlations [K] of members with where they began; 1 of a component in which either has no spread.
Eigen::ArrayXd correlations_of(const Eigen::MatrixXd& before, const Eigen::MatrixXd& after) {
    const Eigen::ArrayXd products = before.cwiseProduct(after).rowwise().sum().array();
    const Eigen::ArrayXd sizes =
        (before.rowwise().squaredNorm().array() * after.rowwise().squaredNorm().array()).sqrt();
    return (sizes > 0.0).select(products / sizes.max(1e-300), 1.0);
}

/// Notes how far members have come from where they began.
void compare(const Eigen::MatrixXd& began, SmcState& state) {
    const Eigen::MatrixXd before = centred(began), after = centred(state.coordinates);
    const Eigen::ArrayXd correlations = correlations_of(before, after);
    const Eigen::ArrayXd was = before.rowwise().squaredNorm(), is = after.rowwise().squaredNorm();
    state.correlation = correlations.mean();
    state.growth = (was > 0.0 && is > 0.0).select((is.max(1e-300) / was.max(1e-300)).log(), 0.0).mean();
    state.slowest = correlations.maxCoeff();
}

bool has_moved(const SmcState& state, const SmcSettings& settings) {
    return state.correlation < settings.correlation && state.slowest < largest_correlation;
}

/// Growth of the variances of members that keep their spread, but for chance: each variance is known to
/// sqrt(2 / N), half of the members repeat others, and K of them are averaged.
double largest_steady_growth(const SmcState& state) {
    return steady_growth + 2.0 * std::sqrt(4.0 / static_cast<double>(state.coordinates.size()));
}

/// Moves members at a temperature, from the start again where their spread grew.
void move_until_mixed(SmcState& state, SmcMembers& members, const SmcSettings& settings) {
    Reference reference = reference_of(state);
    Eigen::MatrixXd began = state.coordinates;
    double accepted_moves = 0.0;
    for (state.moves = 0; state.moves < settings.moves;) {
        const double accepted = move(state, members, reference,
                                     fmt::format("move {} of stage {}", state.moves, state.stages), settings.seed);
        ++state.moves;
        accepted_moves += accepted;
        state.step = std::clamp(state.step * std::exp(accepted - settings.acceptance), least_step, largest_step);
        compare(began, state);
        if (is_mixed(state, settings)) {
            break;
        }
        if (has_moved(state, settings)) {
            reference = reference_of(state);
            began = state.coordinates;
        }
    }
    state.accepted = accepted_moves / state.moves;
}

}  // namespace

std::int64_t SmcState::distinct_ancestors() const {
    return static_cast<std::int64_t>(std::set<Eigen::Index>(ancestors.begin(), ancestors.end()).size());
}

bool is_mixed(const SmcState& state, const SmcSettings& settings) {
    return has_moved(state, settings) && state.growth < largest_steady_growth(state);
}

bool is_endless(const SmcState& state, const SmcSettings& settings) {
    return state.stages >= settings.stages && state.temperature < 1.0;
}

SmcState prior_state(Eigen::Index components, Eigen::Index members, std::uint64_t seed) {
    SmcState state;
    state.coordinates = prior_coordinates(components, members, seed);
    state.factor = Eigen::MatrixXd::Identity(components, components);
    state.ancestors.resize(static_cast<std::size_t>(members));
    std::iota(state.ancestors.begin(), state.ancestors.end(), Eigen::Index{0});
    return state;
}

Eigen::MatrixXd prior_coordinates(Eigen::Index components, Eigen::Index members, std::uint64_t seed) {
    const RandomStream stream(seed, "members of the prior");
    Eigen::MatrixXd coordinates(components, members);
    for (Eigen::Index i = 0; i < coordinates.size(); ++i) {
        coordinates.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
    }
    return coordinates;
}

std::vector<Eigen::Index> resampled(const Eigen::VectorXd& weights, double uniform) {
    const Eigen::Index count = weights.size();
    const double all = weights.sum();
    expects(all > 0.0, "weights that are not all 0");
    std::vector<Eigen::Index> places;
    Eigen::Index place = 0;
    double until = weights[0];
    for (Eigen::Index j = 0; j < count; ++j) {
        const double wanted = (static_cast<double>(j) + uniform) / static_cast<double>(count) * all;
        while (until <= wanted && place + 1 < count) {
            until += weights[++place];
        }
        places.push_back(place);
    }
    return places;
}

void advance(SmcState& state, SmcMembers& members, const SmcSettings& settings) {
    const double rise = next_rise(state, settings.effective);
    ++state.stages;
    const RandomStream stream(settings.seed, fmt::format("resampling of stage {}", state.stages));
    const std::vector<Eigen::Index> parents = resampled(weights_for(state.log_likelihood, rise), stream.uniform(0));
    state.temperature = rise == 1.0 - state.temperature ? 1.0 : state.temperature + rise;
    state.coordinates = columns_at(state.coordinates, parents);
    state.log_likelihood = Eigen::VectorXd(state.log_likelihood(parents));
    std::vector<Eigen::Index> ancestors;
    for (const Eigen::Index parent : parents) {
        ancestors.push_back(state.ancestors[static_cast<std::size_t>(parent)]);
    }
    state.ancestors = std::move(ancestors);
    members.resample(parents);
    move_until_mixed(state, members, settings);
}

}  // namespace plumecast
