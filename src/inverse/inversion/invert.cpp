#include "inverse/inversion/invert.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "core/number_text.hpp"
#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/forward_model.hpp"
#include "inverse/inversion/inversion_files.hpp"
#include "inverse/inversion/model_error.hpp"
#include "inverse/inversion/realizations.hpp"
#include "io/atomic_file.hpp"

namespace plumecast {
namespace {

constexpr double far_from_members = 3.0;  // standard deviations between an observation and the nearest member
constexpr double many_not_good = 0.1;     // of the members

Eigen::VectorXd deviations_of(const Eigen::MatrixXd& members) {
    const Eigen::MatrixXd anomalies = members.colwise() - members.rowwise().mean();
    return (anomalies.rowwise().squaredNorm() / static_cast<double>(members.cols() - 1)).cwiseSqrt();
}

/// Deviations over those of the prior, in the mean over the unknowns that vary in it: they have different units.
double mean_ratio(const Eigen::VectorXd& deviations, const Eigen::VectorXd& prior) {
    double sum = 0.0, count = 0.0;
    for (Eigen::Index i = 0; i < prior.size(); ++i) {
        if (prior[i] > 0.0) {
            sum += deviations[i] / prior[i];
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

/// Observed values with the whole of their errors.
struct DataErrors {
    Eigen::VectorXd observed;
    Eigen::VectorXd bias;
    Eigen::VectorXd deviations;
    Eigen::MatrixXd factor;
    std::int64_t calibration_cases = 0;
};

DataErrors errors_of(const std::vector<Observation>& observations, const ModelError* model) {
    const auto count = static_cast<Eigen::Index>(observations.size());
    DataErrors errors{Eigen::VectorXd(count), Eigen::VectorXd::Zero(count), {}, {}, 0};
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Observation& one = observations[static_cast<std::size_t>(i)];
        errors.observed[i] = one.value;
        covariance(i, i) = one.standard_deviation * one.standard_deviation;
    }
    if (model != nullptr) {
        covariance += model->covariance;
        errors.bias = model->mean;
        errors.calibration_cases = model->cases;
    }
    errors.deviations = covariance.diagonal().cwiseSqrt();
    errors.factor = cholesky_factor(covariance);
    return errors;
}

/// One run of the method on its ensemble.
class EnsembleRun {
   public:
    EnsembleRun(const InversionConfig& config, const Predictor* predictor, int threads, InversionObserver& observer)
        : config_(config),
          observer_(observer),
          known_(config.case_file),
          observations_(read_observations(config.observations, known_.geometry() == Geometry::radial)),
          places_(observations_, known_, config.observations),
          model_(predictor, threads),
          realizations_(known_, config.case_index, Dataset(config.prior), config.unknown, config.members) {
        require_active();
    }

    InversionReport run(const std::string& folder) {
        find_errors();
        Eigen::MatrixXd parameters = realizations_.parameters();
        Eigen::MatrixXd predictions = predicted(0, 0, parameters);
        prior_ = predictions;
        warn_of_far_data();
        for (int step = 0; step < config_.steps; ++step) {
            const double inflation = config_.steps;
            const Eigen::MatrixXd perturbed = perturbed_observations(errors_.observed, errors_.factor, inflation,
                                                                     config_.seed, step, realizations_.numbers());
            parameters = esmda_update(parameters, predictions, perturbed, errors_.factor, inflation,
                                      Localization{config_.localization});
            const std::int64_t clipped = realizations_.set_parameters(parameters);
            parameters = realizations_.parameters();  // what the files will hold
            predictions = predicted(step + 1, clipped, parameters);
        }
        tell_clipped();
        compare(predictions);
        observer_.before_writing();
        write(folder);
        return report_;
    }

   private:
    void require_active() const {
        std::vector<float> active(static_cast<std::size_t>(known_.cells()));
        const std::int64_t which = config_.case_index;
        known_.read_map("active", {&which, 1}, active);
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            if (active[static_cast<std::size_t>(places_.cell(static_cast<std::int64_t>(i)))] == 0.0F) {
                throw InvalidData(
                    fmt::format("{} lies in an inactive cell of case {} of {} (nothing flows there); "
                                "leave it out or correct its place",
                                observations_[i].place(config_.observations), which, known_.path()));
            }
        }
    }

    /// Of predictions called `what`; what a model warns of is told where `is_told` says so.
    ForwardModel::Listeners listeners(const std::string& what, bool is_told = false) {
        const LogSink tell = [this](Severity severity, std::string_view text) { observer_.message(severity, text); };
        return {is_told ? tell : LogSink(),
                [this, what](std::int64_t done, std::int64_t all) { observer_.progress(what, done, all); },
                [this] { return observer_.stop_requested(); }};
    }

    void warn(const std::string& text) {
        report_.warnings.push_back(text);
        observer_.message(Severity::warning, text);
    }

    void find_errors() {
        if (config_.model_error == "off") {
            errors_ = errors_of(observations_, nullptr);
            warn(
                "the model counts as exact (model_error is off), so the posterior is too narrow where the model errs; "
                "name simulated cases in the entry model_error");
            return;
        }
        const ModelError error = model_error_at(places_, known_, config_.model_error, model_, listeners("model error"));
        errors_ = errors_of(observations_, &error);
        report_.calibration_cases = error.cases;
    }

    /// Predictions of all members that can be computed; others leave the ensemble, and `parameters`.
    Eigen::MatrixXd predicted(int step, std::int64_t clipped, Eigen::MatrixXd& parameters) {
        PredictedObservations answers = model_.at(
            places_, realizations_.members(),
            [&](std::int64_t first, std::int64_t count) { return realizations_.cases(first, count); },
            listeners(fmt::format("step {}/{}", step, config_.steps), step == 0));
        if (!answers.failed.empty()) {
            drop(answers, parameters);
        }
        const Eigen::MatrixXd corrected = answers.values.colwise() + errors_.bias;
        tell(step, clipped, parameters, corrected, answers);
        return corrected;
    }

    void drop(PredictedObservations& answers, Eigen::MatrixXd& parameters) {
        const auto all = static_cast<std::size_t>(realizations_.members());
        std::vector<std::int64_t> dropped;
        std::vector<Eigen::Index> kept;
        for (std::size_t place = 0; place < all; ++place) {
            if (answers.failed.contains(static_cast<std::int64_t>(place))) {
                dropped.push_back(static_cast<std::int64_t>(place));
            } else {
                kept.push_back(static_cast<Eigen::Index>(place));
            }
        }
        const std::string why = answers.failed.begin()->second;
        if (2 * kept.size() < all || kept.size() < 2) {
            throw NotConverged(fmt::format("{} of {} members cannot be computed (the first one: {}); correct the prior",
                                           dropped.size(), all, why));
        }
        warn(fmt::format("{} of {} members cannot be computed and leave the ensemble; the first one: {}",
                         dropped.size(), all, why));
        realizations_.drop(dropped);
        answers.values = Eigen::MatrixXd(answers.values(Eigen::all, kept));
        parameters = Eigen::MatrixXd(parameters(Eigen::all, kept));
    }

    double misfit(const Eigen::VectorXd& prediction) const {
        const Eigen::VectorXd scaled =
            errors_.factor.triangularView<Eigen::Lower>().solve(errors_.observed - prediction);
        return scaled.squaredNorm() / static_cast<double>(scaled.size());
    }

    void tell(int number, std::int64_t clipped, const Eigen::MatrixXd& parameters, const Eigen::MatrixXd& predictions,
              const PredictedObservations& answers) {
        const Eigen::VectorXd deviations = deviations_of(parameters);
        if (number == 0) {
            prior_deviations_ = deviations;
        }
        InversionStep step;
        step.step = number;
        step.clipped = clipped;
        step.members = realizations_.members();
        step.not_good = answers.not_good;
        for (Eigen::Index j = 0; j < predictions.cols(); ++j) {
            step.members_misfit += misfit(predictions.col(j)) / static_cast<double>(predictions.cols());
        }
        step.mean_misfit = misfit(predictions.rowwise().mean());
        step.spread = mean_ratio(deviations, prior_deviations_);
        report_.steps.push_back(step);
        observer_.step(step);
        if (static_cast<double>(answers.not_good) > many_not_good * static_cast<double>(step.members)) {
            warn_of_verdicts(step, answers);
        }
    }

    void warn_of_verdicts(const InversionStep& step, const PredictedObservations& answers) {
        const auto most = std::ranges::max_element(answers.reasons, {}, [](const auto& one) { return one.second; });
        warn(
            fmt::format("step {}: {} of {} members are beyond what the model was trained for (doubtful or bad), {} of "
                        "them by the input {}; narrow the prior, or use another model",
                        step.step, answers.not_good, step.members, most->second, most->first));
    }

    void warn_of_far_data() {
        double worst = 0.0;
        std::size_t which = 0;
        int far = 0;
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            const double nearest =
                (prior_.row(row).array() - errors_.observed[row]).abs().minCoeff() / errors_.deviations[row];
            far += nearest > far_from_members ? 1 : 0;
            if (nearest > worst) {
                worst = nearest;
                which = i;
            }
        }
        if (far > 0) {
            warn(
                fmt::format("no member of the prior comes near {} of {} (within {} deviations of the error); the "
                            "worst is {}: {} {}, {} deviations from the nearest member; check it, or widen the prior",
                            far, counted(static_cast<std::int64_t>(observations_.size()), "observation"),
                            far_from_members, observations_[which].place(config_.observations),
                            observations_[which].field, number_text(observations_[which].value), number_text(worst)));
        }
    }

    void tell_clipped() {
        std::int64_t clipped = 0;
        for (const InversionStep& step : report_.steps) {
            clipped += step.clipped;
        }
        if (clipped > 0) {
            observer_.message(Severity::info,
                              fmt::format("{} of the members were clipped to what the data set format admits",
                                          counted(clipped, "value")));
        }
    }

    void compare(const Eigen::MatrixXd& posterior) {
        const Eigen::VectorXd before = prior_.rowwise().mean(), after = posterior.rowwise().mean();
        const Eigen::VectorXd spread_before = deviations_of(prior_), spread_after = deviations_of(posterior);
        for (std::size_t i = 0; i < observations_.size(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            report_.observations.push_back({observations_[i], errors_.deviations[row], errors_.bias[row], before[row],
                                            spread_before[row], after[row], spread_after[row]});
        }
        report_.numbers = realizations_.numbers();
    }

    void write(const std::string& folder) const {
        const std::filesystem::path path = folder;
        realizations_.write((path / posterior_file).string(),
                            {{"title", "Posterior realizations"},
                             {"source", "plumecast " + std::string(version())},
                             {"geometry", known_.geometry() == Geometry::radial ? "radial" : "Cartesian"},
                             {"history", fmt::format("plumecast invert: {} of {} by esmda, {} steps, seed {}",
                                                     counted(realizations_.members(), "member"), config_.prior,
                                                     config_.steps, config_.seed)}});
        write_text_atomically(path / misfit_file, misfit_table(report_, known_.geometry() == Geometry::radial));
        write_text_atomically(path / convergence_file, convergence_table(report_));
        write_text_atomically(path / record_file, record_of(config_, report_));
    }

    const InversionConfig& config_;
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
};

}  // namespace

InversionReport invert(const InversionConfig& config, const Predictor* predictor, int threads,
                       const std::string& folder, InversionObserver& observer) {
    config.check();
    require_valid_inputs(config.case_file);
    require_valid_inputs(config.prior);
    return EnsembleRun(config, predictor, threads, observer).run(folder);
}

}  // namespace plumecast
