#include "reservoir/physics/physics_errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/compute_physics.hpp"
#include "reservoir/physics/connections/box_physics.hpp"
#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"

namespace plumecast {
namespace {

const std::vector<float>& field_in(const PhysicsFields& physics, std::string_view name) {
    const auto found = physics.fields.find(name);
    expects(found != physics.fields.end(), "fields of the physics with this one");
    return found->second;
}

constexpr float plume = 0.01F;          // saturation above which there is one
constexpr double least_buildup = 1e-3;  // that matters [bar]

double change_in_plume(const std::vector<char>& active, const std::vector<float>& from, const std::vector<float>& to) {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (active[i % active.size()] != 0 && std::max(from[i], to[i]) > plume) {
            sum += std::abs(static_cast<double>(from[i]) - static_cast<double>(to[i]));
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

double change_of_buildup(const std::vector<char>& active, const std::vector<float>& from,
                         const std::vector<float>& to) {
    double total = 0.0;
    for (std::size_t begin = 0; begin < from.size(); begin += active.size()) {
        double sum = 0.0, count = 0.0, largest = 0.0;
        for (std::size_t cell = 0; cell < active.size(); ++cell) {
            if (active[cell] != 0) {
                const auto value = static_cast<double>(from[begin + cell]);
                sum += std::abs(value - static_cast<double>(to[begin + cell]));
                largest = std::max(largest, std::abs(value));
                count += 1.0;
            }
        }
        total += largest > 0.0 ? sum / (count * std::max(largest, least_buildup)) : 0.0;
    }
    return total * static_cast<double>(active.size()) / static_cast<double>(from.size());
}

/// In all at the last time, in volumes of the cylinder over pi.
double dissolved_at_end(const RadialCase& radial, const std::vector<float>& dissolved) {
    const std::size_t begin = dissolved.size() - radial.cells();
    double sum = 0.0;
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        const std::size_t row = cell / radial.columns(), column = cell % radial.columns();
        const double inner = radial.r_edges[column], outer = radial.r_edges[column + 1];
        const double height = radial.z_edges[row + 1] - radial.z_edges[row];
        sum += radial.active[cell] == 0 ? 0.0
                                        : (outer * outer - inner * inner) * height * radial.porosity[cell] *
                                              static_cast<double>(dissolved[begin + cell]);
    }
    return sum;
}

}  // namespace

FieldChanges changes_between(const RadialCase& radial, const PhysicsFields& from, const PhysicsFields& to) {
    const auto both = [&](std::string_view name, auto measure) {
        return measure(field_in(from, name), field_in(to, name));
    };
    FieldChanges changes;
    changes.gas_saturation = both("physics_gas_saturation",
                                  [&](const auto& a, const auto& b) { return change_in_plume(radial.active, a, b); });
    changes.pressure_buildup = both("physics_pressure_buildup", [&](const auto& a, const auto& b) {
        return change_of_buildup(radial.active, a, b);
    });
    changes.dissolved_co2 = both("physics_dissolved_co2", [&](const auto& a, const auto& b) {
        const double there = dissolved_at_end(radial, a);
        return there > 0.0 ? std::abs(dissolved_at_end(radial, b) / there - 1.0) : 0.0;
    });
    return changes;
}

namespace {

/// The perforated interval of a well.
struct OpenInterval {
    double top = 0.0, bottom = 0.0;  ///< depths [m]
    double transmissivity = 0.0;     ///< permeability times height [mD m]

    void add(double row_top, double row_bottom, double open_height, double permeability) {
        top = transmissivity > 0.0 ? top : row_top;
        bottom = row_bottom;
        transmissivity += permeability * open_height;
    }
};

/// Weight of the column of CO2 in the perforated interval against brine, and the pressure that a rate of injection
/// needs per interval of the natural logarithm of the radius in brine [bar].
struct WellPressures {
    double weight = 0.0, drive = 0.0;

