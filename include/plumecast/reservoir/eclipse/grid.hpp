#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumecast::eclipse {

/// A place in the coordinates of a grid [m]; z is depth.
struct Point {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
};

/// Corners of a cell: four at the top, (i, j), (i+1, j), (i, j+1), (i+1, j+1), then the four below them.
using Corners = std::array<Point, 8>;

/// Number of a cell along i, j and k.
struct CellIndex {
    std::int64_t i = 0;
    std::int64_t j = 0;
    std::int64_t k = 0;
};

/// Corners of a cell of a grid as COORD and ZCORN hold it: `pillars` [6 (nx+1) (ny+1)], top and bottom point of each,
/// and `depths` [2 nz, 2 ny, 2 nx] at which cells meet them. Number is float or double.
template <class Number>
Corners corners_on_pillars(const std::array<std::int64_t, 3>& extents, const std::vector<Number>& pillars,
                           const std::vector<Number>& depths, CellIndex cell);

/// A corner-point grid of nx x ny x nz cells; arrays over cells run i fastest, then j, then k downwards.
class CornerPointGrid {
   public:
    /// Of pillars [6 (nx+1) (ny+1)], top and bottom point of each, and corner depths [8 nx ny nz], both as COORD and
    /// ZCORN hold them [m]. Throws InvalidInput when the sizes do not fit.
    static CornerPointGrid of_pillars(std::array<std::int64_t, 3> extents, std::vector<double> pillars,
                                      std::vector<double> depths);
    /// Of explicit corners, 24 numbers per cell. Throws InvalidInput when the size does not fit.
    static CornerPointGrid of_corners(std::array<std::int64_t, 3> extents, std::vector<double> corners);

    std::int64_t nx() const { return extents_[0]; }
    std::int64_t ny() const { return extents_[1]; }
    std::int64_t nz() const { return extents_[2]; }
    std::int64_t cells() const { return nx() * ny() * nz(); }

    /// 1 for active cells [cells]; all of them unless set otherwise.
    const std::vector<std::uint8_t>& active() const { return active_; }
    void set_active(std::vector<std::uint8_t> active);
    /// x and y of the pillars are radius [m] and angle [degree].
    bool is_cylindrical() const { return is_cylindrical_; }
    void set_cylindrical(bool is_cylindrical) { is_cylindrical_ = is_cylindrical; }

    Corners corners(std::int64_t i, std::int64_t j, std::int64_t k) const;
    std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const { return (k * ny() + j) * nx() + i; }

   private:
    std::array<std::int64_t, 3> extents_{};
    std::vector<double> pillars_;
    std::vector<double> depths_;
    std::vector<double> corners_;  // instead of pillars and depths
    std::vector<std::uint8_t> active_;
    bool is_cylindrical_ = false;
};

/// Volume [m3] of the cell whose faces are bilinear between the corners: the integral of the Jacobian of the trilinear
/// map, exact by two Gauss points per axis.
double volume(const Corners& corners);
/// Mean of the corners.
Point centre(const Corners& corners);

/// Reads the main grid of an EGRID or GRID file, formatted or not; local refinements are left out. Lengths become
/// metres by the file's GRIDUNIT, else by `metres`. Throws InvalidData naming file and byte or keyword, IoError.
CornerPointGrid read_grid(const std::filesystem::path& path, double metres = 1.0);

/// Metres in a unit of length by the name that files give it, "METRES", "FEET" or "CM"; 0 for another name.
double metres_in(const std::string& unit);

}  // namespace plumecast::eclipse
