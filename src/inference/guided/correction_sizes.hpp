#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

namespace plumecast {

/// How much a network changes the physics it corrects, case by case: ||p - b|| / ||b|| over active cells and times, p
/// predicted and b of the physics; where b is zero everywhere, 0 if p is too and 1 otherwise. The first measure of
/// doubt.
class CorrectionSizes {
   public:
    explicit CorrectionSizes(std::int64_t cases) : cases_(static_cast<std::size_t>(cases)) {}

    /// Some cases of a field: predicted and known [B, space..., T], active [B, space...], float32 on the host.
    void add(const std::string& field, const std::vector<std::int64_t>& which, ConstView predicted, ConstView known,
             ConstView active);
    /// Per field that was added, [N].
    const std::map<std::string, std::vector<float>>& sizes() const { return sizes_; }
    /// Writes `/case/correction_FIELD` [N] for the fields that were added. Throws IoError.
    void write(FieldsWriter& writer) const;

   private:
    std::size_t cases_;
    std::map<std::string, std::vector<float>> sizes_;
};

}  // namespace plumecast
