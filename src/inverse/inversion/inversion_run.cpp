#include "inverse/inversion/inversion_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>

#include "core/number_text.hpp"
#include "inverse/inversion/columns.hpp"
#include "inverse/inversion/esmda.hpp"
#include "inverse/inversion/inversion_files.hpp"
#include "inverse/inversion/inversion_identity.hpp"
#include "inverse/inversion/model_error.hpp"
#include "io/atomic_file.hpp"

namespace plumecast {
namespace {

constexpr double far_from_members = 3.0;  // standard deviations between an observation and the nearest member
constexpr double many_not_good = 0.1;     // of the members

/// Deviations of rows; 0 of a single member.
Eigen::VectorXd deviations_of(const Eigen::MatrixXd& members) {
    const Eigen::MatrixXd anomalies = members.colwise() - members.rowwise().mean();
    return (anomalies.rowwise().squaredNorm() / std::max(1.0, static_cast<double>(members.cols() - 1))).cwiseSqrt();
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

DataErrors errors_of(const std::vector<Observation>& observations, const ModelError* model) {
    const auto count = static_cast<Eigen::Index>(observations.size());
    DataErrors errors{Eigen::VectorXd(count), Eigen::VectorXd::Zero(count), {}, {}};
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Observation& one = observations[static_cast<std::size_t>(i)];
        errors.observed[i] = one.value;
        covariance(i, i) = one.standard_deviation * one.standard_deviation;
    }
    if (model != nullptr) {
        covariance += model->covariance;
        errors.bias = model->mean;
    }
    errors.deviations = covariance.diagonal().cwiseSqrt();
    errors.factor = cholesky_factor(covariance);
    return errors;
}

/// Columns whose cases could be computed.
Eigen::MatrixXd computed_columns(const PredictedObservations& answers, const Eigen::MatrixXd& values) {
    std::vector<Eigen::Index> kept;
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
        if (!answers.failed.contains(j)) {
            kept.push_back(j);
        }
    }
    return columns_at(values, kept);
}

}  // namespace

InversionRun::InversionRun(const InversionConfig& config, const Predictor* predictor, int threads,
                           InversionObserver& observer)
    : config_(config),
      predictor_(predictor),
      threads_(threads),
      observer_(observer),
      known_(config.case_file),
      observations_(read_observations(config.observations, known_.geometry() == Geometry::radial)),
      places_(observations_, known_, config.observations),
      model_(predictor, threads),
      // A sampler draws as many members as it is asked for from all of the prior.
      realizations_(known_, config.case_index, Dataset(config.prior), config.unknown,
                    config.method == InversionMethod::smc ? 0 : config.members) {
    require_active();
    places_.require_wells(known_, config.case_index);
    places_.require_steady_rates(known_, config.case_index);
}

void InversionRun::require_active() const {
    std::vector<float> active(static_cast<std::size_t>(known_.cells()));
    const std::int64_t which = config_.case_index;
    known_.read_map("active", {&which, 1}, active);
    for (std::size_t i = 0; i < observations_.size(); ++i) {
        const std::int64_t cell = places_.cell(static_cast<std::int64_t>(i));
        if (cell >= 0 && active[static_cast<std::size_t>(cell)] == 0.0F) {
            throw InvalidData(
                fmt::format("{} lies in an inactive cell of case {} of {} (nothing flows there); "
                            "leave it out or correct its place",
                            observations_[i].place(config_.observations), which, known_.path()));
        }
    }
}

ForwardModel::Listeners InversionRun::listeners(const std::string& what, bool is_told) {
    const LogSink tell = [this](Severity severity, std::string_view text) { observer_.message(severity, text); };
    return {is_told ? tell : LogSink(),
            [this, what](std::int64_t done, std::int64_t all) { observer_.progress(what, done, all); },
            [this] { return observer_.stop_requested(); }};
}

void InversionRun::warn(const std::string& text) {
    report_.warnings.push_back(text);
    observer_.message(Severity::warning, text);
}

void InversionRun::find_errors() {
    if (errors_.observed.size() > 0) {
        return;  // of the state
    }
    if (config_.model_error == "off") {
        errors_ = errors_of(observations_, nullptr);
        warn(
            "the model counts as exact (model_error is off), so the posterior is too narrow where the model errs; "
            "name simulated cases in the entry model_error");
        return;
    }
    const ModelError error =
        model_error_at(places_, known_, config_.model_error, model_, listeners("model error", false));
    if (const std::string by = Dataset(config_.model_error).attribute("model"); !by.empty()) {
        warn(
            fmt::format("{}: its fields are predicted (by {}) and not simulated, so the model's error is that beside "
                        "them; name simulated cases where it shall be that beside a simulator",
                        config_.model_error, by));
    }
    errors_ = errors_of(observations_, &error);
    report_.calibration_cases = error.cases;
}

