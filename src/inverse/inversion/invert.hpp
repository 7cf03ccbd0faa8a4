#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <plumecast/core/log.hpp>

#include "inverse/inversion/inversion_config.hpp"
#include "inverse/inversion/inversion_report.hpp"

namespace plumecast {

class Predictor;

/// Hears what a run does.
class InversionObserver {
   public:
    virtual ~InversionObserver() = default;
    virtual void message(Severity, std::string_view) {}
    /// Of the cases of a step, or of those that the model's error is taken from.
    virtual void progress(const std::string& /*what*/, std::int64_t /*done*/, std::int64_t /*all*/) {}
    virtual void step(const InversionStep&) {}
    virtual bool stop_requested() { return false; }
    /// After all is computed: the folder must be there when it returns.
    virtual void before_writing() {}
};

/// Finds reservoirs that explain observations: draws a posterior ensemble from a prior one (esmda_update()) and writes
/// it as a data set with misfits and convergence into `folder`, each file whole or not at all, after all is computed.
/// `predictor` is the model, nullptr for the reduced physics alone. The same configuration gives the same bits for any
/// number of threads. Throws InvalidInput, InvalidData for what cannot be used (a file, a row, an entry), NotConverged
/// when fewer than half of the members can be computed, Interrupted, IoError.
InversionReport invert(const InversionConfig& config, const Predictor* predictor, int threads,
                       const std::string& folder, InversionObserver& observer);

}  // namespace plumecast
