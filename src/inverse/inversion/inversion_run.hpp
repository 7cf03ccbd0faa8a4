#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inverse/inversion/forward_model.hpp"
#include "inverse/inversion/inversion_config.hpp"
#include "inverse/inversion/inversion_observer.hpp"
#include "inverse/inversion/inversion_report.hpp"
#include "inverse/inversion/inversion_state.hpp"
#include "inverse/inversion/observed_places.hpp"
#include "inverse/inversion/realizations.hpp"

namespace plumecast {

class Predictor;

/// Observed values with the whole of their errors.
struct DataErrors {
    Eigen::VectorXd observed;    ///< [D]
    Eigen::VectorXd bias;        ///< [D] of the model, which is added to its predictions
    Eigen::VectorXd deviations;  ///< [D]
    Eigen::MatrixXd factor;      ///< [D, D] lower Cholesky factor of the covariance
};

/// What an inversion has whatever its method: the observations with their errors, the model, the ensemble, and what is
/// told of the steps.
class InversionRun {
   public:
    /// Reads the files and compares them. Throws InvalidData, InvalidInput.
    InversionRun(const InversionConfig& config, const Predictor* predictor, int threads, InversionObserver& observer);

    const InversionConfig& config() const { return config_; }
    const Predictor* predictor() const { return predictor_; }
    int threads() const { return threads_; }
    InversionObserver& observer() { return observer_; }
    const std::vector<Observation>& observations() const { return observations_; }
    const ObservedPlaces& places() const { return places_; }
    const DataErrors& errors() const { return errors_; }
    /// The members, from the prior to the posterior.
    Realizations& realizations() { return realizations_; }
    const std::vector<InversionStep>& steps() const { return report_.steps; }

    /// Finds the errors of the model, or takes them from the state that is gone on from.
    void find_errors();
    /// What the model says of members at the observations [D, N], with the mean of its errors; `what` tells the
    /// observer of it, and the model's warnings where `is_told`.
    PredictedObservations predicted(const Realizations& members, const std::string& what, bool is_told = false);
    /// Lets members that could not be computed go. Throws NotConverged where those are more than half.
    void drop_failed(PredictedObservations& answers);
    /// Squared misfit per observation in the whole error.
    double misfit(const Eigen::VectorXd& prediction) const;
    /// Keeps the prior to compare with, and warns of data that none of it comes near.
    void set_prior(const Eigen::MatrixXd& predictions, const Eigen::MatrixXd& parameters);
    /// Notes a step: its misfits, spread and verdicts come from the parameters [M, N] and the answers.
    void tell(InversionStep step, const Eigen::MatrixXd& parameters, const PredictedObservations& answers);
    void warn(const std::string& text);
    void inform(const std::string& text) { observer_.message(Severity::info, text); }
    /// After the last step: compares, and writes the files.
    InversionReport finish(const Eigen::MatrixXd& posterior, std::vector<std::int64_t> numbers,
                           const std::string& folder);

    /// Keeps what a later run goes on from in a file; an empty path keeps nothing. A disk that takes no more is warned
    /// of once and does not end the run.
    void keep_state_in(const std::string& path, bool is_resumed) {
        state_path_ = path;
        is_resumed_ = is_resumed;
    }
    /// Takes over the steps, errors and warnings of the state in the file where the run goes on and there is one; the
    /// method finds its own part in state(). Throws InvalidInput where it is of another inversion.
    bool restore();
    const InversionState& state() const { return state_; }
    /// The members become those of the state. Throws InvalidModel where it is damaged.
    void restore_members();
    /// Writes the state with what the method adds.
    void save(InversionState state);

   private:
    void require_active() const;
    ForwardModel::Listeners listeners(const std::string& what, bool is_told);
    void warn_of_far_data();
    void warn_of_verdicts(const InversionStep& step, const PredictedObservations& answers);
    void tell_clipped();
    void compare(const Eigen::MatrixXd& posterior);
    void write(const std::string& folder) const;

    const InversionConfig& config_;
    const Predictor* predictor_;
    int threads_;
    InversionObserver& observer_;
    Dataset known_;
    std::vector<Observation> observations_;
    ObservedPlaces places_;
    ForwardModel model_;
    Realizations realizations_;
    DataErrors errors_;
    Eigen::MatrixXd prior_;
    Eigen::VectorXd prior_deviations_;
    InversionReport report_;
    std::string state_path_, identity_;
    InversionState state_;
    bool can_keep_state_ = true, is_resumed_ = false;
};

/// The ways from prior to posterior; each tells its steps, keeps its state after each and finishes the run.
InversionReport run_esmda(InversionRun& run, const std::string& folder);
InversionReport run_smc(InversionRun& run, const std::string& folder);
/// `rml`, and `map` without perturbations.
InversionReport run_rml(InversionRun& run, const std::string& folder);

}  // namespace plumecast
