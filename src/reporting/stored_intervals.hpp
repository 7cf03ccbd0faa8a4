#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/metrics/named_series.hpp"

namespace plumecast {

/// The intervals of figures that a result of a calibrated model holds (docs/uncertainty.md): of the error of the model,
/// which has nothing to do with the spread of an ensemble.
class StoredIntervals {
   public:
    /// None of a file without them, or of cases in memory. Throws IoError, InvalidData.
    explicit StoredIntervals(const Dataset& result);

    /// Gives the series of a case that have intervals these, NaN where the case has none. One that measures something
    /// else than the figure of the file, as another pressure front does, gets none.
    void add_to(std::vector<NamedSeries>& series, std::int64_t number) const;

   private:
    struct Figure {
        std::vector<float> middle, low, high;  // [N, T]
    };

    std::size_t times_;
    std::map<std::string, Figure> figures_;
};

}  // namespace plumecast
