#include "reservoir/batches/data_kind.hpp"

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {

void require_kind(const Dataset& dataset, const std::vector<Channel>& channels) {
    const bool is_generic = dataset.geometry() == Geometry::generic;
    for (const Channel& channel : channels) {
        if (is_path(channel.source) == is_generic) {
            continue;
        }
        if (is_generic) {
            throw InvalidData(dataset.path() + ": holds generic data (the network reads " + channel.source +
                              " of reservoirs); give reservoirs, or train a network on such data");
        }
        throw InvalidData(dataset.path() + ": no input " + channel.source +
                          " (the network reads it of generic data, and these are reservoirs); give data that have it");
    }
}

}  // namespace plumecast
