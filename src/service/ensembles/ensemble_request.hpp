#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/json.hpp>

#include "service/limits.hpp"
#include "service/scenario.hpp"

namespace plumecast::service {

/// Where an input of the realizations is drawn.
struct DrawnRange {
    std::string input;  ///< of a case, or "permeability" for a multiplier of both
    double from = 0.0;
    double to = 1.0;
    bool is_logarithmic = false;
    bool is_multiplier = false;
};

/// A Gaussian field whose exponential is multiplied with the permeabilities.
struct DrawnHeterogeneity {
    double deviation = 0.0;      ///< of the natural logarithm
    double correlation_r = 0.0;  ///< [m]
    double correlation_z = 0.0;  ///< [m]
};

/// Realizations of a case that are drawn from ranges. Each is a scenario of its own, a function of the seed and its
/// number alone.
class EnsembleRequest {
   public:
    /// Reads the body of a request strictly; both ends of each range make cases that can be computed. Throws
    /// InvalidInput naming the entry, Problem (413) beyond a limit.
    EnsembleRequest(const Json& body, const Axes& usual, const Limits& limits);

    std::int64_t number() const { return number_; }
    std::int64_t seed() const { return seed_; }
    /// Whether the reduced physics alone computes the realizations.
    bool is_physics() const { return is_physics_; }
    const std::vector<DrawnRange>& ranges() const { return ranges_; }
    const std::vector<std::pair<std::string, double>>& figure_limits() const { return figure_limits_; }
    /// Realizations that are computed together.
    std::int64_t at_once() const { return at_once_; }

    /// What was drawn for a range in a realization.
    double drawn(const DrawnRange& range, std::int64_t realization) const;
    /// The body that /v1/predict and /v1/estimate take for realizations begin to end - 1. This and what follows throw
    /// Interrupted where they are told to stop.
    Json body(std::int64_t begin, std::int64_t end, const StopRequest& stop) const;
    /// The same as it is computed. Throws what read_scenario() throws, which names the realization.
    Scenario scenario(std::int64_t begin, std::int64_t end, const StopRequest& stop) const;
    /// Inputs of all realizations as one data set; its attribute "realizations_left_out" names those that make no case
    /// and why. Throws Problem (413) where they are more than a request may have values, InvalidInput where none makes
    /// a case.
    Scenario all_inputs(const StopRequest& stop) const;

   private:
    struct Realization;

    Realization realization(std::int64_t which, const StopRequest& stop) const;
    std::vector<Realization> realizations(std::int64_t begin, std::int64_t end, const StopRequest& stop) const;
    Json body_of(std::vector<Realization>& all) const;
    std::vector<double> factors(std::int64_t which, const StopRequest& stop) const;
    void require_ends(const DrawnRange& range) const;

    Axes usual_;
    Limits limits_;
    Json common_;  // of all realizations: model, grid, times ...
    Json case_;
    std::vector<double> r_edges_, z_edges_;
    std::vector<DrawnRange> ranges_;
    std::optional<DrawnHeterogeneity> heterogeneity_;
    std::vector<std::pair<std::string, double>> figure_limits_;
    std::int64_t number_ = 0;
    std::int64_t seed_ = 0;
    std::int64_t at_once_ = 1;
    bool is_physics_ = false;
};

/// Names of the figures that an ensemble may have limits of.
const std::vector<std::string>& limited_figures();

}  // namespace plumecast::service
