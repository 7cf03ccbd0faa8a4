#pragma once

#include <string>
#include <vector>

namespace plumecast {

/// Round values (1, 2 or 5 times a power of ten apart) inside [low, high], near `count` of them. Either end may be the
/// larger; an interval without length gives that one value. Throws InvalidInput for an end that is not finite.
std::vector<double> linear_ticks(double low, double high, int count);

/// Powers of ten inside [low, high]; when fewer than three fall inside, also 2 and 5 times them. Throws InvalidInput
/// unless 0 < low <= high and both are finite.
std::vector<double> logarithmic_ticks(double low, double high);

/// Short text of a tick, with the digits that a distance `step` to the next one needs: "0.25", "1500", "2e-05".
std::string tick_text(double value, double step);

/// "12 hours", "10 days", "1.8 years", "30 years": time since the start of injection as a reader says it.
std::string time_text(double days);

/// A range of values on a range of pixels.
struct PlotAxis {
    double low = 0.0;
    double high = 1.0;
    double begin = 0.0;  ///< Pixel of low.
    double end = 1.0;    ///< Pixel of high.
    bool logarithmic = false;

    /// Pixel of a value, unclamped.
    double position(double value) const;
    /// Value at a pixel, unclamped.
    double value(double position) const;
    /// Ticks of the range: about one per `spacing` pixels, or logarithmic_ticks() where there are three of them.
    std::vector<double> ticks(double spacing) const;
    /// Text of one of `ticks`.
    std::string text(double tick, const std::vector<double>& ticks) const;
};

}  // namespace plumecast