PredictedObservations InversionRun::predicted(const Realizations& members, const std::string& what, bool is_told) {
    PredictedObservations answers = model_.at(
        places_, members.members(), [&](std::int64_t first, std::int64_t count) { return members.cases(first, count); },
        listeners(what, is_told));
    answers.values.colwise() += errors_.bias;
    return answers;
}

void InversionRun::drop_failed(PredictedObservations& answers) {
    if (answers.failed.empty()) {
        return;
    }
    const std::int64_t all = realizations_.members();
    std::vector<std::int64_t> dropped;
    std::map<std::int64_t, std::string> not_good;
    for (std::int64_t place = 0; place < all; ++place) {
        if (answers.failed.contains(place)) {
            dropped.push_back(place);
        } else if (const auto found = answers.not_good.find(place); found != answers.not_good.end()) {
            not_good.emplace(place - static_cast<std::int64_t>(dropped.size()), found->second);
        }
    }
    const std::string why = answers.first_failure(realizations_.numbers());
    const std::int64_t kept = all - static_cast<std::int64_t>(dropped.size());
    if (2 * kept < all || kept < 2) {
        throw NotConverged(fmt::format("{} of {} members cannot be computed (the first one: {}); correct the prior",
                                       dropped.size(), all, why));
    }
    warn(fmt::format("{} of {} members cannot be computed and leave the ensemble; the first one: {}", dropped.size(),
                     all, why));
    realizations_.drop(dropped);
    answers.values = computed_columns(answers, answers.values);
    answers.not_good = std::move(not_good);
    answers.failed.clear();
}

double InversionRun::misfit(const Eigen::VectorXd& prediction) const {
    const Eigen::VectorXd scaled = errors_.factor.triangularView<Eigen::Lower>().solve(errors_.observed - prediction);
    return scaled.squaredNorm() / static_cast<double>(scaled.size());
}

void InversionRun::set_prior(const Eigen::MatrixXd& predictions, const Eigen::MatrixXd& parameters) {
    prior_ = predictions;
    prior_deviations_ = deviations_of(parameters);
    warn_of_far_data();
}

void InversionRun::tell(InversionStep step, const Eigen::MatrixXd& parameters, const PredictedObservations& answers) {
    const Eigen::MatrixXd known = computed_columns(answers, answers.values);
    step.members = known.cols();
    step.not_good = static_cast<std::int64_t>(answers.not_good.size());
    for (Eigen::Index j = 0; j < known.cols(); ++j) {
        step.members_misfit += misfit(known.col(j)) / static_cast<double>(known.cols());
    }
    step.mean_misfit = misfit(known.rowwise().mean());
    if (prior_deviations_.size() > 0) {
        step.spread = mean_ratio(deviations_of(parameters), prior_deviations_);
    }
    report_.steps.push_back(step);
    observer_.step(step);
    if (static_cast<double>(step.not_good) > many_not_good * static_cast<double>(step.members)) {
        warn_of_verdicts(step, answers);
    }
}

void InversionRun::warn_of_verdicts(const InversionStep& step, const PredictedObservations& answers) {
    std::map<std::string, std::vector<std::string>> alike;  // reasons that differ in numbers only
    for (const auto& [place, reason] : answers.not_good) {
        std::string words = reason;
        std::erase_if(words, [](char letter) { return (letter >= '0' && letter <= '9') || letter == '.'; });
        alike[words].push_back(reason);
    }
    const auto most = std::ranges::max_element(alike, {}, [](const auto& one) { return one.second.size(); });
    warn(
        fmt::format("step {}: {} of {} members are doubtful or bad, {} of them since {}; narrow the prior, or use "
                    "another model",
                    step.step, step.not_good, step.members, most->second.size(), most->second.front()));
}

void InversionRun::warn_of_far_data() {
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
                        far, counted(static_cast<std::int64_t>(observations_.size()), "observation"), far_from_members,
                        observations_[which].place(config_.observations), observations_[which].field,
                        number_text(observations_[which].value), number_text(worst)));
    }
}

void InversionRun::tell_clipped() {
    std::int64_t clipped = 0;
    for (const InversionStep& step : report_.steps) {
        clipped += step.clipped;
    }
    if (clipped > 0) {
        inform(fmt::format("{} of the members were clipped to what the data set format admits",
                           counted(clipped, "value")));
    }
}

