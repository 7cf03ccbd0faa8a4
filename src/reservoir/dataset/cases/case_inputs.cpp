#include "reservoir/dataset/cases/case_inputs.hpp"

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

CaseInputs::CaseInputs(const Dataset& dataset, std::int64_t which) : dataset_(dataset), which_(which) {
    if (dataset.geometry() == Geometry::generic) {
        maps_.emplace("active", std::vector<float>(static_cast<std::size_t>(dataset.cells()), 1.0F));
    }
    for (const ArraySpec& spec : dataset.arrays()) {
        const std::string_view name = spec.name();
        if (spec.role == Role::map && dataset.has(name)) {
            std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
            dataset.read_map(name, {&which, 1}, values);
            maps_.insert_or_assign(std::string(name), std::move(values));
        } else if (spec.role == Role::series || spec.role == Role::varying) {
            const std::int64_t points = spec.role == Role::varying ? dataset.cells() : 1;
            std::vector<float> values(static_cast<std::size_t>(dataset.snapshots() * points));
            dataset.read_varying(name, {&which, 1}, values);
            maps_.insert_or_assign(std::string(name), std::move(values));
        }
    }
}

const std::vector<float>& CaseInputs::map(std::string_view name) const {
    const auto found = maps_.find(name);
    if (found == maps_.end()) {
        throw InvalidData(dataset_.path() + ": no input map " + std::string(name) +
                          " (what is measured on the inputs needs it); write it into the file");
    }
    return found->second;
}

}  // namespace plumecast
