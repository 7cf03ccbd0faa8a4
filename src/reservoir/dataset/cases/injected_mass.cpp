#include "reservoir/dataset/cases/injected_mass.hpp"

#include <cmath>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/h5/stored_meaning.hpp"

namespace plumecast {

std::vector<float> injected_mass(const Dataset& dataset) {
    if (!dataset.is_file()) {
        return {};
    }
    const h5::File file = h5::File::open(dataset.path());
    const std::string array = "/case/" + std::string(injected_mass_name);
    if (!file.has(array)) {
        return {};
    }
    if (file.info(array).extents != std::vector<std::int64_t>{dataset.cases(), dataset.snapshots()} ||
        file.text(array, "units") != "Mt") {
        throw InvalidData(
            dataset.path() + ": " + array +
            " is not [cases, times] in Mt (it is what was injected until each time); correct or remove it");
    }
    std::vector<double> stored = file.read<double>(array);
    h5::StoredMeaning(file, array).apply(stored);
    std::vector<float> masses(stored.begin(), stored.end());
    for (const float mass : masses) {
        if (!std::isfinite(mass) || mass < 0.0F) {
            throw InvalidData(dataset.path() + ": " + array +
                              " holds a value that is negative or not finite (it is a mass); correct or remove it");
        }
    }
    return masses;
}

}  // namespace plumecast
