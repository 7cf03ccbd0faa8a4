#include <plumecast/metrics/plume.hpp>

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

namespace {

void check_sizes(const Shape& field, const Shape& active, std::size_t r_edges, std::size_t z_edges) {
    const bool fits = field.rank() == 3 && active == field.slice(0, 2) &&
                      z_edges == static_cast<std::size_t>(field[0]) + 1 &&
                      r_edges == static_cast<std::size_t>(field[1]) + 1;
    if (!fits) {
        throw InvalidInput("gas saturation " + field.text() + ", active " + active.text() + ", " +
                           std::to_string(r_edges) + " r_edges and " + std::to_string(z_edges) +
                           " z_edges do not fit (they are [Z, R, T], [Z, R], R + 1 and Z + 1); give one grid");
    }
}

PlumeSize size_at(const float* saturation, const float* active, const Shape& shape, std::span<const double> r_edges,
                  std::span<const double> z_edges, double threshold) {
    PlumeSize size;
    double top = z_edges.back();
    double bottom = z_edges.front();
    for (std::int64_t r = 0; r < shape[1]; ++r) {
        const auto ring = static_cast<std::size_t>(r);
        bool covered = false;
        for (std::int64_t z = 0; z < shape[0]; ++z) {
            const std::int64_t cell = z * shape[1] + r;
            if (active[cell] == 0.0F || !(static_cast<double>(saturation[cell * shape[2]]) > threshold)) {
                continue;
            }
            covered = true;
            top = std::min(top, z_edges[static_cast<std::size_t>(z)]);
            bottom = std::max(bottom, z_edges[static_cast<std::size_t>(z) + 1]);
        }
        if (covered) {
            const double inner = r_edges[ring];
            const double outer = r_edges[ring + 1];
            size.radius = outer;
            size.area += std::numbers::pi * (outer * outer - inner * inner);
        }
    }
    size.thickness = std::max(0.0, bottom - top);
    return size;
}

}  // namespace

std::vector<PlumeSize> plume_sizes(ConstView gas_saturation, ConstView active, std::span<const double> r_edges,
                                   std::span<const double> z_edges, double threshold) {
    const Shape& shape = gas_saturation.shape;
    check_sizes(shape, active.shape, r_edges.size(), z_edges.size());
    std::vector<PlumeSize> sizes;
    for (std::int64_t t = 0; t < shape[2]; ++t) {
        sizes.push_back(
            size_at(gas_saturation.as<float>() + t, active.as<float>(), shape, r_edges, z_edges, threshold));
    }
    return sizes;
}

}  // namespace plumecast
