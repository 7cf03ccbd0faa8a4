#include "inverse/inversion/rml.hpp"

namespace plumecast {

double objective(const MemberProblem& problem, const Eigen::VectorXd& at, Eigen::VectorXd& gradient) {
    const auto lower = problem.error_factor.triangularView<Eigen::Lower>();
    double misfit = 0.0;
    const auto cotangents = [&](const Eigen::VectorXd& predictions) {
        const Eigen::VectorXd scaled = lower.solve(predictions - problem.observed);
        misfit = scaled.squaredNorm();
        return Eigen::VectorXd(problem.error_factor.transpose().triangularView<Eigen::Upper>().solve(scaled));
    };
    problem.forward(at, cotangents, gradient);
    gradient += at - problem.prior;
    return 0.5 * ((at - problem.prior).squaredNorm() + misfit);
}

}  // namespace plumecast
