#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// How the learning rate changes over the epochs.
struct ScheduleOptions {
    enum class Kind { constant, step, cosine, plateau };
    Kind kind = Kind::step;
    double learning_rate = 1e-3;  ///< at the start
    double minimum = 1e-6;        ///< never below
    double factor = 0.9;          ///< step, plateau: multiplies the rate
    int every = 2;                ///< step: epochs between two changes
    int patience = 5;             ///< plateau: epochs without improvement before a change
    int warmup_steps = 0;         ///< the rate rises linearly over the first steps

    friend bool operator==(const ScheduleOptions&, const ScheduleOptions&) = default;
};

/// Learning rate over a run; `plateau` remembers the best validation loss. Its state is saved with a checkpoint.
class Schedule {
   public:
    /// `epochs` and `steps_per_epoch` fix the length of a cosine. Throws Error for less than one step.
    Schedule(const ScheduleOptions& options, int epochs, std::int64_t steps_per_epoch);

    /// Rate of a step counted from 0 over the whole run.
    double rate(std::int64_t step) const;
    /// Tells the validation loss (or training loss without validation) at the end of an epoch.
    void epoch_ended(double loss);

    /// What epoch_ended() has changed; restore() brings it back to the last bit.
    Json state() const;
    /// Throws InvalidInput for a state that is not one of a schedule.
    void restore(const Json& state, const std::string& origin);

   private:
    template <class Visitor, class OneSchedule>
    static void visit_state(Visitor& v, OneSchedule& schedule);

    ScheduleOptions options_;
    int epochs_;
    std::int64_t steps_per_epoch_;
    double plateau_factor_ = 1.0;
    std::optional<double> best_;
    int waited_ = 0;
};

}  // namespace plumecast
