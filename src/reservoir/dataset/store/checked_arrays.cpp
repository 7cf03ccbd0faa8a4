#include "reservoir/dataset/store/checked_arrays.hpp"

#include <cmath>
#include <optional>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

void check_units(const DatasetStore& store, const ArraySpec& spec) {
    const std::optional<std::string> units = store.text(spec.path, "units");
    if (!units || !spec.accepts(*units)) {
        const std::string found = units ? *units : store.attribute_text(spec.path, "units");
        throw InvalidData(store.name() + ": " + spec.path + " has units " + found + " (the format wants " + spec.unit +
                          "); convert the values and " +
                          (store.is_file() ? "set the attribute units" : "state their unit, " + spec.unit));
    }
}

StoredArray checked_info(const DatasetStore& store, const ArraySpec& spec) {
    StoredArray info = store.info(spec.path);
    if (!info.is_number) {
        throw InvalidData(store.name() + ": " + spec.path + " holds no numbers; store it as " + spec.long_name +
                          " in " + spec.unit);
    }
    if (info.extents.size() != spec.axes.size()) {
        throw InvalidData(store.name() + ": " + spec.path + " has " + std::to_string(info.extents.size()) +
                          " axes (the format wants " + std::to_string(spec.axes.size()) + "); reshape it");
    }
    check_units(store, spec);
    return info;
}

std::vector<double> increasing(const DatasetStore& store, const ArraySpec& spec, std::size_t fewest) {
    const StoredArray info = checked_info(store, spec);
    std::vector<double> values = store.read<double>(spec.path);
    if (values.size() < fewest) {
        throw InvalidData(store.name() + ": " + spec.path + " has " + std::to_string(values.size()) +
                          " entries (at least " + std::to_string(fewest) + " are needed); complete it");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || (i > 0 && values[i] <= values[i - 1])) {
            throw InvalidData(store.name() + ": " + spec.path + " entry " + std::to_string(i) +
                              " does not increase or is not finite (the axis must be sorted); sort it");
        }
    }
    return values;
}

}  // namespace plumecast
