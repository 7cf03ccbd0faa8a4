#pragma once

#include <optional>
#include <string>

#include <plumecast/reservoir/physics/radial_case.hpp>
#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/physics/box_case.hpp"

namespace plumecast {

/// How much the fields of a case change where the physics is computed otherwise.
struct FieldChanges {
    double gas_saturation = 0.0;    ///< in the mean over cells and times where one of the two is above 0.01
    double pressure_buildup = 0.0;  ///< in the mean over active cells, per largest build-up of the time, over times
    double dissolved_co2 = 0.0;     ///< of all that is dissolved at the last time, per what there is
};

/// Changes from one computation of a case to another.
FieldChanges changes_between(const RadialCase& radial, const PhysicsFields& from, const PhysicsFields& to);

/// The settings that a case is computed with again to see how far its fields depend on them: half as many time steps,
/// twice as many where there is one.
PhysicsSettings other_steps(const PhysicsSettings& settings);

/// What errors are to be expected of the physics of a case, and why.
struct PhysicsErrors {
    double gas_saturation = 0.0;    ///< MPE, in usual ones
    double pressure_buildup = 0.0;  ///< MRE, in usual ones, on the scale on which the same limit serves for both
    double step_change = 0.0;       ///< of the gas saturation with other time steps
    /// What CO2 is lighter than brine over the perforated interval, per pressure that drives the CO2 out of the well
    /// into brine: far above 1, CO2 rises beside the well, and brine may cross through it from below.
    double well_gravity = 0.0;
    double buildup_change = 0.0;   ///< of the build-up with other time steps, as FieldChanges has it
    double largest_buildup = 0.0;  ///< [bar] at the last time
    int substeps = 0;              ///< of the settings that the fields were computed with
    bool is_box = false;           ///< whether the grid is Cartesian; gravity is that at the well where it is most
};

/// Of fields that were computed with these settings, by their changes with other_steps(), the gravity of the well and
/// the build-up: fitted to simulated cases (docs/benchmarks/trust.md). 0 of a case without a plume whose build-up
/// stays below 0.001 bar. Throws InvalidInput for temperatures and pressures without known properties.
PhysicsErrors physics_errors(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                             const FieldChanges& changes);

/// The same of fields of a box, computed again with other_steps(). Changes are infinite where those do not converge;
/// gravity at the wells tells only whether more steps help. Throws InvalidInput as box_physics() does.
PhysicsErrors physics_errors(const BoxCase& box, const PhysicsFields& fields, const PhysicsSettings& settings,
                             const std::string& name);

/// Substeps that it takes at least for both errors to be at most `limit`: with so many they would
/// be if they fell with the length of the steps, which is the fastest that they do. Nothing where no number of steps
/// would do: gravity at the well is strong, or other errors are as large.
std::optional<int> steps_needed(const PhysicsErrors& errors, double limit);

/// "other time steps change the gas saturation by 0.057; at least 9 substeps are needed", of the larger
/// of both errors where it is above `limit`, or why more would not help.
std::string reason_of(const PhysicsErrors& errors, double limit);

/// How far the fields of a case, which has these settings, depend on them: changes_between() them and those of
/// other_steps(). All are infinite where those do not converge. Throws InvalidInput as reduced_physics() does.
FieldChanges step_changes(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                          const std::string& name);

}  // namespace plumecast
