#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plumecast {

/// Quantiles of an ensemble by exceedance, as in the SPE Petroleum Resources Management System (2018): a tenth of the
/// cases lies above P10, nine tenths above P90, so P90 is the low value and P10 the high one.
struct Percentiles {
    double p10 = 0.0;
    double p50 = 0.0;
    double p90 = 0.0;
};

/// Percentiles of values, linear between ranks (type 7 of Hyndman and Fan 1996); values that are not finite are left
/// out. NaN when none is left.
Percentiles percentiles(std::vector<double> values);

/// Counts, cell by cell, in how many cases a condition holds.
class ExceedanceMap {
   public:
    explicit ExceedanceMap(std::size_t cells) : counts_(cells) {}

    /// Adds a case: marks [cells] 0 or 1, activities [cells]. A case counts where its cell is active. Throws
    /// InvalidInput when the sizes differ.
    void add(std::span<const std::uint8_t> marks, std::span<const float> active);

    /// Share of all cases [cells] in which the cell is active and the condition holds.
    std::vector<float> probability() const;
    /// 1 for cells [cells] that are active in any case.
    std::vector<float> active() const;

   private:
    struct Count {
        std::uint32_t held = 0;
        std::uint32_t active = 0;
    };
    std::vector<Count> counts_;
    std::uint32_t cases_ = 0;
};

}  // namespace plumecast
