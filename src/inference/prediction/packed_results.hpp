#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>

#include "core/write_behind.hpp"
#include "inference/prediction/result_store.hpp"

namespace plumecast {

/// Hands predicted fields to where they go. Where the computation leaves processors idle these do it in the background.
/// Otherwise all of its threads do before it goes on: a computation one of whose threads lost its processor for a
/// while would keep the others waiting as long.
class PackedResults {
   public:
    /// `busy`: threads that the computation keeps; `processors`: of the machine, 0 to ask it.
    PackedResults(ResultStore& store, int busy, int processors = 0);

    /// Values [B, space..., T] in physical units and active [B, space...], float32, in cases of the data set;
    /// nothing of a field that the store does not take. Throws what an earlier call could not write.
    void add(const std::string& field, const std::vector<std::int64_t>& cases, std::shared_ptr<const Tensor> values,
             std::shared_ptr<const Tensor> active);
    /// Waits until all is written. Throws IoError.
    void finish() { behind_.finish(); }

   private:
    ResultStore* store_;
    int team_;
    bool in_background_;
    WriteBehind behind_;
};

}  // namespace plumecast
