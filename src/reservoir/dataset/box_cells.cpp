#include "reservoir/dataset/box_cells.hpp"

namespace plumecast {

bool is_box(const Dataset& dataset) {
    return is_box({dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), dataset.cell_values("cell_volume"),
                   dataset.cell_values("cell_centre_x"), dataset.cell_values("cell_centre_y"),
                   dataset.cell_values("cell_centre_z")});
}

}  // namespace plumecast
