#include "reservoir/import/case_loop.hpp"

#include <algorithm>

#include <plumecast/reservoir/dataset/cases/injected_mass.hpp>

#include "reservoir/dataset/cases/dataset_writer.hpp"

namespace plumecast {
namespace {

bool is_output(const std::string& name) {
    const ArraySpec* spec = find_array(name);
    return spec != nullptr && spec->role == Role::output;
}

}  // namespace

ImportReport import_cases(const ImportOptions& options, const ImportPlan& plan, const CaseSource& source) {
    DatasetWriter writer(options.output, plan.frame, plan.cases, plan.arrays);
    std::vector<std::vector<float>> masses;
    for (std::int64_t which = 0; which < plan.cases; ++which) {
        auto arrays = source(which);
        writer.write(which, arrays);
        if (const auto mass = arrays.find(std::string(injected_mass_name)); mass != arrays.end()) {
            masses.push_back(std::move(mass->second));
        }
        if (options.progress && options.progress("importing", which + 1, plan.cases)) {
            ImportReport stopped;
            stopped.is_complete = false;
            return stopped;
        }
    }
    if (!plan.models.empty()) {
        writer.describe_cases("model", plan.models);
    }
    if (!masses.empty() && static_cast<std::int64_t>(masses.size()) == plan.cases) {
        writer.write_series(std::string(injected_mass_name), "Mt", "CO2 injected until each time", masses);
    }
    writer.commit();
    const DatasetExtents extents = extents_of(plan.frame, plan.cases);
    return {extents.cases, extents.rows,
            extents.lines, extents.columns,
            extents.times, std::ranges::any_of(plan.arrays, is_output),
            true,          {}};
}

}  // namespace plumecast
