#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"
#include "service/scenario.hpp"
#include "service/served_model.hpp"

namespace plumecast::service {

/// Fields of the cases of a scenario, with what is thought of them.
struct ComputedCases {
    DatasetContent content;           ///< inputs, and the fields [N, T, Z, R] among the arrays
    std::vector<std::string> fields;  ///< names of the fields
    ResultVerdicts verdicts;
    const TrustRecord* trust = nullptr;  ///< of the model, with its intervals; nullptr for the physics
    std::string origin;                  ///< the model and its hash, or the physics
    double seconds = 0.0;
};

/// What a model says of the cases of a scenario, with the bands of its fields where the scenario asks for them. Throws
/// what Predictor::predict() throws, Interrupted.
/// So many cases are computed together, as many as seem to fit with 0; as ServedModel::batch says where left out.
ComputedCases predicted(const ServedModel& model, Scenario scenario, const StopRequest& stop,
                        std::optional<std::int64_t> batch = {});
/// Names of the fields of estimated().
std::vector<std::string> estimated_fields();
/// What the reduced physics alone says of them. Throws InvalidData, Interrupted.
ComputedCases estimated(Scenario scenario, int threads, const StopRequest& stop);

/// What is taken of a file before the folder that it is in is removed.
using FileContent = std::function<std::string(const std::string& path)>;

/// The same as a result file, or what is made from it. Throws IoError.
std::string predicted_file(const ServedModel& model, const Scenario& scenario, const FileContent& content,
                           const StopRequest& stop);
std::string estimated_file(const Scenario& scenario, int threads, const FileContent& content, const StopRequest& stop);
/// The same of a data set file, with all that it says of its cases.
std::string predicted_file(const ServedModel& model, const std::string& cases, std::optional<double> buildup_limit,
                           bool uncertainty, const FileContent& content, const StopRequest& stop);
std::string estimated_file(const std::string& cases, std::optional<double> buildup_limit, int threads,
                           const FileContent& content, const StopRequest& stop);

/// The cases of a result file as ECLIPSE files (EGRID, INIT, UNRST, SMSPEC, UNSMRY) in a ZIP archive, with the top of
/// the formation at a depth [m] or where the file says. Throws what export_fields() throws, InvalidInput for a case
/// that could not be computed, Interrupted.
std::string eclipse_archive(const std::string& result, const std::optional<double>& top_depth, const StopRequest& stop);
/// Throws Problem (413) for more values than a request may have, where each ring of cells becomes the sectors of a
/// cylinder.
void require_exportable(const Scenario& scenario, const Limits& limits);

}  // namespace plumecast::service
