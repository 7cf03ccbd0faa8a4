#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/core/shape.hpp>
#include <plumecast/inference/predicted_arrays.hpp>

#include "inference/prediction/result_store.hpp"

namespace plumecast {

/// Arrays of the caller's, written once, straight through their strides; NaN in inactive cells.
class ArrayResults : public ResultStore {
   public:
    /// For fields [N, T, space...], as require_outputs() has checked the arrays.
    ArrayResults(PredictedArrays outputs, const Shape& space, std::int64_t times);

    bool takes(const std::string& field) const override { return outputs_.arrays.contains(field); }
    std::function<void()> put(const std::string& field, std::int64_t which, std::span<const float> values,
                              std::span<const float> active) override;
    void keep(const CorrectionSizes&) override {}
    ResultVerdicts judge(const Dataset& dataset, const TrustRecord& record, const RunFacts& facts,
                         const ResultStore* beside) override;
    void commit() override {}

    std::vector<float> read(const std::string& field, std::int64_t which) const override;

   private:
    PredictedArrays outputs_;
    Shape space_;
    std::int64_t times_;
};

}  // namespace plumecast
