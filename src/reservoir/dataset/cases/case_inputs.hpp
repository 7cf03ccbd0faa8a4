#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// The inputs of one case in memory, read once for all that is measured on them.
class CaseInputs {
   public:
    /// Reads all maps that the data set has; it must outlive this. Throws InvalidData for a damaged file, IoError.
    CaseInputs(const Dataset& dataset, std::int64_t which);

    const Dataset& dataset() const { return dataset_; }
    std::int64_t which() const { return which_; }
    /// Values of a map [cells], or of an input of generic data that varies in time, [T] or [T, cells], in the unit of
    /// the format. Throws InvalidData for one that the data set does not have.
    const std::vector<float>& map(std::string_view name) const;
    /// Value of a scalar that the data set has, in the unit of the format.
    float scalar(std::string_view name) const { return dataset_.scalar(name)[static_cast<std::size_t>(which_)]; }

   private:
    const Dataset& dataset_;
    std::int64_t which_;
    std::map<std::string, std::vector<float>, std::less<>> maps_;
};

}  // namespace plumecast
