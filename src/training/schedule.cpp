#include <plumecast/training/recipe.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <plumecast/core/error.hpp>

#include "core/json_fields.hpp"

namespace plumecast {

using Kind = ScheduleOptions::Kind;

Schedule::Schedule(const ScheduleOptions& options, int epochs, std::int64_t steps_per_epoch)
    : options_(options), epochs_(epochs), steps_per_epoch_(steps_per_epoch) {
    expects(epochs >= 1 && steps_per_epoch >= 1, "a run of at least one step");
}

double Schedule::rate(std::int64_t step) const {
    double rate = options_.learning_rate;
    if (options_.kind == Kind::step) {
        const std::int64_t changes = step / steps_per_epoch_ / options_.every;
        rate *= std::pow(options_.factor, static_cast<double>(changes));
    } else if (options_.kind == Kind::cosine) {
        const double total = static_cast<double>(epochs_) * static_cast<double>(steps_per_epoch_);
        const double progress = std::min(1.0, static_cast<double>(step) / total);
        rate = options_.minimum + (rate - options_.minimum) * 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    } else if (options_.kind == Kind::plateau) {
        rate *= plateau_factor_;
    }
    rate = std::max(rate, options_.minimum);
    if (step < options_.warmup_steps) {
        rate *= static_cast<double>(step + 1) / static_cast<double>(options_.warmup_steps);
    }
    return rate;
}

void Schedule::epoch_ended(double loss) {
    if (options_.kind != Kind::plateau) {
        return;
    }
    if (std::isfinite(loss) && (!best_ || loss < *best_)) {
        best_ = loss;
        waited_ = 0;
    } else if (++waited_ >= options_.patience) {
        plateau_factor_ *= options_.factor;
        waited_ = 0;
    }
}

template <class Visitor, class OneSchedule>
void Schedule::visit_state(Visitor& v, OneSchedule& schedule) {
    v.required("plateau_factor", schedule.plateau_factor_);
    v.required("waited", schedule.waited_);
    v.field("best", schedule.best_);
}

Json Schedule::state() const {
    return written([&](FieldWriter& v) { visit_state(v, *this); });
}

void Schedule::restore(const Json& state, const std::string& origin) {
    JsonReader reader(state, origin);
    Schedule restored = *this;
    restored.best_.reset();
    read_whole(reader, [&](FieldReader& v) { visit_state(v, restored); });
    if (!(restored.plateau_factor_ >= 0.0 && restored.plateau_factor_ <= 1.0) || restored.waited_ < 0) {
        throw InvalidInput(reader.path("plateau_factor") +
                           " or 'waited' is out of range (the factor lies in [0, 1], the count is 0 or more); resume "
                           "from another checkpoint");
    }
    *this = restored;
}

}  // namespace plumecast
