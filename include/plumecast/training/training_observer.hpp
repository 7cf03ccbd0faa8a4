#pragma once

#include <cstdint>
#include <string_view>

#include <plumecast/core/log.hpp>
#include <plumecast/training/memory_plan.hpp>
#include <plumecast/training/records/epoch_report.hpp>

namespace plumecast {

/// Where a run stands within an epoch.
struct TrainingProgress {
    int epoch = 0, epochs = 0;
    std::int64_t cases_done = 0, cases = 0;
    double loss = 0.0;  ///< of the last batch
    double cases_per_second = 0.0;
    double seconds_left = 0.0;  ///< of the whole run
};

/// Hears of a run and may stop it.
class TrainingObserver {
   public:
    virtual ~TrainingObserver() = default;
    virtual void memory(const MemoryPlan&) {}
    virtual void message(Severity, std::string_view) {}
    /// Cases whose physics was computed, of those that lacked it; may come from another thread, one at a time.
    virtual void physics(std::int64_t /*done*/, std::int64_t /*all*/) {}
    virtual void progress(const TrainingProgress&) {}
    virtual void epoch(const EpochReport&) {}
    /// Asked after every batch, and after every case of physics, from the thread that computed it, one at a time.
    virtual bool stop_requested() { return false; }
};

}  // namespace plumecast
