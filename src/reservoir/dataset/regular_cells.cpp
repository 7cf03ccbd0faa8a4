#include "reservoir/dataset/regular_cells.hpp"

#include <cmath>
#include <cstddef>

namespace plumecast {
namespace {

constexpr double tolerance = 1e-3;  // of volumes and widths

/// An axis of the box: the centres that cells state along it, and its edges.
struct BoxAxis {
    const std::vector<float>& stated;
    const std::vector<double>& edges;

    double width(std::size_t place) const { return edges[place + 1] - edges[place]; }
    bool fits(std::size_t cell, std::size_t place) const {
        const double middle = 0.5 * (edges[place] + edges[place + 1]);
        return stated.empty() || std::abs(static_cast<double>(stated[cell]) - middle) <= tolerance * width(place);
    }
};

}  // namespace

bool is_box(const BoxCells& cells) {
    const BoxAxis x{cells.centre_x, cells.x_edges}, y{cells.centre_y, cells.y_edges}, z{cells.centre_z, cells.z_edges};
    const std::size_t columns = x.edges.size() - 1, lines = y.edges.size() - 1, rows = z.edges.size() - 1;
    for (std::size_t cell = 0; cell < rows * lines * columns; ++cell) {
        const std::size_t i = cell % columns, j = cell / columns % lines, k = cell / columns / lines;
        const double volume = x.width(i) * y.width(j) * z.width(k);
        const double stated = cells.volumes.empty() ? volume : static_cast<double>(cells.volumes[cell]);
        const bool fits =
            std::abs(stated - volume) <= tolerance * volume && x.fits(cell, i) && y.fits(cell, j) && z.fits(cell, k);
        if (stated > 0.0 && !fits) {
            return false;
        }
    }
    return true;
}

}  // namespace plumecast
