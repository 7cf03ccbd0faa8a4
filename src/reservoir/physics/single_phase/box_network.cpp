#include "reservoir/physics/single_phase/box_network.hpp"

#include "reservoir/physics/cylinder.hpp"

namespace plumecast {
namespace {

double width(const std::vector<double>& edges, std::size_t place) { return edges[place + 1] - edges[place]; }

/// Transmissibility through an area between the centres of two cells.
double transmissibility(double area, double length, double permeability, double next_length, double next_permeability) {
    return cylinder::darcy * area / (0.5 * length / permeability + 0.5 * next_length / next_permeability);
}

/// Appends what connects the columns `at` and `next`, which lie beside each other along x or y.
void add_link(ColumnNetwork& network, const BoxCase& box, std::size_t at, std::size_t next) {
    const bool along_x = box.columns() > 1 && next == at + 1;
    const std::size_t line = at / box.columns(), column = at % box.columns();
    const auto& edges = along_x ? box.x_edges : box.y_edges;
    const auto& permeability = along_x ? box.permeability_x : box.permeability_y;
    const double across = along_x ? width(box.y_edges, line) : width(box.x_edges, column);
    const std::size_t along = along_x ? column : line;
    network.links.push_back({at, next});
    for (std::size_t row = 0; row < network.rows; ++row) {
        const std::size_t cell = row * box.plane() + at, beside = row * box.plane() + next;
        const bool flows = box.active[cell] != 0 && box.active[beside] != 0;
        network.lateral.push_back(flows ? transmissibility(across * width(box.z_edges, row), width(edges, along),
                                                           permeability[cell], width(edges, along + 1),
                                                           permeability[beside])
                                        : 0.0);
    }
}

std::vector<double> vertical_transmissibilities(const BoxCase& box) {
    std::vector<double> result(box.cells());
    for (std::size_t at = 0; at < box.plane(); ++at) {
        const double area = width(box.y_edges, at / box.columns()) * width(box.x_edges, at % box.columns());
        for (std::size_t row = 1; row < box.rows(); ++row) {
            const std::size_t cell = row * box.plane() + at, above = cell - box.plane();
            if (box.active[cell] != 0 && box.active[above] != 0) {
                result[at * box.rows() + row] =
                    transmissibility(area, width(box.z_edges, row - 1), box.permeability_z[above],
                                     width(box.z_edges, row), box.permeability_z[cell]);
            }
        }
    }
    return result;
}

}  // namespace

ColumnNetwork box_network(const BoxCase& box) {
    ColumnNetwork network;
    network.rows = box.rows();
    network.columns = box.plane();
    network.vertical = vertical_transmissibilities(box);
    for (std::size_t at = 0; at < network.columns; ++at) {
        if (at % box.columns() + 1 < box.columns()) {
            add_link(network, box, at, at + 1);
        }
    }
    for (std::size_t at = 0; at + box.columns() < network.columns; ++at) {
        add_link(network, box, at, at + box.columns());
    }
    return network;
}

std::vector<double> box_pore_volumes(const BoxCase& box) {
    std::vector<double> result(box.cells());
    for (std::size_t at = 0; at < box.plane(); ++at) {
        const std::size_t line = at / box.columns(), column = at % box.columns();
        const bool at_side = line == 0 || column == 0 || line + 1 == box.lines() || column + 1 == box.columns();
        const double area = width(box.y_edges, line) * width(box.x_edges, column) * (at_side ? box.aquifer : 1.0);
        for (std::size_t row = 0; row < box.rows(); ++row) {
            const std::size_t cell = row * box.plane() + at;
            if (!box.pore_volume.empty()) {
                result[at * box.rows() + row] = box.active[cell] != 0 ? box.pore_volume[cell] : 0.0;
                continue;
            }
            const double volume = box.cell_volume.empty() ? area * width(box.z_edges, row) : box.cell_volume[cell];
            result[at * box.rows() + row] = box.active[cell] != 0 ? volume * box.porosity[cell] : 0.0;
        }
    }
    return result;
}

}  // namespace plumecast
