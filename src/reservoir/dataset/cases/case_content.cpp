#include "reservoir/dataset/cases/case_content.hpp"

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/rock_fluid.hpp"

namespace plumecast {
namespace {

std::vector<float> rows_of_cases(const std::vector<float>& all, std::int64_t cases, std::int64_t first,
                                 std::int64_t count) {
    const auto per_case = static_cast<std::int64_t>(all.size()) / cases;
    return {all.begin() + first * per_case, all.begin() + (first + count) * per_case};
}

std::vector<float> maps_of_cases(const Dataset& dataset, std::string_view name, std::int64_t first,
                                 std::int64_t count) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), first);
    std::vector<float> values(static_cast<std::size_t>(count * dataset.cells()));
    dataset.read_map(name, numbers, values);
    return values;
}

}  // namespace

DatasetContent inputs_of(const Dataset& dataset, std::int64_t first, std::int64_t count) {
    DatasetContent content;
    content.r_edges = dataset.r_edges();
    content.x_edges = dataset.x_edges();
    content.y_edges = dataset.y_edges();
    content.z_edges = dataset.z_edges();
    content.times = dataset.times();
    content.attributes = attributes_of(rock_fluid_of(dataset));
    content.attributes.merge(attributes_of(dataset.place()));
    content.attributes.merge(attributes_of(dataset.top_depth(), dataset.well_radius()));
    for (const ArraySpec& spec : dataset_arrays(dataset.geometry())) {
        const std::string name(spec.name());
        if (!dataset.has(name)) {
            continue;
        }
        if (spec.role == Role::scalar) {
            content.arrays[name] = rows_of_cases(dataset.scalar(name), dataset.cases(), first, count);
        } else if (spec.role == Role::map) {
            content.arrays[name] = maps_of_cases(dataset, name, first, count);
        } else if (spec.role == Role::cell) {
            content.arrays[name] = dataset.cell_values(name);
        } else if (spec.role == Role::connection) {
            std::vector<float>& all = content.arrays[name];
            for (std::int64_t which = first; which < first + count; ++which) {
                const std::vector<float> of_case = dataset.connection_transmissibilities(which);
                all.insert(all.end(), of_case.begin(), of_case.end());
            }
        }
    }
    if (!dataset.schedule_ends().empty()) {
        content.schedule_ends = dataset.schedule_ends();
        content.arrays["schedule_rate"] = rows_of_cases(dataset.schedule_rates(), dataset.cases(), first, count);
        content.wells = static_cast<std::int64_t>(dataset.schedule_rates().size() / dataset.schedule_ends().size()) /
                        dataset.cases();
    }
    return content;
}

}  // namespace plumecast