    WellPressures(const OpenInterval& open, const InjectionFluids& fluids, double brine_density)
        : weight((brine_density - fluids.co2_density) * two_phase::gravity * (open.bottom - open.top)),
          drive(fluids.volume_rate * fluids.brine_viscosity /
                (2.0 * std::numbers::pi * cylinder::darcy * std::max(open.transmissivity, 1e-12))) {}
};

WellPressures well_pressures(const RadialCase& radial) {
    OpenInterval open;
    for (std::size_t row = 0; row < radial.rows(); ++row) {
        const std::size_t cell = row * radial.columns();
        if (radial.active[cell] != 0 && radial.perforation[cell] > 0.0) {
            const double height = radial.z_edges[row + 1] - radial.z_edges[row];
            open.add(radial.z_edges[row], radial.z_edges[row + 1], height * radial.perforation[cell],
                     radial.permeability_r[cell]);
        }
    }
    return {open, injection_fluids(radial),
            brine_density(radial.initial_pressure, radial.temperature, radial.salinity)};
}

/// The largest of all wells that inject, of weight over drive; 0 of a vertical section, where no flow is radial.
double well_gravity(const BoxCase& box) {
    double most = 0.0;
    if (box.lines() == 1 || box.columns() == 1) {
        return most;
    }
    const std::vector<BoxCaseWell> wells = box_wells(box);
    for (std::size_t which = 0; which < wells.size(); ++which) {
        const BoxCaseWell& well = wells[which];
        const double rate =
            box.schedule_ends.empty() ? well.injection_rate : std::ranges::max(box.schedule_rates[which]);
        OpenInterval open;
        for (std::size_t row = 0; row < box.rows(); ++row) {
            const std::size_t cell = row * box.plane() + well.line * box.columns() + well.column;
            if (well.factors[row] > 0.0) {
                const double half = 0.5 * box.height(cell);
                open.add(box.depth(cell) - half, box.depth(cell) + half, 2.0 * half * box.perforation[cell],
                         std::sqrt(box.permeability_x[cell] * box.permeability_y[cell]));
            }
        }
        if (rate > 0.0) {
            const double pressure =
                hydrostatic_pressure(box.initial_pressure, box.temperature, box.salinity, well.depth);
            const WellPressures pressures(open, injection_fluids(pressure, box.temperature, box.salinity, rate),
                                          brine_density(box.initial_pressure, box.temperature, box.salinity));
            most = std::max(most, pressures.weight / pressures.drive);
        }
    }
    return most;
}

/// What a limit of the pressure in the well lets in, per what was asked for; 1 without one.
double injected_share(const RadialCase& radial, const PhysicsFields& fields) {
    const double asked = radial.injection().injected(radial.times.back());
    return fields.injected_mass.empty() || !(asked > 0.0) ? 1.0
                                                          : static_cast<double>(fields.injected_mass.back()) / asked;
}

/// Whether next to nothing happens: no plume, and no build-up that matters.
bool is_next_to_nothing(const PhysicsFields& fields) {
    const std::vector<float>&gas = field_in(fields, "physics_gas_saturation"),
          &buildup = field_in(fields, "physics_pressure_buildup");
    return std::ranges::none_of(gas, [](float saturation) { return saturation > plume; }) &&
           std::ranges::none_of(buildup, [](float bar) { return std::abs(static_cast<double>(bar)) > least_buildup; });
}

/// Largest build-up [bar] at the last time.
double last_largest_buildup(const RadialCase& radial, const std::vector<float>& buildup) {
    return static_cast<double>(
        *std::max_element(buildup.end() - static_cast<std::ptrdiff_t>(radial.cells()), buildup.end()));
}

constexpr double strong_gravity = 5.0, least = 1e-3;

/// An error in usual ones: factor * change^power * gravity^gravity_power * buildup^buildup_power, fitted to simulated
/// cases and their changes from two steps to one (docs/benchmarks/trust.md).
struct ErrorLaw {
    double factor, power, gravity_power = 0.0, buildup_power = 0.0;

