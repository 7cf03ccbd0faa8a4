#pragma once

namespace plumecast {

/// A point seen from above [m].
struct MapPoint {
    double x = 0.0;
    double y = 0.0;
};

/// A rectangle along the axes, or around something that is turned against them [m].
struct Rectangle {
    double low_x = 0.0;
    double high_x = 0.0;
    double low_y = 0.0;
    double high_y = 0.0;

    double area() const { return (high_y - low_y) * (high_x - low_x); }
    MapPoint centre() const { return {0.5 * (low_x + high_x), 0.5 * (low_y + high_y)}; }
};

/// Brings points from axes that are turned anticlockwise against others to those, about their common zero.
struct Turn {
    double cos = 1.0;
    double sin = 0.0;

    /// Exact for multiples of 90 degrees (within 1e-9).
    static Turn by(double degrees);

    bool is_none() const { return cos == 1.0; }
    /// Whether axes stay axes, though maybe others.
    bool is_parallel() const { return cos == 0.0 || sin == 0.0; }
    Turn back() const { return {cos, -sin}; }
    MapPoint of(MapPoint point) const { return {cos * point.x - sin * point.y, sin * point.x + cos * point.y}; }
    /// The least rectangle around one that is turned.
    Rectangle around(const Rectangle& rectangle) const;
};

}  // namespace plumecast
