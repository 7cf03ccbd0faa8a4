#include "reservoir/case_physics/expected_errors.hpp"

#include <limits>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/case_physics/dataset_box.hpp"

namespace plumecast {

PhysicsErrors expected_errors(const Dataset& dataset, std::int64_t which, const PhysicsFields& fields,
                              const PhysicsSettings& settings) {
    const std::string name = dataset.path() + ": case " + std::to_string(which);
    try {
        if (dataset.geometry() == Geometry::cartesian) {
            return physics_errors(box_case(dataset, which), fields, settings, name);
        }
        const RadialCase radial = radial_case(dataset, which);
        const FieldChanges changes = step_changes(radial, fields, settings, name);
        return physics_errors(radial, fields, settings, changes);
    } catch (const InvalidInput&) {  // pressures of other time steps without known properties; the fields stand
        constexpr double unbounded = std::numeric_limits<double>::infinity();
        return {.gas_saturation = unbounded,
                .pressure_buildup = unbounded,
                .step_change = unbounded,
                .buildup_change = unbounded,
                .substeps = settings.substeps,
                .is_box = dataset.geometry() == Geometry::cartesian};
    }
}

}  // namespace plumecast
