#include "inverse/inversion/esmda.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <plumecast/core/error.hpp>

#include "core/random.hpp"

namespace plumecast {
namespace {

Eigen::MatrixXd anomalies_of(const Eigen::MatrixXd& members) { return members.colwise() - members.rowwise().mean(); }

/// Rows divided by their lengths; rows of zeros stay.
Eigen::MatrixXd of_unit_rows(Eigen::MatrixXd rows) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const double length = rows.row(i).norm();
        if (length > 0.0) {
            rows.row(i) /= length;
        }
    }
    return rows;
}

/// (A^T A + inflation I)^-1 A^T of a matrix A: R^-1 Q^T of [A; sqrt(inflation) I] = Q R,
/// without the rows of Q that belong to the identity.
Eigen::MatrixXd damped_inverse(const Eigen::MatrixXd& a, double inflation) {
    const Eigen::Index rows = a.rows(), columns = a.cols();
    Eigen::MatrixXd stacked(rows + columns, columns);
    stacked.topRows(rows) = a;
    stacked.bottomRows(columns) = std::sqrt(inflation) * Eigen::MatrixXd::Identity(columns, columns);
    const Eigen::HouseholderQR<Eigen::MatrixXd> factored(stacked);
    const Eigen::MatrixXd q = factored.householderQ() * Eigen::MatrixXd::Identity(rows + columns, columns);
    const Eigen::MatrixXd r = factored.matrixQR().topRows(columns);
    return r.triangularView<Eigen::Upper>().solve(q.topRows(rows).transpose());
}

/// The same [N, D] of anomalies S [D, N], factored along the shorter of its sides:
/// (S^T S + inflation I)^-1 S^T = S^T (S S^T + inflation I)^-1.
Eigen::MatrixXd damped_inverse_of_anomalies(const Eigen::MatrixXd& s, double inflation) {
    return s.rows() < s.cols() ? Eigen::MatrixXd(damped_inverse(s.transpose(), inflation).transpose())
                               : damped_inverse(s, inflation);
}

constexpr Eigen::Index rows_at_once = 4096;  // of parameters: the gain of some of them is in memory

}  // namespace

Eigen::MatrixXd cholesky_factor(const Eigen::MatrixXd& covariance) {
    const Eigen::LLT<Eigen::MatrixXd> factored(covariance);
    if (factored.info() != Eigen::Success) {
        throw InvalidInput(
            "the covariance of the data errors is not positive definite (an error is zero, or errors repeat each "
            "other); give every observation a standard deviation above 0");
    }
    return factored.matrixL();
}

Eigen::MatrixXd perturbed_observations(const Eigen::VectorXd& observed, const Eigen::MatrixXd& error_factor,
                                       double inflation, std::uint64_t seed, int step,
                                       std::span<const std::int64_t> numbers) {
    const RandomStream stream(seed, "observation errors of step " + std::to_string(step));
    const Eigen::Index count = observed.size();
    const auto members = static_cast<Eigen::Index>(numbers.size());
    expects(members > 1, "two members or more");
    Eigen::MatrixXd normal(count, members);
    for (Eigen::Index j = 0; j < members; ++j) {
        for (Eigen::Index i = 0; i < count; ++i) {
            normal(i, j) = stream.normal(static_cast<std::uint64_t>(numbers[static_cast<std::size_t>(j)] * count + i));
        }
    }
    const double n = static_cast<double>(members);
    const Eigen::MatrixXd errors = error_factor * anomalies_of(normal) * std::sqrt(inflation * n / (n - 1.0));
    return errors.colwise() + observed;
}

Eigen::MatrixXd esmda_update(const Eigen::MatrixXd& parameters, const Eigen::MatrixXd& predictions,
                             const Eigen::MatrixXd& perturbed, const Eigen::MatrixXd& error_factor, double inflation,
                             const Localization& localization) {
    const double members = static_cast<double>(parameters.cols());
    expects(parameters.cols() == predictions.cols() && parameters.cols() > 1, "as many predictions as members");
    const Eigen::MatrixXd by_member = anomalies_of(predictions);
    const auto factor = error_factor.triangularView<Eigen::Lower>();
    const Eigen::MatrixXd scaled = factor.solve(by_member) / std::sqrt(members - 1.0);
    // C_md (C_dd + inflation C_d)^-1 = dM by_innovation L^-1, and L^-1 goes to the innovations.
    const Eigen::MatrixXd by_innovation = damped_inverse_of_anomalies(scaled, inflation) / std::sqrt(members - 1.0);
    const Eigen::MatrixXd innovations = perturbed - predictions;
    Eigen::MatrixXd result = parameters;
    if (localization.threshold <= 0.0) {
        const Eigen::MatrixXd weights = by_innovation * factor.solve(innovations);
        result.noalias() += anomalies_of(parameters) * weights;
        return result;
    }
    // Entries of the gain are those of parameter and observation, so L^-1 belongs to it.
    const Eigen::MatrixXd right = error_factor.transpose().triangularView<Eigen::Upper>().solve(
        by_innovation.transpose());  // (by_innovation L^-1)^T
    const double least = localization.threshold / std::sqrt(members);
    const Eigen::MatrixXd unit_predictions = of_unit_rows(by_member);
    for (Eigen::Index first = 0; first < parameters.rows(); first += rows_at_once) {
        const Eigen::Index count = std::min(rows_at_once, parameters.rows() - first);
        const Eigen::MatrixXd some = anomalies_of(parameters.middleRows(first, count));
        Eigen::MatrixXd gain = some * right.transpose();
        const Eigen::MatrixXd correlations = of_unit_rows(some) * unit_predictions.transpose();
        gain = (correlations.array().abs() >= least).select(gain, 0.0);
        result.middleRows(first, count).noalias() += gain * innovations;
    }
    return result;
}

}  // namespace plumecast
