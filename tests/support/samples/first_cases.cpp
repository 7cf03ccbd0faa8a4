#include "support/samples/first_cases.hpp"

#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast::testing {

DatasetContent first_cases(const std::string& path, std::int64_t count) {
    const Dataset dataset(path);
    DatasetContent content{{}, dataset.r_edges(), dataset.z_edges(), dataset.times(),
                           {}, dataset.x_edges(), dataset.y_edges()};
    for (const char* name : {"residual_gas_saturation", "entry_pressure", "rock_compressibility",
                             "initial_brine_temperature", "origin", "rotation"}) {
        if (const std::string text = dataset.attribute(name); !text.empty()) {
            content.attributes[name] = text;
        }
    }
    for (const ArraySpec& spec : dataset_arrays(dataset.geometry())) {
        std::vector<float>& values = content.arrays[std::string(spec.name())];
        if (spec.role == Role::map && dataset.has(spec.name())) {
            for (std::int64_t which = 0; which < count; ++which) {
                std::vector<float> one(static_cast<std::size_t>(dataset.cells()));
                dataset.read_map(spec.name(), {&which, 1}, one);
                values.insert(values.end(), one.begin(), one.end());
            }
        } else if (spec.role == Role::scalar && dataset.has(spec.name())) {
            values = dataset.scalar(spec.name());
            values.resize(static_cast<std::size_t>(count));
        }
        if (values.empty()) {
            content.arrays.erase(std::string(spec.name()));
        }
    }
    return content;
}

}  // namespace plumecast::testing
