#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>
#include <plumecast/reservoir/metrics/trust/trust_record.hpp>
#include <plumecast/reservoir/metrics/trust/verdict.hpp>

namespace plumecast {

/// What is known of a run beside the fields that it wrote.
struct RunFacts {
    InputRanges ranges;                                     ///< of the training; empty where not known
    std::vector<OutOfRange> out_of_range;                   ///< inputs outside of them
    std::map<std::string, std::vector<float>> corrections;  ///< per field and case, as in `/case/correction_FIELD`
    bool is_resampled = false;                              ///< from another grid or other times
    std::optional<double> buildup_limit;                    ///< [bar]
};

/// A result as it was judged, case by case.
struct ResultVerdicts {
    std::vector<Verdict> cases;
    std::vector<CaseEvidence> evidence;
    std::vector<CaseFeatures> features;  ///< what expected errors are computed from

    TrustCounts counts() const;
};

/// Judges every case of a result whose fields are all written, with the inputs of the data set that it was made for,
/// and adds the verdicts and what they rest on to the result (docs/data_format.md lists the arrays); before commit().
/// Memory is that of one case. Throws InvalidData for a damaged data set, IoError.
ResultVerdicts judge_result(FieldsWriter& result, const std::string& dataset, const TrustRecord& record,
                            const RunFacts& facts);

}  // namespace plumecast
