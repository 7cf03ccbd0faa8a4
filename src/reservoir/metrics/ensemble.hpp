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

/// In how many of the cases of an ensemble something holds, and what that says of the probability.
struct Proportion {
    std::int64_t held = 0;
    std::int64_t of = 0;
    double low = 0.0;   ///< end of the interval, 0 to 1
    double high = 1.0;  ///< the other end

    /// held / of; 0 of no cases.
    double share() const { return of > 0 ? static_cast<double>(held) / static_cast<double>(of) : 0.0; }
};

/// Confidence of the intervals of proportion_of().
inline constexpr double proportion_confidence = 0.9;

/// The interval after Clopper and Pearson (1934), which covers the probability in at least nine of ten ensembles of
/// cases drawn independently. Expects 0 <= held <= of.
Proportion proportion_of(std::int64_t held, std::int64_t of);

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