void InversionRun::compare(const Eigen::MatrixXd& posterior) {
    const Eigen::VectorXd before = prior_.rowwise().mean(), after = posterior.rowwise().mean();
    const Eigen::VectorXd spread_before = deviations_of(prior_), spread_after = deviations_of(posterior);
    for (std::size_t i = 0; i < observations_.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        report_.observations.push_back({observations_[i], errors_.deviations[row], errors_.bias[row], before[row],
                                        spread_before[row], after[row], spread_after[row]});
    }
}

InversionReport InversionRun::finish(const Eigen::MatrixXd& posterior, std::vector<std::int64_t> numbers,
                                     const std::string& folder) {
    tell_clipped();
    compare(posterior);
    report_.numbers = std::move(numbers);
    observer_.before_writing();
    write(folder);
    if (!state_path_.empty()) {
        std::error_code ignored;  // a state that stays is of a finished run: going on from it gives the same
        std::filesystem::remove(state_path_, ignored);
    }
    return report_;
}

void InversionRun::write(const std::string& folder) const {
    const std::filesystem::path path = folder;
    realizations_.write((path / posterior_file).string(),
                        {{"title", "Posterior realizations"},
                         {"source", "plumecast " + std::string(version())},
                         {"geometry", known_.geometry() == Geometry::radial ? "radial" : "Cartesian"},
                         {"history", fmt::format("plumecast invert: {} of {} by {}, seed {}",
                                                 counted(realizations_.members(), "member"), config_.prior,
                                                 config_.method_name(), config_.seed)}});
    write_text_atomically(path / misfit_file, misfit_table(report_, known_.geometry() == Geometry::radial));
    write_text_atomically(path / convergence_file, convergence_table(report_));
    write_text_atomically(path / record_file, record_of(config_, report_));
}

bool InversionRun::restore() {
    std::optional<InversionState> found = is_resumed_ ? read_state(state_path_) : std::nullopt;
    if (!found) {
        return false;
    }
    identity_ = identity_of(config_, predictor_).dump(-1);
    require_same_identity(state_path_, found->facts["identity"], Json::parse(identity_, "identity"));
    state_ = std::move(*found);
    errors_ = errors_of(observations_, nullptr);
    errors_.bias = state_.matrix("bias");
    errors_.deviations = state_.matrix("error deviations");
    errors_.factor = state_.matrix("error factor");
    prior_ = state_.matrix("prior predictions");
    prior_deviations_ = state_.matrix("prior deviations");
    read_report(state_.facts["report"], report_);
    const auto count = static_cast<Eigen::Index>(observations_.size());
    if (report_.steps.empty() || errors_.bias.size() != count || errors_.deviations.size() != count ||
        errors_.factor.rows() != count || errors_.factor.cols() != count || prior_.rows() != count) {
        throw state_.damaged("it is not of these observations, or of no step");
    }
    observer_.state_kept(state_path_);
    for (const InversionStep& step : report_.steps) {
        observer_.step(step);
    }
    inform(fmt::format("goes on after step {}, which is in {}", report_.steps.back().step, state_path_));
    return true;
}

void InversionRun::restore_members() {
    const std::vector<std::int64_t> numbers = state_.numbers("numbers");
    const auto count = static_cast<std::size_t>(realizations_.members());
    for (const auto& [name, values] : realizations_.values()) {
        const auto found = state_.values.find(name);
        if (found == state_.values.end() || numbers.empty() || numbers.size() > count ||
            found->second.size() != values.size() / count * numbers.size()) {
            throw state_.damaged("it lacks members of " + name);
        }
    }
    realizations_.restore(state_.values, numbers);
}

void InversionRun::save(InversionState state) {
    if (state_path_.empty() || !can_keep_state_) {
        return;
    }
    if (identity_.empty()) {
        identity_ = identity_of(config_, predictor_).dump(-1);
    }
    state.facts["identity"] = Json::parse(identity_, "identity");
    state.facts["report"] = json_of_report(report_);
    state.matrices["bias"] = errors_.bias;
    state.matrices["error deviations"] = errors_.deviations;
    state.matrices["error factor"] = errors_.factor;
    state.matrices["prior predictions"] = prior_;
    state.matrices["prior deviations"] = prior_deviations_;
    try {
        const std::filesystem::path parent = std::filesystem::path(state_path_).parent_path();
        if (!parent.empty()) {
            std::filesystem::create_directories(parent);
        }
        write_state(state_path_, state);
        observer_.state_kept(state_path_);
    } catch (const std::exception& error) {
        can_keep_state_ = false;
        warn(fmt::format("the state cannot be kept ({}), so an interrupted run begins anew", error.what()));
    }
}

}  // namespace plumecast
