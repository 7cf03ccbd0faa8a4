#include "plotting/colour_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plumecast {

namespace {

// A colour in the polar form of Oklab; hue in degrees.
struct Polar {
    double lightness;
    double chroma;
    double hue;
};

double companded(double linear) {
    const double value = std::clamp(linear, 0.0, 1.0);
    return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
}

// The matrices of B. Ottosson, "A perceptual color space for image processing" (2020).
Colour from_oklab(const Polar& polar) {
    const double angle = polar.hue * std::numbers::pi / 180.0;
    const double a = polar.chroma * std::cos(angle);
    const double b = polar.chroma * std::sin(angle);
    const double l = std::pow(polar.lightness + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    const double m = std::pow(polar.lightness - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    const double s = std::pow(polar.lightness - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    return {companded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            companded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            companded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// Lightness rises in a straight line while the hue runs the short way from violet to yellow.
Colour sequential(double x) {
    const double hue = 302.0 - 194.0 * x;
    const double chroma = 0.12 - 0.1 * x + 0.15 * x * x;
    return from_oklab({0.27 + 0.65 * x, chroma, hue});
}

Colour diverging(double x) {
    const double away = std::abs(2.0 * x - 1.0);
    const double chroma = 0.17 * std::sin(0.5 * std::numbers::pi * std::min(1.0, 1.1 * away));
    return from_oklab({0.975 - 0.52 * away, chroma, x < 0.5 ? 255.0 : 28.0});
}

}  // namespace

Colour colour_at(ColourMap map, double fraction) {
    const double x = std::clamp(fraction, 0.0, 1.0);
    return map == ColourMap::sequential ? sequential(x) : diverging(x);
}

}  // namespace plumecast
