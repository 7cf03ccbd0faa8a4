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

/// Counts changes of the equations or their discretisation that change results beyond rounding. Version 2 takes gas
/// that rises against the flow of both phases from where it comes from; version 3 weighs brine as its pressure and the
/// CO2 in it make it; version 4 counts the volume of CO2 that leaves or enters brine as the pressure changes once, and
/// takes twice as many steps once all is injected; version 5 makes its steps by the growth of
/// time, whatever the snapshots are, and none longer than two years at rest on a cylinder; version 6 takes gas and
/// brine from the cells that they leave at all faces (docs/physics.md). Boxes are the same in 3 and 4, and in 5 and 6.
inline constexpr int physics_version = 6;
inline constexpr int oldest_physics_version = 1;  ///< that can still be computed, to rounding

/// Which physics a field came from. Results of different settings or versions are not comparable to the bit.
struct PhysicsSettings {
    /// Time steps between two snapshots or, from version 5 on, while the time since the first injection
    /// grows by 1.36. More are taken where a step does not converge, and after changes of the rate.
    int substeps = 3;
    /// Of the equations and their discretisation, from `oldest_physics_version` on: a network corrects that which it
    /// was trained with.
    int version = physics_version;

    friend bool operator==(const PhysicsSettings&, const PhysicsSettings&) = default;
};

/// Whether a version can be computed.
constexpr bool is_known_physics(int version) { return version >= oldest_physics_version && version <= physics_version; }
/// Throws InvalidInput, which names the entry (such as "physics.version") that states a version that cannot be
/// computed.
void require_known_physics(int version, const std::string& entry);
/// Whether the time steps of a case, and its fields with them, depend on the snapshots that are asked for.
constexpr bool steps_follow_snapshots(const PhysicsSettings& settings) { return settings.version <= 4; }
/// Whether boxes and corner-point grids are computed by these settings: from version 3 on.
constexpr bool knows_boxes(const PhysicsSettings& settings) {
    return settings.version >= 3 && settings.version <= physics_version;
}

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
