#pragma once

namespace plumecast {

/// A colour in sRGB, each part in [0, 1].
struct Colour {
    double red = 0.0;
    double green = 0.0;
    double blue = 0.0;

    friend bool operator==(const Colour&, const Colour&) = default;
};

/// How a value becomes a colour.
enum class ColourMap {
    sequential,  ///< Dark violet over teal to light yellow, lightness growing evenly.
    diverging    ///< Blue over white to red, for errors about zero.
};

/// Colour at a fraction of the map, 0 the low end and 1 the high end; clamped outside. The colours are evenly spaced
/// in Oklab (Ottosson 2020), so equal steps in value look equally large.
Colour colour_at(ColourMap map, double fraction);

}  // namespace plumecast
