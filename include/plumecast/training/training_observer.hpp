#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <plumecast/core/log.hpp>

namespace plumecast {

/// How a run ended.
enum class TrainingOutcome { finished, stopped_early, interrupted };

/// Bytes that a computation will hold at once, found by running it on a backend that only counts.
struct MemoryPlan {
    std::size_t weights = 0;    ///< parameters and buffers
    std::size_t training = 0;   ///< a whole training step, with gradients, both moments and averaged weights
    std::size_t inference = 0;  ///< a forward pass
};

/// Validation errors of one field after an epoch, means over the cases except the pooled R2.
struct FieldReport {
    std::string field;
    double mpe = 0.0, mre = 0.0, relative_l2 = 0.0, r2 = 0.0, r2_plume = 0.0, mae = 0.0;
};

/// What an epoch came to. Epoch 0 is what a run starts from, where it starts from a model and has validation cases.
struct EpochReport {
    int epoch = 0;  ///< counts from 1; 0 for the start
    double learning_rate = 0.0;
    double train_loss = 0.0;  ///< NaN for the start, which has learnt nothing
    std::optional<double> validation_loss;
    std::vector<FieldReport> fields;
    double seconds = 0.0;
    bool best = false;  ///< the lowest loss so far; its weights are in `best`
};

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
