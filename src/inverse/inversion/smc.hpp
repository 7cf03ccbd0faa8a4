#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Dense>

/// Sequential Monte Carlo from a normal prior to the posterior itself: Del Moral, Doucet and Jasra, "Sequential Monte
/// Carlo samplers", J. R. Stat. Soc. B 68 (2006). All matrices are double, a column per member.
namespace plumecast {

/// How members are moved.
struct SmcSettings {
    int moves = 200;           ///< Metropolis steps of each member at each temperature, at most
    double correlation = 0.1;  ///< of members with where they began at a temperature, which ends their moves
    double effective = 0.5;    ///< effective sample size that a temperature leaves, as a share of the members
    double acceptance = 0.25;  ///< share of moves to which the length of the steps is adapted
    int stages = 200;          ///< temperatures, at most
    std::uint64_t seed = 0;
};

/// Members on their way: their density is prior times likelihood to the power of the temperature.
struct SmcState {
    Eigen::MatrixXd coordinates;     ///< [K, N], standard normal in the prior
    Eigen::VectorXd log_likelihood;  ///< [N]; -infinity where there is none
    Eigen::MatrixXd factor;          ///< [K, K] lower Cholesky factor of the covariance that the latest moves kept
    double temperature = 0.0;        ///< 0 in the prior, 1 in the posterior
    double step = 0.5;               ///< of the moves, 0 to 1
    int stages = 0;                  ///< temperatures after the prior's
    // of the latest temperature
    double accepted = 1.0;     ///< share of the moves
    int moves = 0;             ///< of each member
    double correlation = 0.0;  ///< of members with where they began, in the mean of the components
    double slowest = 0.0;      ///< the same of the component that has the largest
    double growth = 0.0;       ///< of their variances since: logarithm of the ratio, in the mean of the components
    std::vector<Eigen::Index> ancestors;  ///< [N] the member of the prior that each descends from

    /// How many members of the prior have descendants.
    std::int64_t distinct_ancestors() const;
};

/// Whether members forgot at the latest temperature where they began, and have the spread that they keep: then what
/// resampling repeated has become members of their own.
bool is_mixed(const SmcState& state, const SmcSettings& settings);

/// Whether the temperature is below 1 after as many as are allowed: it hardly rises, and has no end.
bool is_endless(const SmcState& state, const SmcSettings& settings);

/// What is moved: it knows the likelihood, and may keep more about each member.
class SmcMembers {
   public:
    virtual ~SmcMembers() = default;
    /// Log-likelihoods [N] of proposed coordinates [K, N] of all members; -infinity where one cannot be computed.
    virtual Eigen::VectorXd propose(const Eigen::MatrixXd& coordinates) = 0;
    /// The proposals of these members become theirs.
    virtual void accept(const std::vector<bool>& is_accepted) = 0;
    /// Member j becomes what member parents[j] was.
    virtual void resample(const std::vector<Eigen::Index>& parents) = 0;
};

/// Members at standard normal coordinates [K, N], without likelihoods yet.
SmcState prior_state(Eigen::Index components, Eigen::Index members, std::uint64_t seed);
/// Standard normal coordinates [K, N]: a function of seed, member and component alone.
Eigen::MatrixXd prior_coordinates(Eigen::Index components, Eigen::Index members, std::uint64_t seed);

/// Raises the temperature until the effective sample size of the weights falls to `effective` of the members (Jasra et
/// al. 2011), or to 1; resamples systematically (Kitagawa 1996); then moves all members, in one batch each time, until
/// is_mixed() or there are `moves`. Members that correlate little with where they began, but are wider, had a spread
/// too small to move by: they begin again from there, with the covariance that they have by then. A move is a
/// Metropolis step of the generalised preconditioned Crank-Nicolson kernel (Rudolf and Sprungk 2018): it keeps the
/// normal distribution of mean and covariance of the members, so that its acceptance falls neither with the number of
/// components nor with how narrow the posterior is in some of them; the covariance is shrunk in the directions of the
/// one before, since in those of the prior shrinking would widen what the data made narrow. The length of the steps
/// follows the share that was accepted. The same state gives the same bits.
void advance(SmcState& state, SmcMembers& members, const SmcSettings& settings);

/// Places [N] that systematic resampling with one uniform number in [0, 1) chooses by weights [N] that are not all 0.
std::vector<Eigen::Index> resampled(const Eigen::VectorXd& weights, double uniform);

}  // namespace plumecast