    double error(double change, const PhysicsErrors& of) const {
        return factor * std::pow(std::max(change, least), power) *
               std::pow(std::max(of.well_gravity, least), gravity_power) *
               std::pow(std::max(of.largest_buildup, least), buildup_power);
    }
    /// The change that has such an error.
    double change(double error, const PhysicsErrors& of) const {
        return least * std::pow(error / this->error(least, of), 1.0 / power);
    }
};

struct ErrorLaws {
    ErrorLaw saturation, buildup;
};

constexpr ErrorLaws laws_of_cylinders{{58.82, 0.855, 0.306, -0.0934}, {56.9, 0.825, 0.241, 0.0023}};
constexpr ErrorLaws laws_of_boxes{{66.7, 0.93}, {238.0, 1.06}};

const ErrorLaws& laws_of(const PhysicsErrors& errors) { return errors.is_box ? laws_of_boxes : laws_of_cylinders; }

/// The number of steps that fields are computed with again.
int other_number(int substeps) { return substeps > 1 ? substeps / 2 : 2; }

/// By what changes are multiplied that the laws go by: errors in proportion to the length n of the steps change by half
/// that much from n to 2 n. Errors of the steps are smaller with more of them, those by gravity in the well are not.
double weight_of_steps(const PhysicsErrors& errors) {
    const double steps = errors.substeps, other = other_number(errors.substeps);
    const double halved = other / std::abs(steps - other);
    return errors.well_gravity > strong_gravity ? halved * std::max(0.5 * steps, 1.0) : halved;
}

void set_errors(PhysicsErrors& errors) {
    const double weight = weight_of_steps(errors);
    errors.gas_saturation = laws_of(errors).saturation.error(weight * errors.step_change, errors);
    errors.pressure_buildup = laws_of(errors).buildup.error(weight * errors.buildup_change, errors);
}

}  // namespace

PhysicsErrors physics_errors(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                             const FieldChanges& changes) {
    PhysicsErrors errors;
    if (radial.injection().largest_rate() == 0.0 || is_next_to_nothing(fields)) {
        return errors;
    }
    const WellPressures well = well_pressures(radial);
    errors.substeps = settings.substeps;
    errors.step_change = changes.gas_saturation;
    errors.buildup_change = changes.pressure_buildup;
    errors.well_gravity = well.weight / (well.drive * std::max(injected_share(radial, fields), least));
    errors.largest_buildup = last_largest_buildup(radial, field_in(fields, "physics_pressure_buildup"));
    set_errors(errors);
    return errors;
}

std::optional<int> steps_needed(const PhysicsErrors& errors, double limit) {
    if (std::max(errors.gas_saturation, errors.pressure_buildup) <= limit) {
        return errors.substeps;
    }
    constexpr double most = 1000.0;
    const double saturation = laws_of(errors).saturation.change(limit, errors);
    const double buildup = laws_of(errors).buildup.change(limit, errors);
    const double weight = weight_of_steps(errors);
    const double steps = std::ceil(errors.substeps * weight *
                                   std::max(errors.step_change / saturation, errors.buildup_change / buildup));
    if (errors.substeps == 0 || errors.well_gravity > strong_gravity || std::min(saturation, buildup) < least ||
        !(steps <= most)) {
        return std::nullopt;
    }
    return static_cast<int>(steps);
}

std::string reason_of(const PhysicsErrors& errors, double limit) {
    if (!std::isfinite(errors.step_change)) {
        return "the physics does not converge with other time steps";
    }
    const bool is_pressure = errors.pressure_buildup > errors.gas_saturation;  // is farther off
    const std::string steps =
        fmt::format("other time steps change the {} by {:.2g}", is_pressure ? "build-up" : "gas saturation",
                    is_pressure ? errors.buildup_change : errors.step_change);
    if (errors.well_gravity > strong_gravity) {
        return fmt::format(
            "{}, more of them help little, and in the open interval CO2 is lighter than brine by {:.2g} times what "
            "drives it out",
            steps, errors.well_gravity);
    }
    const std::optional<int> needed = steps_needed(errors, limit);
    return needed ? fmt::format("{}; at least {} substeps are needed", steps, *needed)
                  : steps + "; more of them would not be enough";
}

PhysicsSettings other_steps(const PhysicsSettings& settings) {
    PhysicsSettings other = settings;
    other.substeps = other_number(settings.substeps);
    return other;
}

PhysicsErrors physics_errors(const BoxCase& box, const PhysicsFields& fields, const PhysicsSettings& settings,
                             const std::string& name) {
    PhysicsErrors errors;
    errors.is_box = true;
    if (is_next_to_nothing(fields)) {
        return errors;
    }
    errors.substeps = settings.substeps;
    try {
        const PhysicsFields other = box_physics(box, other_steps(settings), name);
        errors.step_change = change_in_plume(box.active, field_in(fields, "physics_gas_saturation"),
                                             field_in(other, "physics_gas_saturation"));
        errors.buildup_change = change_of_buildup(box.active, field_in(fields, "physics_pressure_buildup"),
                                                  field_in(other, "physics_pressure_buildup"));
    } catch (const NotConverged&) {
        errors.step_change = errors.buildup_change = std::numeric_limits<double>::infinity();
    }
    errors.well_gravity = well_gravity(box);
    set_errors(errors);
    return errors;
}

FieldChanges step_changes(const RadialCase& radial, const PhysicsFields& fields, const PhysicsSettings& settings,
                          const std::string& name) {
    try {
        return changes_between(radial, fields, reduced_physics(radial, other_steps(settings), name));
    } catch (const NotConverged&) {
        constexpr double unbounded = std::numeric_limits<double>::infinity();
        return {unbounded, unbounded, unbounded};
    }
}

}  // namespace plumecast
