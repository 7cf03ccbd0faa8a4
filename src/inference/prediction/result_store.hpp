#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/guided/correction_sizes.hpp"
#include "reservoir/metrics/trust/result_judge.hpp"

namespace plumecast {

/// Where the fields of a prediction go. Nothing in front of it knows whether that is a file or memory.
class ResultStore {
   public:
    ResultStore() = default;
    virtual ~ResultStore() = default;
    ResultStore(const ResultStore&) = delete;
    ResultStore& operator=(const ResultStore&) = delete;

    /// Whether a field is wanted.
    virtual bool takes(const std::string& field) const = 0;
    /// Takes a field of a case: values [space..., T] in physical units, active [space...] 0 or 1. Several threads may
    /// do this at once, for different cases. What is returned is left to be done by one thread after the other, beside
    /// them; it is empty where nothing is left. Throws IoError.
    virtual std::function<void()> put(const std::string& field, std::int64_t which, std::span<const float> values,
                                      std::span<const float> active) = 0;
    /// Takes how much networks changed the physics, when all fields are there. Throws IoError.
    virtual void keep(const CorrectionSizes& corrections) = 0;
    /// What has been put of a field of a case: values [T, space...], NaN in inactive cells; empty for a field that is
    /// not taken.
    virtual std::vector<float> read(const std::string& field, std::int64_t which) const = 0;
    /// Verdicts on all cases, after keep(), on the fields here and those that `beside` has of the others. Throws
    /// InvalidData, IoError.
    virtual ResultVerdicts judge(const Dataset& dataset, const TrustRecord& record, const RunFacts& facts,
                                 const ResultStore* beside) = 0;
    /// Completes the result. Throws IoError.
    virtual void commit() = 0;

   protected:
    /// Reads here, and beside what is not taken here; `beside` may be nullptr.
    ResultReader reader_with(const ResultStore* beside) const {
        return [this, beside](const std::string& field, std::int64_t which) {
            return takes(field) || beside == nullptr ? read(field, which) : beside->read(field, which);
        };
    }
};

}  // namespace plumecast
