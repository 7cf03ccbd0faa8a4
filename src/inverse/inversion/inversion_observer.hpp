#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <plumecast/core/log.hpp>

#include "inverse/inversion/inversion_report.hpp"

namespace plumecast {

/// Hears what a run does.
class InversionObserver {
   public:
    virtual ~InversionObserver() = default;
    virtual void message(Severity, std::string_view) {}
    /// Of the cases of a step, or of those that the model's error is taken from.
    virtual void progress(const std::string& /*what*/, std::int64_t /*done*/, std::int64_t /*all*/) {}
    virtual void step(const InversionStep&) {}
    virtual bool stop_requested() { return false; }
    /// From now on the file holds the steps of this run.
    virtual void state_kept(const std::string& /*path*/) {}
    /// After all is computed: the folder must be there when it returns.
    virtual void before_writing() {}
};

}  // namespace plumecast
