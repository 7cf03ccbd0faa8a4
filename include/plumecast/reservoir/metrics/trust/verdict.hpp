#pragma once

#include <cstddef>
#include <cstdint>
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

/// What is known of the fields of a case; what is not known is left out.
struct CaseEvidence {
    bool is_finite = true;       ///< in all active cells
    std::string farthest_input;  ///< the input that lies farthest outside its training range
    double outside = 0.0;        ///< how far, in widths of the range
    std::optional<double> distance;
    std::optional<double> balance;
    std::optional<double> reach;
    std::vector<ExpectedError> expected;
    double largest_buildup = 0.0;     ///< [bar]
    std::optional<double> rock_load;  ///< pressure per pressure at which any rock breaks, at worst
    /// CO2 that brine beside gas is said to hold beyond or below what it can, per CO2 injected, at the worst time: a
    /// balance that is closed by dissolved CO2 hides there what saturation has wrong.
    std::optional<double> absorbed;
    double dissolved_ratio = 1.0;         ///< at that time, what it is said to hold per what it can
    double last_time = 0.0;               ///< [day]
    double trained_time = 0.0;            ///< last time of the training [day]; 0 where not known
    std::optional<double> buildup_limit;  ///< [bar] asked for
    bool is_resampled = false;            ///< from another grid or other times
};

/// A verdict, with a short reason for each measure that is beyond its limit, the worst first.
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

}  // namespace plumecast
