#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/core/write_behind.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

namespace plumecast {

/// Packs predicted fields and writes them. Where the computation leaves processors idle these pack in the background.
/// Otherwise all of its threads pack before it goes on: a computation one of whose threads lost its processor for a
/// while would keep the others waiting as long.
class PackedResults {
   public:
    /// `busy`: threads that the computation keeps; `processors`: of the machine, 0 to ask it.
    PackedResults(FieldsWriter& writer, int busy, int processors = 0);

    /// Values [B, space..., T] in physical units and active [B, space...], float32, in cases of the file. Throws what
    /// an earlier call could not write.
    void add(const std::string& field, const std::vector<std::int64_t>& cases, std::shared_ptr<const Tensor> values,
             std::shared_ptr<const Tensor> active);
    /// Waits until all is written. Throws IoError.
    void finish() { behind_.finish(); }
    bool packs_in_background() const { return in_background_; }

   private:
    FieldsWriter* writer_;
    int team_;
    bool in_background_;
    WriteBehind behind_;
};

}  // namespace plumecast
