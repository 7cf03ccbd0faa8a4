#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "service/ensembles/ensemble_request.hpp"
#include "service/measured_cases.hpp"

namespace plumecast::service {

/// What is found of the realizations of an ensemble, one after the other.
class EnsembleResult {
   public:
    explicit EnsembleResult(std::int64_t number)
        : verdicts_(static_cast<std::size_t>(number)), notes_(static_cast<std::size_t>(number)) {}

    /// Takes realizations that were computed together, the first of which has this number; `notes` say of each what was
    /// understood otherwise than drawn.
    void add(std::int64_t first, ComputedCases computed, const Measure& measure,
             const std::vector<std::vector<std::string>>& notes);
    /// A realization that could not be computed.
    void add_failure(std::int64_t realization, const std::string& why);

    bool has_any() const { return !cases_.empty(); }
    /// Why the first that failed did.
    std::string first_failure() const { return failures_.empty() ? std::string() : failures_.begin()->second; }

    /// The entries of the answer that an ensemble has once it is done: figures by realization with percentiles, series,
    /// exceedances, verdicts, failures, inputs. There is at least one realization that was computed.
    Json json(const EnsembleRequest& request, double seconds) const;

   private:
    std::unique_ptr<const ComputedCases> last_;    // tells what all are measured with
    std::unique_ptr<const CaseMeter> meter_;       // of the last
    std::vector<MeasuredCase> cases_;              // numbered as realizations
    std::vector<Verdict> verdicts_;                // of all realizations; bad where one failed
    std::vector<std::vector<std::string>> notes_;  // of all realizations
    std::map<std::int64_t, std::string> failures_;
};

}  // namespace plumecast::service
