#include "reservoir/physics/single_phase/radial_network.hpp"

namespace plumecast {

ColumnNetwork radial_network(const RadialCase& radial, const RadialConnections& connections) {
    ColumnNetwork network;
    network.rows = active_rows(radial);
    network.columns = radial.columns();
    network.vertical.resize(network.columns * network.rows);
    for (std::size_t column = 0; column < network.columns; ++column) {
        network.order.push_back(network.columns - 1 - column);
        if (column > 0) {
            network.links.push_back({column, column - 1});
        }
        for (std::size_t row = 0; row < network.rows; ++row) {
            if (column > 0) {
                network.lateral.push_back(connections.radial[row * (network.columns - 1) + column - 1]);
            }
            if (row > 0) {
                network.vertical[column * network.rows + row] =
                    connections.vertical[(row - 1) * network.columns + column];
            }
        }
    }
    network.well_columns = {0};
    network.wells.assign(connections.well.begin(),
                         connections.well.begin() + static_cast<std::ptrdiff_t>(network.rows));
    return network;
}

std::vector<double> radial_capacity(const RadialCase& radial, const RadialConnections& connections,
                                    double compressibility) {
    const std::size_t rows = active_rows(radial);
    const std::size_t columns = radial.columns();
    std::vector<double> capacity(rows * columns);
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < rows; ++row) {
            const double volume = connections.pore_volume[row * columns + column];
            capacity[column * rows + row] = volume > 0.0 ? volume * compressibility : 1.0;
        }
    }
    return capacity;
}

}  // namespace plumecast
