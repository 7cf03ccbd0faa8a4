#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <plumecast/reservoir/metrics/plume.hpp>

namespace plumecast {

struct CaseFields;

/// Rock breaks at 0.1 to 0.3 bar per metre of depth below the surface; none bears more than this [bar/m].
inline constexpr double highest_fracture_gradient = 0.3;

/// The pressure that the rock must not reach, and the share of it that is allowed.
struct FractureLimit {
    std::optional<double> gradient;  ///< fracture pressure per depth below the surface [bar/m]
    std::optional<double> pressure;  ///< or one pressure for all [bar]
    std::vector<double> pressures;   ///< or one per case of the file [bar]
    double factor = 0.9;             ///< allowed share (US: 90 %, 40 CFR 146.88(a))

    bool is_known() const { return gradient || pressure || !pressures.empty(); }
    /// Allowed pressure [bar] of a case at a depth below the surface [m].
    double allowed(std::int64_t number, double depth) const;
};

/// What the critical build-up of a case follows from, the one that lifts brine through an open borehole into drinking
/// water (EPA 816-R-13-005). Method 1, for a borehole full of the brine of the formation:
/// p_water + brine_density g (top of the formation - depth) - initial pressure. Method 2, for a formation in
/// hydrostatic balance and a borehole whose density rises evenly from `water_density` to `brine_density` before the
/// brine rises in it (Nicot et al. 2009): g / 2 (brine_density - water_density) (top of the formation - depth).
struct DrinkingWater {
    double depth = 0.0;              ///< of the base of the lowermost drinking water below the surface [m]
    std::optional<double> pressure;  ///< there [bar]; by default that of water of 1000 kg/m3 at rest up to the surface
    double brine_density = 0.0;      ///< of the brine of the formation [kg/m3]
    /// Of the water in the borehole at `depth` [kg/m3], below `brine_density`: method 2 is taken where it is given.
    std::optional<double> water_density = std::nullopt;

    /// Critical build-up [bar] at the top of the formation of a case. Throws InvalidInput where the depth of the
    /// formation was computed from its pressure, lies above the water, or where brine would rise without any build-up,
    /// and for a water_density that is not below brine_density.
    double critical_buildup(const CaseFields& fields) const;
    /// The same, but 0 or less where brine would rise without any build-up.
    double build_up_to_rise(const CaseFields& fields) const;
};

/// Build-up at the edge of the pressure front where none is asked for [bar].
inline constexpr double default_pressure_front = 1.0;

/// What to measure; docs/report.md has the definitions.
struct SeriesOptions {
    std::vector<double> thresholds = {plume_threshold, 0.2};  ///< of gas saturation
    /// Build-up at the edge of the pressure front [bar]; by default the critical one, else 1 bar.
    std::optional<double> pressure_front;
    std::optional<DrinkingWater> drinking_water;
    FractureLimit fracture;

    /// Whether the edge of the front is that of an area of review, and not a default that means nothing at the site.
    bool has_review() const { return pressure_front.has_value() || drinking_water.has_value(); }
    /// Build-up at the edge of the pressure front of a case [bar]; NaN where brine would rise without any. Throws
    /// InvalidInput where the depths do not tell, as critical_buildup().
    double front_of(const CaseFields& fields) const;
};

}  // namespace plumecast
