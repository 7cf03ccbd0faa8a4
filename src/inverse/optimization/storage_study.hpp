#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "inverse/optimization/field_source.hpp"
#include "inverse/optimization/limit_margin.hpp"
#include "inverse/optimization/search/design_problem.hpp"
#include "inverse/optimization/simulated_source.hpp"
#include "inverse/optimization/storage_config.hpp"
#include "reservoir/metrics/ensemble.hpp"

namespace plumecast {

/// What became of a limit at an optimum.
struct LimitOutcome {
    double figure = 0.0;  ///< in the case that is just counted; NaN where it is not known
    double margin = 0.0;  ///< that it may be wrong by there
    MarginSource margin_source = MarginSource::none;
    double excess = 0.0;  ///< beyond the limit less its margin in that case: above 0 where the limit is not met
    Proportion held;      ///< cases that keep the limit with its margin
    bool is_binding = false;
};

/// What a simulator says of an optimum, without margins.
struct SimulatedOptimum {
    std::vector<LimitOutcome> limits;  ///< in the order of the configuration
    std::int64_t failed = 0;           ///< cases without values, which count as ones that break every limit
    std::string why_failed;            ///< of the first of them

    bool holds() const;
};

/// The most that can be stored in an ensemble, or at a site.
struct StorageOptimum {
    std::vector<std::int64_t> cases;  ///< of the data set
    std::vector<DesignVariable> variables;
    DesignOptimum search;
    std::vector<LimitOutcome> limits = {};  ///< in the order of the configuration
    std::vector<Verdict> verdicts = {};     ///< on the predictions at the optimum, of each case
    /// Of each case of a model with intervals, why they say nothing of it; empty where they do.
    std::vector<std::string> without_interval = {};
    double probability = 0.9;
    std::size_t placement = 0;          ///< of the wells, among StorageEnsemble::placements()
    std::vector<WellPlace> wells = {};  ///< that were chosen, in the order of the wells; none where they stay
    bool is_held_back = false;          ///< more would keep the limits itself, but lower rates than those do not
    std::string why_not_known = {};     ///< of the first case whose figures are not known
    std::optional<SimulatedOptimum> simulated = {};

    double stored() const { return search.value.objective; }  ///< [Mt]
    /// Names of the limits that bind, or that are not met; "ends of the ranges" where none does.
    std::string binding() const;
};

/// The most that can be stored with a probability.
struct StoredAt {
    double probability = 0.0;
    double stored = 0.0;  ///< [Mt]
    bool is_feasible = false;
    std::string binding;
    std::vector<double> point;
};

/// What an optimization found.
struct StorageStudy {
    StorageConfig config;
    std::string fields;                  ///< what computed them, in words
    std::string simulator;               ///< what simulated the optima, in words; empty where nothing did
    bool is_each = false;                ///< each case by itself
    std::vector<StorageOptimum> optima;  ///< one, or of each case the one that stores most first
    std::vector<StoredAt> table;         ///< of the ensemble, by rising probability; empty for sites
    DatasetContent designed;             ///< cases at their optima, in the order of the data set, without outputs
    std::int64_t computed = 0;           ///< cases
    std::vector<std::string> notes;      ///< what the user is to know of the result
};

/// Who is told of a study, and what it may use.
struct StudyOptions {
    bool is_each = false;                                   ///< every case is a site of its own
    std::function<void(const std::string& text)> progress;  ///< may be empty
    std::function<bool()> stop_requested;                   ///< ends it with Interrupted; may be empty
    const SimulatedSource* simulator = nullptr;             ///< of verify_storage()
};

/// Finds what stores most CO2 within the limits of a configuration. The same for any number of threads. With a
/// simulator it is checked before the search that it takes the cases. Throws InvalidInput, InvalidData, IoError,
/// Interrupted.
StorageStudy optimize_storage(const StorageConfig& config, const FieldSource& source, const StudyOptions& options);
/// Simulates the cases at the optima and adds to the study what the simulator says, each limit as it is stated: a
/// simulation needs no margin. Throws IoError, Interrupted; the study is then as it was.
void verify_storage(StorageStudy& study, const StudyOptions& options);

/// Adds what the user is to know of the result of a search.
void add_notes(StorageStudy& study);
/// Adds where the simulator says otherwise than the prediction.
void add_simulated_notes(StorageStudy& study);

/// The study as JSON: optimum.json.
Json to_json(const StorageStudy& study);
/// The sites in order, or stored mass against probability, as CSV.
std::string table_csv(const StorageStudy& study);
/// Writes optimum.json, the table (sites.csv, or stored_mass.csv) and optimum.h5 as a folder that appears whole or not
/// at all, in the place of one that is there. Throws IoError.
void write_study(const StorageStudy& study, const std::string& folder);
/// The study as text for a terminal.
std::string study_text(const StorageStudy& study);

}  // namespace plumecast
