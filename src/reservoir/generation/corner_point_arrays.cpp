#include "reservoir/generation/corner_point_arrays.hpp"

#include <map>
#include <utility>

namespace plumecast {
namespace {

/// Pairs of cells of all rows that faults bring together, the lesser place first.
std::vector<BoxConnection> pairs_of(const CornerPoints& shape) {
    const std::vector<double> one(shape.cells(), 1.0);
    return corner_point_connections(shape, {one, one, one, std::vector<char>(shape.cells(), 1)}).apart;
}

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

std::optional<double> stated_aquifer(const GeneratorConfiguration& configuration) {
    const bool has_sides = configuration.box && !configuration.box->topography;
    return has_sides ? std::optional(configuration.box->aquifer) : std::nullopt;
}

CaseArrays corner_point_frame(const BoxGrid& box, const CornerPoints& shape) {
    CaseArrays frame;
    const std::vector<double> x = centres_of(box.x_edges), y = centres_of(box.y_edges);
    const double volume =
        (box.x_edges[1] - box.x_edges[0]) * (box.y_edges[1] - box.y_edges[0]) * (box.z_edges[1] - box.z_edges[0]);
    for (std::size_t cell = 0; cell < shape.cells(); ++cell) {
        frame["cell_volume"].push_back(static_cast<float>(volume));
        frame["cell_centre_x"].push_back(static_cast<float>(x[cell % box.columns()]));
        frame["cell_centre_y"].push_back(static_cast<float>(y[cell / box.columns() % box.lines()]));
        frame["cell_centre_z"].push_back(static_cast<float>(shape.centre_depth(cell)));
    }
    frame["pillars"] = floats(shape.pillars);
    frame["corner_depths"] = floats(shape.depths);
    for (const BoxConnection& pair : pairs_of(shape)) {
        frame["connection_first"].push_back(static_cast<float>(pair.first));
        frame["connection_second"].push_back(static_cast<float>(pair.second));
        frame["connection_transmissibility"] = {};  // every case has values, as of the others
    }
    for (const char* name : {"pore_volume", "transmissibility_x", "transmissibility_y", "transmissibility_z"}) {
        frame[name] = {};
    }
    return frame;
}

void add_corner_point_arrays(const BoxReservoir& reservoir, CaseArrays& arrays) {
    const std::size_t cells = reservoir.grid.cells();
    const CellConnections flow = reservoir.connections();
    arrays["pore_volume"] = over_all_rows(cells, reservoir.pore_volumes());
    arrays["transmissibility_x"] = over_all_rows(cells, flow.x);
    arrays["transmissibility_y"] = over_all_rows(cells, flow.y);
    arrays["transmissibility_z"] = over_all_rows(cells, flow.z);
    std::map<std::pair<std::size_t, std::size_t>, double> apart;
    for (const BoxConnection& one : flow.apart) {
        apart[{one.first, one.second}] = one.transmissibility;
    }
    std::vector<float>& values = arrays["connection_transmissibility"];
    for (const BoxConnection& pair : pairs_of(*reservoir.corner_points)) {
        const auto found = apart.find({pair.first, pair.second});
        values.push_back(found == apart.end() ? 0.0F : static_cast<float>(found->second));
    }
}

}  // namespace plumecast
