#include "reservoir/physics/single_phase/front.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace plumecast {
namespace {

/// Share of a ring's area within its middle.
double inner_share(const RadialCase& radial, std::size_t column) {
    const double inner = radial.r_edges[column];
    const double outer = radial.r_edges[column + 1];
    const double half = 0.5 * (inner + outer);
    return (half - inner) * (half + inner) / ((outer - inner) * (outer + inner));
}

bool is_alike(double mobility_ratio) { return std::abs(mobility_ratio - 1.0) < 1e-9; }

}  // namespace

PoresWithin::PoresWithin(const RadialCase& radial, const RadialConnections& connections) {
    double sum = 0.0;
    for (std::size_t column = 0; column < radial.columns(); ++column) {
        double ring = 0.0;
        for (std::size_t row = 0; row < radial.rows(); ++row) {
            ring += connections.pore_volume[row * radial.columns() + column];
        }
        middle.push_back(sum + ring * inner_share(radial, column));
        sum += ring;
        edge.push_back(sum);
    }
}

std::vector<double> ring_cotangents(const RadialCase& radial, const PoresWithin& within) {
    std::vector<double> cotangents(radial.columns());
    double beyond = 0.0;
    for (std::size_t column = radial.columns(); column-- > 0;) {
        cotangents[column] = within.middle[column] * inner_share(radial, column) + within.edge[column] + beyond;
        beyond += within.middle[column] + within.edge[column];
    }
    return cotangents;
}

double front_height(double filled, double mobility_ratio) {
    if (filled <= 0.0) {
        return 1.0;
    }
    if (is_alike(mobility_ratio)) {
        return filled < 1.0 ? 1.0 : 0.0;
    }
    return std::clamp((std::sqrt(mobility_ratio / filled) - 1.0) / (mobility_ratio - 1.0), 0.0, 1.0);
}

FrontSlopes front_height_slopes(double filled, double mobility_ratio) {
    const double height = front_height(filled, mobility_ratio);
    if (is_alike(mobility_ratio) || height <= 0.0 || height >= 1.0) {
        return {};
    }
    const double above = mobility_ratio - 1.0;
    const double root = std::sqrt(mobility_ratio / filled);
    return {-0.5 * root / (filled * above), (0.5 * root / mobility_ratio - height) / above};
}

}  // namespace plumecast
