#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"
#include "reservoir/physics/physics_errors.hpp"

namespace plumecast {

/// Dissolved CO2 per CO2 injected at each time, as DissolvedShares has it.
struct DissolvedSeries {
    std::vector<double> predicted, physics;
};

/// What is known of a run beside the fields that it wrote.
struct RunFacts {
    InputRanges ranges;                                     ///< of the training; empty where not known
    std::vector<OutOfRange> out_of_range;                   ///< inputs outside of them
    std::map<std::string, std::vector<float>> corrections;  ///< per field and case, as in `/case/correction_FIELD`
    Resampling resampling = Resampling::none;
    std::optional<double> buildup_limit;                     ///< [bar]
    double trained_time = 0.0;                               ///< last time of the training [day]; 0 where not known
    std::vector<PhysicsErrors> physics = {};                 ///< of each case by reduced physics alone; or empty
    std::map<std::int64_t, std::string> failed = {};         ///< cases without values, which are bad, and why
    RateChanges rate_changes = RateChanges::none;            ///< of the cases whose rate changes
    std::map<std::int64_t, DissolvedSeries> dissolved = {};  ///< of cases whose balance dissolved CO2 closes
    /// Until each time [N * T, times fastest] [Mt], where limits of the pressure in wells may make it less than was
    /// asked for; empty without such limits.
    std::vector<float> injected = {};
    RateChanges limits = RateChanges::none;       ///< what the model knows of limits of the pressure in wells
    RateChanges dissolution = RateChanges::none;  ///< likewise of limits of the rate of dissolution
    RateChanges warmth = RateChanges::none;       ///< likewise of the temperature gradient of the data set
    bool has_bands = false;                       ///< whether the result has bands of fields
};

/// Reads a field of a case of a result: values [T, space...], NaN in inactive cells; empty for a field that the result
/// lacks.
using ResultReader = std::function<std::vector<float>(const std::string& field, std::int64_t which)>;

/// Why the figures of a case of a calibrated model have no intervals; empty where they have.
std::string why_no_interval(const ResultVerdicts& verdicts, const TrustRecord& record, std::size_t which);

/// Judges every case of a result whose fields are all there, with the inputs of the data set that it was made for.
/// Where nothing is injected and nothing moves the answer is known, and good. Memory is that of one case. Throws
/// InvalidData for a damaged data set, and what the reader throws.
ResultVerdicts judge_fields(const ResultReader& read, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& facts);

/// The same for a result file, to which the verdicts and what they rest on are added (docs/data_format.md lists the
/// arrays); before commit(). `read` reads its fields, and may know more of them. Throws InvalidData, IoError.
ResultVerdicts judge_result(FieldsWriter& result, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& facts, const ResultReader& read);
/// The same with the fields of the file alone.
ResultVerdicts judge_result(FieldsWriter& result, const Dataset& dataset, const TrustRecord& record,
                            const RunFacts& facts);
/// The same with the data set in a file.
ResultVerdicts judge_result(FieldsWriter& result, const std::string& dataset, const TrustRecord& record,
                            const RunFacts& facts);

}  // namespace plumecast
