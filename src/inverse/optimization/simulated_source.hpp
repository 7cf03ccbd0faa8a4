#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "inverse/optimization/field_source.hpp"
#include "reservoir/simulation/flow_process.hpp"

namespace plumecast {

/// The way of `plumecast generate`: OPM Flow simulates the cases, each in a folder of its own that goes with its run. A
/// run that fails, or does not inject what was asked for, leaves its case without values.
class SimulatedSource : public FieldSource {
   public:
    /// `program` is found on PATH; `folder`, which exists, takes decks and logs. Throws InvalidInput where it is
    /// missing or does not tell its version.
    SimulatedSource(const std::string& program, std::filesystem::path folder);
    /// Throws InvalidData for cases that decks cannot describe, IoError where a run says nothing of its case,
    /// Interrupted.
    ComputedCases add_fields(DatasetContent& content, const ComputationOptions& options) const override;
    std::string description() const override { return release_.version; }
    bool is_for_threads() const override { return true; }
    /// Throws InvalidData for a data set of these cases of which add_fields() would.
    void require_takes(const Dataset& dataset, const std::vector<std::int64_t>& cases) const;

   private:
    std::string program_;
    std::filesystem::path folder_;
    FlowRelease release_;
    mutable std::atomic<std::int64_t> begun_ = 0;  // runs, each in a folder of its own whichever thread has it
};

}  // namespace plumecast
