#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

namespace plumecast {

/// How far the fields of a case can be relied upon.
enum class Trust { good, doubtful, bad };

/// "good", "doubtful", "bad".
std::string_view name_of(Trust trust);
/// Of a label that a result file holds (`/case/trust`): 0, 1, and bad for all others.
Trust trust_labelled(std::uint8_t label);

/// From where on a measure makes a case doubtful, and from where on bad.
struct Limit {
    double doubtful = 0.0;
    double bad = 0.0;

    friend bool operator==(const Limit&, const Limit&) = default;
};

/// The limits of all measures, each a pure number; a bundle may record others.
struct TrustLimits {
    Limit outside{0.02, 0.5};   ///< of an input beyond its training range, in widths of the range
    Limit distance{1.0, 2.0};   ///< of the training data, in distances of the farthest training case
    Limit balance{0.15, 0.4};   ///< share of the CO2 injected that is too much or missing, at the worst time
    Limit reach{0.6, 1.0};      ///< radius of the plume, in radii that the injected volume can reach
    Limit expected{2.0, 12.0};  ///< expected error, in median errors of the held-out cases
    Limit absorbed{0.15, 0.4};  ///< share of the CO2 injected that brine beside gas is said to hold but cannot
    /// Share of the CO2 injected that closing the balance dissolves beyond what the reduced physics does, and below it.
    /// Physics of long steps dissolves too much, so only the first is suspect when it is small.
    Limit dissolved_more{0.06, 0.2};
    Limit dissolved_less{0.25, 0.5};

    Json to_json() const;
    /// Reads such an object strictly. Throws InvalidInput with the dotted path, and for limits that are not ordered.
    static TrustLimits read(JsonReader& object);
    friend bool operator==(const TrustLimits&, const TrustLimits&) = default;
};

/// The error expected of a field, in median errors of held-out cases or, of reduced physics alone, in usual ones.
struct ExpectedError {
    std::string field;
    double ratio = 0.0;
    std::string because = {};  ///< where more than that is known
};

/// Dissolved CO2 per CO2 injected at a time: of a prediction whose balance it closes, and of the reduced physics.
struct DissolvedShares {
    double predicted = 0.0;
    double physics = 0.0;
};

/// Injection that the limit of the pressure in the well kept below the rate asked for.
struct LimitedRate {
    double from = 0.0, to = 0.0;         ///< [day] with a rate, to the times of the fields
    double injected = 0.0, asked = 0.0;  ///< until the last time [Mt]
};

/// What became of a rate of injection that changes.
enum class RateChanges {
    none,       ///< it does not change, or physics that takes the changes made the fields
    corrected,  ///< physics took the changes, and a network that was trained on constant rates corrected its fields
    unseen      ///< the model takes the mean rate alone
};

/// What of a case was brought over from the grid and the times that the model knows.
enum class Resampling {
    none,
    correction,  ///< in time alone, of all fields: their physics is that of these times
    fields       ///< from another grid, or at other times with a field without physics
};

/// What is known of the fields of a case; what is not known is left out.
struct CaseEvidence {
    bool is_finite = true;                ///< in all active cells
    std::string farthest_input;           ///< the input that lies farthest outside its training range
    double outside = 0.0;                 ///< how far, in widths of the range
    std::optional<double> trained_value;  ///< the one value of that input that the training knew, where it knew one
    std::optional<double> distance;
    std::optional<double> balance;
    std::optional<double> reach;
    std::vector<ExpectedError> expected;
    double largest_buildup = 0.0;     ///< [bar]
    std::optional<double> rock_load;  ///< pressure per pressure at which any rock breaks, at worst
    /// CO2 that brine beside gas is said to hold beyond or below what it can, per CO2 injected, at the worst time: a
    /// balance that is closed by dissolved CO2 hides there what saturation has wrong.
    std::optional<double> absorbed;
    double dissolved_ratio = 1.0;  ///< at that time, what it is said to hold per what it can
    /// At the times at which the prediction has most more, and most less, dissolved CO2 than the physics.
    std::optional<DissolvedShares> dissolves_more, dissolves_less;
    RateChanges rate_changes = RateChanges::none;
    std::optional<LimitedRate> limited_rate;
    RateChanges limits = RateChanges::none;  ///< what the model knows of the limit of the pressure in the well, if any
    RateChanges dissolution = RateChanges::none;  ///< likewise of the limit of the rate of dissolution
    RateChanges warmth = RateChanges::none;       ///< likewise of temperatures that grow with depth
    double last_time = 0.0;                       ///< [day]
    double trained_time = 0.0;                    ///< last time of the training [day]; 0 where not known
    std::optional<double> buildup_limit;          ///< [bar] asked for
    Resampling resampling = Resampling::none;
};

/// A verdict, with a short reason for each measure that is beyond its limit, the worst first, then what a good case
/// has to say too: that less was injected than was asked for.
struct Verdict {
    Trust trust = Trust::good;
    std::vector<std::string> reasons;
};

/// Good, doubtful or bad: as the worst of the measures says. A case that was brought over from another grid is not
/// doubtful for that alone, but says so among the reasons where it is doubtful anyway.
Verdict judge(const CaseEvidence& evidence, const TrustLimits& limits);

/// How many cases are good, doubtful and bad.
struct TrustCounts {
    std::size_t good = 0, doubtful = 0, bad = 0;

    void add(Trust trust);
    /// "97 good, 2 doubtful, 1 bad".
    std::string text() const;
};

/// Numbers that sum up a case, by name.
using CaseFeatures = std::map<std::string, double>;

/// A result as it was judged, case by case.
struct ResultVerdicts {
    std::vector<Verdict> cases;
    std::vector<CaseEvidence> evidence;
    std::vector<CaseFeatures> features;        ///< what expected errors are computed from
    std::vector<std::vector<double>> balance;  ///< CO2 found per CO2 injected, by case and time; empty without
    /// Of a model with calibrated intervals: figures of each case by name, at each time; empty where it has none.
    std::vector<std::map<std::string, std::vector<double>>> figures;

    /// Of a result with bands of fields: why each case has none, empty for those that have; else no entries.
    std::vector<std::string> band_notes;

    /// CO2 injected until each time [N * T, times fastest] [Mt], where limits of the pressure in wells may make it less
    /// than was asked for; else empty.
    std::vector<float> injected;

    TrustCounts counts() const;
    /// Says that cases are bad, as an error at the end of a run whose result is there: "OUT.h5: cases 3 and 7 are bad
    /// ...". Throws InvalidData where one is.
    void require_none_bad(const std::string& result) const;
};

}  // namespace plumecast
