#pragma once

#include <mutex>
#include <utility>

#include "bindings/python/callbacks.hpp"
#include "bindings/python/handles.hpp"

namespace plumecast::python {

/// How cases are predicted, recorded and evaluated.
class Options {
   public:
    Options(std::int64_t batch, bool limits, nanobind::object progress, nanobind::object stop, nanobind::object log,
            bool extrapolate, double buildup_limit, bool strict, nanobind::object verdict, bool uncertainty)
        : batch_(batch),
          limits_(limits ? PLUMECAST_LIMITS_APPLY : PLUMECAST_LIMITS_LEAVE_OUT),
          progress_(std::move(progress)),
          stop_(std::move(stop)),
          log_(std::move(log)),
          extrapolate_(extrapolate ? PLUMECAST_EXTRAPOLATE_NAN : PLUMECAST_EXTRAPOLATE_REFUSE),
          buildup_limit_(buildup_limit),
          is_strict_(strict),
          verdict_(std::move(verdict)),
          wants_bands_(uncertainty) {}

    /// Has plumecast.h work on cases with these options, other threads of Python running meanwhile.
    template <class Call>
    void work(Cases& cases, const Call& call) const {
        Callbacks callbacks(progress_, stop_, log_, nanobind::none(), verdict_);
        plumecast_options options{};
        options.size = sizeof options;
        options.batch = batch_;
        options.limits = limits_;
        options.extrapolate = extrapolate_;
        options.buildup_limit = buildup_limit_;
        options.strict = is_strict_ ? 1 : 0;
        options.uncertainty = wants_bands_ ? 1 : 0;
        callbacks.put_into(options);
        callbacks.work([&] {
            const std::lock_guard mine(cases.turn());
            return call(options);
        });
    }

   private:
    std::int64_t batch_;
    std::int32_t limits_;
    nanobind::object progress_;
    nanobind::object stop_;
    nanobind::object log_;
    std::int32_t extrapolate_;
    double buildup_limit_;
    bool is_strict_;
    nanobind::object verdict_;
    bool wants_bands_;
};

}  // namespace plumecast::python
