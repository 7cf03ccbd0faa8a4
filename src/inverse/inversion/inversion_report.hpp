#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inverse/inversion/observations.hpp"

namespace plumecast {

/// The ensemble after some steps; step 0 is the prior. Misfits are squared, per observation, in the whole data error:
/// (d - g)^T C^-1 (d - g) / D, about 1 where a member explains the data as well as their errors allow.
struct InversionStep {
    int step = 0;
    double members_misfit = 0.0;  ///< mean over the members
    double mean_misfit = 0.0;     ///< of the mean prediction
    double spread = 1.0;          ///< deviation of the parameters over that of the prior, in the mean
    double temperature = 0.0;     ///< how much of the data counts, 0 in the prior to 1
    double accepted = 1.0;        ///< share of the moves of a sampler
    int moves = 0;                ///< of each member of a sampler
    double correlation = 0.0;     ///< of its members with where they began the step
    std::int64_t ancestors = 0;   ///< members of the prior that they descend from
    bool is_mixed = true;         ///< whether they forgot where they began, and keep their spread
    std::int64_t clipped = 0;     ///< values that the step put beyond what the format admits
    std::int64_t not_good = 0;    ///< members whose verdict is doubtful or bad
    std::int64_t members = 0;
};

/// An observation beside what prior and posterior say of it.
struct ObservationMisfit {
    Observation observation;
    double error = 0.0;  ///< standard deviation of data and model together
    double bias = 0.0;   ///< mean of the model's error, which was added to the predictions
    double prior_mean = 0.0, prior_deviation = 0.0;
    double posterior_mean = 0.0, posterior_deviation = 0.0;
};

/// What an inversion found.
struct InversionReport {
    std::vector<InversionStep> steps;
    std::vector<ObservationMisfit> observations;
    /// Of the members that are left, in the prior; of `smc` the realization whose small scales a member has; none of a
    /// single one that is sought from the mean.
    std::vector<std::int64_t> numbers;
    std::int64_t calibration_cases = 0;  ///< behind the model's error; 0 without
    std::vector<std::string> warnings;
};

/// Files that invert() writes into its folder.
inline constexpr const char* posterior_file = "posterior.h5";
inline constexpr const char* misfit_file = "observations.csv";
inline constexpr const char* convergence_file = "convergence.csv";
inline constexpr const char* record_file = "inversion.json";

}  // namespace plumecast
