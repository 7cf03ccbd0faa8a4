#include "reservoir/physics/connections/box_transmissibilities.hpp"

#include "reservoir/physics/cylinder.hpp"

namespace plumecast {
namespace {

double width(const std::vector<double>& edges, std::size_t place) { return edges[place + 1] - edges[place]; }

/// Through an area between the centres of two cells.
double transmissibility(double area, double length, double permeability, double next_length, double next_permeability) {
    return cylinder::darcy * area / (0.5 * length / permeability + 0.5 * next_length / next_permeability);
}

}  // namespace

CellConnections box_transmissibilities(const BoxCase& box) {
    CellConnections flow;
    for (std::vector<double>* direction : {&flow.x, &flow.y, &flow.z}) {
        direction->resize(box.cells());
    }
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t column = cell % box.columns(), line = cell % box.plane() / box.columns();
        const std::size_t row = cell / box.plane();
        const double dx = width(box.x_edges, column), dy = width(box.y_edges, line), dz = width(box.z_edges, row);
        const auto between = [&](std::size_t next, double area, double length, double next_length,
                                 const std::vector<double>& permeability) {
            const bool flows = box.active[cell] != 0 && box.active[next] != 0;
            return flows ? transmissibility(area, length, permeability[cell], next_length, permeability[next]) : 0.0;
        };
        if (column + 1 < box.columns()) {
            flow.x[cell] = between(cell + 1, dy * dz, dx, width(box.x_edges, column + 1), box.permeability_x);
        }
        if (line + 1 < box.lines()) {
            flow.y[cell] = between(cell + box.columns(), dx * dz, dy, width(box.y_edges, line + 1), box.permeability_y);
        }
        if (row + 1 < box.rows()) {
            flow.z[cell] = between(cell + box.plane(), dy * dx, dz, width(box.z_edges, row + 1), box.permeability_z);
        }
    }
    return flow;
}

std::vector<double> box_pore_volumes(const BoxCase& box) {
    std::vector<double> result(box.cells());
    for (std::size_t cell = 0; cell < box.cells(); ++cell) {
        const std::size_t column = cell % box.columns(), line = cell % box.plane() / box.columns();
        const bool at_side = line == 0 || column == 0 || line + 1 == box.lines() || column + 1 == box.columns();
        if (box.active[cell] == 0) {
            continue;
        }
        if (!box.pore_volume.empty()) {
            result[cell] = box.pore_volume[cell];
            continue;
        }
        const double area = width(box.y_edges, line) * width(box.x_edges, column) * (at_side ? box.aquifer : 1.0);
        const double volume =
            box.cell_volume.empty() ? area * width(box.z_edges, cell / box.plane()) : box.cell_volume[cell];
        result[cell] = volume * box.porosity[cell];
    }
    return result;
}

}  // namespace plumecast
