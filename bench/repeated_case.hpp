#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast.h>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast::bench {

/// Throws InvalidInput with the message of plumecast.h where a call failed.
void require(plumecast_status status);

/// The first case of a data set in memory, as often as is asked for: one geology and one set of conditions, by strides
/// of 0.
class RepeatedCase {
   public:
    RepeatedCase(const std::string& path, std::int64_t count);
    RepeatedCase(const RepeatedCase&) = delete;
    RepeatedCase& operator=(const RepeatedCase&) = delete;

    const MemoryCases& cases() const { return cases_; }
    /// Of a field: cases, times and cells.
    const std::vector<std::int64_t>& extents() const { return extents_; }
    std::size_t values() const { return static_cast<std::size_t>(count_ * dataset_.cells() * dataset_.snapshots()); }

    /// The same behind the C face; the caller releases them.
    plumecast_cases* in_c() const;

   private:
    void add_map(const std::string& name, const std::string& unit);
    void add(const std::string& name, const std::string& unit, const float* values, std::vector<std::int64_t> extents,
             std::vector<std::int64_t> strides);
    void add_axis(const std::string& name, const std::vector<double>& entries, const std::string& unit);

    Dataset dataset_;
    std::int64_t count_;
    std::map<std::string, std::vector<float>> values_;
    MemoryCases cases_;
    std::vector<std::int64_t> extents_;
};

/// All fields of a model, in arrays.
class Fields {
   public:
    Fields(const Predictor& predictor, const RepeatedCase& cases);
    const PredictedArrays& outputs() const { return outputs_; }
    std::map<std::string, std::vector<float>>& values() { return values_; }

   private:
    std::map<std::string, std::vector<float>> values_;
    PredictedArrays outputs_;
};

}  // namespace plumecast::bench
