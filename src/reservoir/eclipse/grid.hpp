#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// How the axes of a grid lie on the map (MAPAXES).
struct MapAxes {
    std::array<double, 2> origin{};           ///< [m]
    std::array<double, 2> along_x{1.0, 0.0};  ///< direction of the grid's x axis, of length 1
    std::array<double, 2> along_y{0.0, 1.0};

    /// A point of the grid in coordinates of the map.
    Point on_map(Point point) const;
};

/// Axes by the six numbers of MAPAXES: a point on the y axis, the origin, a point on the x axis, in units of `metres`;
/// nothing when the points coincide. Throws InvalidData naming `place` for another count or axes that are not
/// perpendicular.
std::optional<MapAxes> map_axes_of(std::span<const double> points, double metres, const std::string& place);

/// Places of two cells in the arrays of a grid.
using CellPair = std::pair<std::int64_t, std::int64_t>;

/// A local refinement of a grid.
struct LocalGrid {
    std::string name;
    std::int64_t cells = 0;
    std::int64_t hosts = 0;  ///< cells of the main grid in whose place they stand; 0 when not known
};

/// A corner-point grid of nx x ny x nz cells; arrays over cells run i fastest, then j, then k downwards.
class CornerPointGrid {
   public:
    /// Of pillars [6 (nx+1) (ny+1)], top and bottom point of each, and corner depths [8 nx ny nz], both as COORD and
    /// ZCORN hold them [m]. Throws InvalidInput when the sizes do not fit.
    static CornerPointGrid of_pillars(std::array<std::int64_t, 3> extents, std::vector<double> pillars,
                                      std::vector<double> depths);
    /// Of explicit corners of some cells: `places` [cells] tells which 24 numbers are a cell's, -1 for a cell without,
    /// which has no volume and is not active. Throws InvalidInput when the sizes do not fit.
    static CornerPointGrid of_some_corners(std::array<std::int64_t, 3> extents, std::vector<double> corners,
                                           std::vector<std::int64_t> places);

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

    /// How the grid lies on the map; nothing when no file says, or when its coordinates are those of the map.
    const std::optional<MapAxes>& map_axes() const { return map_axes_; }
    void set_map_axes(const std::optional<MapAxes>& axes) { map_axes_ = axes; }
    /// Local refinements, of which nothing but this is read.
    const std::vector<LocalGrid>& local_grids() const { return local_grids_; }
    void set_local_grids(std::vector<LocalGrid> grids) { local_grids_ = std::move(grids); }
    /// Pairs of cells that are connected though they are no neighbours by their indices (NNC1, NNC2), in the order of
    /// the file.
    const std::vector<CellPair>& distant_connections() const { return distant_connections_; }
    void set_distant_connections(std::vector<CellPair> pairs) { distant_connections_ = std::move(pairs); }

    /// Whether the corners of a cell are known; GRID files may leave out inactive cells.
    bool has_corners(std::int64_t i, std::int64_t j, std::int64_t k) const {
        return places_.empty() || places_[static_cast<std::size_t>(index(i, j, k))] >= 0;
    }
    /// Pillars and corner depths as of_pillars() takes them; empty for a grid of explicit corners.
    const std::vector<double>& pillars() const { return pillars_; }
    const std::vector<double>& corner_depths() const { return depths_; }
    /// Corners of a cell; all of them at 0 where they are not known.
    Corners corners(std::int64_t i, std::int64_t j, std::int64_t k) const;
    /// Volume of a cell [m3], a sector of a ring in cylindrical coordinates; 0 where its corners are not known.
    double volume(std::int64_t i, std::int64_t j, std::int64_t k) const;
    std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const { return (k * ny() + j) * nx() + i; }

   private:
    std::array<std::int64_t, 3> extents_{};
    std::vector<double> pillars_;
    std::vector<double> depths_;
    std::vector<double> corners_;       // instead of pillars and depths
    std::vector<std::int64_t> places_;  // of the cells in corners_; empty when each has its own
    std::optional<MapAxes> map_axes_;
    std::vector<LocalGrid> local_grids_;
    std::vector<CellPair> distant_connections_;
    std::vector<std::uint8_t> active_;
    bool is_cylindrical_ = false;
};

/// Volume [m3] of the cell whose faces are bilinear between the corners: the integral of the Jacobian of the trilinear
/// map, exact by two Gauss points per axis.
double volume(const Corners& corners);
/// The same with its sign: negative where the corners do not turn as x, y and depth do, so that cells of one grid which
/// differ in it are folded [m3].
double signed_volume(const Corners& corners);
/// Mean of the corners.
Point centre(const Corners& corners);

/// Reads the main grid of an EGRID or GRID file, formatted or not; of local refinements name and size. Lengths become
/// metres by the file's GRIDUNIT, else by `metres`. Throws InvalidData naming file and byte or keyword, IoError.
CornerPointGrid read_grid(const std::filesystem::path& path, double metres = 1.0);

/// Metres in a unit of length by the name that files give it, "METRES", "FEET" or "CM"; 0 for another name.
double metres_in(const std::string& unit);

}  // namespace plumecast::eclipse
