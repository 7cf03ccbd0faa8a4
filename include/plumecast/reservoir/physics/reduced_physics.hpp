#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Reduced physics of a case: fields of known quality in milliseconds, without a network.
namespace plumecast {

/// What recipes, models and files of physics call it: CO2 and brine with dissolution, capillarity and buoyancy.
inline constexpr std::string_view physics_kind = "two_phase";

/// Counts changes of the equations or their discretisation that change results beyond rounding: a network corrects one
/// version, and this is the only one that can be computed (docs/physics.md).
inline constexpr int physics_version = 7;

/// Which physics a field came from. Results of different settings or versions are not comparable to the bit.
struct PhysicsSettings {
    /// Time steps while the time since the first injection grows by 1.36. More are taken where a step does not
    /// converge, and after changes of the rate.
    int substeps = 3;
    int version = physics_version;  ///< of the equations and their discretisation

    friend bool operator==(const PhysicsSettings&, const PhysicsSettings&) = default;
};

/// Throws InvalidInput, which names the entry (such as "physics.version"), for a version other than this program's.
void require_known_physics(int version, const std::string& entry);

/// Fields of one case by name, [T, Z, R] or [T, Z, Y, X], 0 in inactive cells: physics_pressure_buildup [bar],
/// physics_gas_saturation, physics_dissolved_co2 [kg per m3 of pore volume], and with hysteresis
/// physics_trapped_gas_saturation.
struct PhysicsFields {
    std::map<std::string, std::vector<float>, std::less<>> fields;
    /// Per case: physics_buildup_rms [bar], over active cells and times; physics_viscosity_ratio (brine over CO2);
    /// physics_co2_density [kg/m3] at the perforation.
    std::map<std::string, double, std::less<>> scalars;
    /// [T] highest of the wells that inject, at the depth of their uppermost perforated cell [bar]; NaN
    /// where none injects. Empty of radial cases from files of physics that have none.
    std::vector<float> bottom_hole_pressure = {};
    /// [T] of radial cases with a limit of the pressure in the well alone: CO2 injected until each time [Mt]. Kept in
    /// no file of physics.
    std::vector<float> injected_mass = {};
};

/// Part of the gas saturation that would stay if brine returned.
inline constexpr std::string_view trapped_gas_field = "physics_trapped_gas_saturation";

/// Names of the fields that every case has.
std::vector<std::string> physics_field_names();
/// Names of the scalars.
std::vector<std::string> physics_scalar_names();
/// Names of series over time that have derivatives, on cylinders alone: bottom_hole_pressure [bar], as PhysicsFields
/// has it, mass_injected, and mass_free, mass_trapped and mass_dissolved as a report has them [Mt].
std::vector<std::string> physics_series_names();

}  // namespace plumecast
