#include "reservoir/dataset/quantities/quantities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

/// Values that a quantity can have.
struct ValueLimits {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

constexpr ValueLimits any_value{}, not_negative{0.0}, part_of_one{0.0, 1.0};

std::vector<Quantity> all_arrays() {
    std::vector<Quantity> all;
    for (const Geometry geometry : {Geometry::radial, Geometry::cartesian}) {
        for (const ArraySpec& spec : dataset_arrays(geometry)) {
            if (std::ranges::find(all, spec.name(), &Quantity::name) == all.end()) {
                all.push_back(
                    {std::string(spec.name()), QuantityKind::array, spec.unit, spec.long_name, spec.low, spec.high});
            }
        }
    }
    return all;
}

Quantity attribute(const char* name, const char* unit, ValueLimits limits, const char* meaning) {
    return {name, QuantityKind::attribute, unit, meaning, limits.low, limits.high};
}

std::vector<Quantity> all_attributes() {
    return {
        attribute("residual_gas_saturation", "1", {0.0, 0.9}, "gas saturation up to which gas does not flow"),
        attribute("entry_pressure", "bar", {0.0, 100.0}, "capillary entry pressure of rock of 100 mD and porosity 0.2"),
        attribute("rock_compressibility", "1/bar", {0.0, 0.01}, "compressibility of the pore volume"),
        attribute("initial_brine_temperature", "degC", {0.0, 250.0},
                  "temperature of the brine whose weight makes the pressures"),
        attribute("aquifer_factor", "1", {1.0, 1e9}, "factor on the pore volume of the cells at the sides of a box"),
        attribute("temperature_gradient", "degC/m", {0.0, 0.2}, "by which a formation grows warmer with depth"),
        attribute("rotation", "degree", {-360.0, 360.0}, "angle of the grid's x axis from the x axis of the map"),
        attribute("top_depth", "m", {-1e5, 1e5}, "depth of the top of the formation below the surface"),
        attribute("well_radius", "m", {0.001, 10.0}, "radius of the wells"),
    };
}

Quantity derived(const std::string& name, const char* unit, ValueLimits limits, const std::string& meaning,
                 const char* formula = "") {
    return {name, QuantityKind::derived, unit, meaning, limits.low, limits.high, formula};
}

std::vector<Quantity> all_derived() {
    std::vector<Quantity> all;
    for (const std::string axis : {"r", "x", "y", "z"}) {
        all.push_back(derived("cell_width_" + axis, "m", not_negative, "width of the cells along " + axis));
        all.push_back(derived("center_" + axis, "m", any_value, "centre of the cells along " + axis));
    }
    const std::vector<Quantity> others = {
        derived("time", "day", not_negative, "time since the start of injection"),
        derived("transmissivity", "mD m", not_negative, "what steady radial flow sees",
                "sum_r w / sum_r (w / sum_z k_r dz), w = ln(r_outer / r_inner)"),
        derived("perforated_transmissivity", "mD m", not_negative, "transmissivity of the perforated cells",
                "sum of k_r dz times the perforated fraction"),
        derived("inflow_share", "1", part_of_one, "share of each row in the perforated transmissivity"),
        derived("current_injection_rate", "Mt/year", not_negative,
                "rate of all wells together, in the period that the time lies in or ends"),
        derived("injected_co2", "Mt", not_negative, "CO2 injected by all wells until the time"),
        derived("time_since_rate_change", "day", not_negative, "time since the rate last changed"),
        derived("physics_pressure_buildup", "bar", {-1000.0, 10000.0}, "pressure minus initial pressure"),
        derived("physics_gas_saturation", "1", part_of_one, "saturation of the CO2-rich phase"),
        derived("physics_dissolved_co2", "kg/m3", {0.0, 1000.0}, "CO2 dissolved in the brine per pore volume"),
        derived("physics_buildup_rms", "bar", not_negative,
                "root mean square of the build-up over active cells and times"),
        derived("physics_buildup_rms_by_time", "bar", not_negative,
                "root mean square of the build-up over active cells at the time"),
        derived("physics_viscosity_ratio", "1", not_negative, "viscosity of brine over that of CO2"),
        derived("physics_co2_density", "kg/m3", not_negative, "density of CO2 at the perforation"),
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

Quantity of_case(const char* name, const char* unit, ValueLimits limits, const char* meaning) {
    return {name, QuantityKind::of_case, unit, meaning, limits.low, limits.high};
}

std::vector<Quantity> all_of_case() {
    std::vector<Quantity> all = {
        of_case("injected_mass", "Mt", not_negative, "CO2 injected until each time"),
        of_case("bottom_hole_pressure", "bar", not_negative, "highest bottom-hole pressure of the wells that inject"),
        of_case("outside_ranges", "1", not_negative,
                "farthest input outside its training range, in widths of the range"),
        of_case("training_distance", "1", not_negative,
                "distance from the training data, 1 for the farthest training case"),
        of_case("plume_reach", "1", not_negative, "largest plume radius per radius that the injected volume can reach"),
        of_case("substeps", "1", ValueLimits{1.0},
                "time steps while time since the first injection grows by 1.36, of an estimate to a tolerance"),
        of_case("max_buildup", "bar", any_value, "largest pressure build-up"),
        of_case("rock_load", "1", not_negative, "largest pressure per pressure at which any rock breaks"),
        of_case("absorbed_co2", "1", not_negative,
                "CO2 that brine beside gas holds beyond or below what it dissolves, per CO2 injected, at worst"),
        of_case("dissolved_beyond_physics", "1", any_value,
                "CO2 dissolved to close the balance less that of the reduced physics, per CO2 injected, at worst"),
        of_case("mass_balance", "1", not_negative, "CO2 found (free and, where known, dissolved) per CO2 injected"),
        of_case("expected_error", "1", not_negative, "expected error of a field in usual errors"),
    };
    all.back().is_family = true;
    return all;
}

/// What a figure of the report is called, measured in and counted by.
struct FigureHead {
    const char* name;
    const char* unit;
    const char* title;
    KeyValue key_value;
};

Quantity figure(const FigureHead& head, ValueLimits limits, const char* meaning, const char* formula = "") {
    return {head.name, QuantityKind::figure, head.unit,     meaning, limits.low, limits.high,
            formula,   head.title,           head.key_value};
}

Quantity by_threshold(const FigureHead& head, const char* meaning, const char* formula = "") {
    Quantity family = figure(head, not_negative, meaning, formula);
    family.is_family = true;
    return family;
}

std::vector<Quantity> figures_of_mass() {
    using enum KeyValue;
    return {
        figure({"mass_injected", "Mt", "CO2 injected", last}, not_negative, "CO2 injected"),
        figure({"mass_asked", "Mt", "CO2 asked for", last}, not_negative, "CO2 that was to be injected"),
        figure({"injection_rate", "Mt/year", "Rate of injection", none}, not_negative,
               "rate of injection of all wells"),
        figure({"years_since_stop", "year", "Years since the stop", last}, not_negative,
               "time since the end of the last injection"),
        figure({"mass_free", "Mt", "Free CO2", last}, not_negative, "free CO2 in place", "sum of V_p S rho_CO2(p, T)"),
        figure({"free_share", "1", "Free per injected", last}, not_negative, "free CO2 in place per CO2 injected",
               "mass_free / mass_injected"),
        figure({"mass_mobile", "Mt", "Mobile CO2", last}, not_negative, "mobile CO2 in place, free and not trapped",
               "mass_free - mass_trapped"),
        figure({"mass_trapped", "Mt", "Trapped CO2", last}, not_negative,
               "trapped CO2 in place, free CO2 that stays where brine returns", "sum of V_p S_trapped rho_CO2(p, T)"),
        figure({"mass_dissolved", "Mt", "Dissolved CO2", last}, not_negative, "dissolved CO2 in place",
               "sum of V_p dissolved_co2"),
        figure({"mass_balance", "1", "In place per injected", last}, not_negative,
               "free and dissolved CO2 in place per CO2 injected", "(mass_free + mass_dissolved) / mass_injected"),
        figure({"closing_error", "Mt", "Closing error", last}, any_value,
               "CO2 injected less mobile, trapped and dissolved CO2 in place",
               "mass_injected - mass_mobile - mass_trapped - mass_dissolved"),
        figure({"mass_free_inside", "Mt", "Free CO2 within the polygon", last}, not_negative,
               "free CO2 within the polygon"),
        figure({"mass_inside", "Mt", "CO2 within the polygon", last}, not_negative,
               "free and dissolved CO2 within the polygon"),
        figure({"mass_free_outside", "Mt", "Free CO2 beyond the polygon", last}, not_negative,
               "free CO2 beyond the polygon"),
        figure({"mass_outside", "Mt", "CO2 beyond the polygon", last}, not_negative,
               "free and dissolved CO2 beyond the polygon"),
    };
}

std::vector<Quantity> figures_of_plume() {
    using enum KeyValue;
    return {
        by_threshold({"plume_radius", "m", "Plume radius", last}, "plume radius"),
        by_threshold({"plume_area", "m2", "Plume area", last}, "plume area", "sum of f A"),
        by_threshold({"plume_thickness", "m", "Plume thickness", last}, "plume thickness"),
        by_threshold({"plume_footprint", "m2", "Plume area at the top", last},
                     "plume area at the top of the formation"),
        figure({"plume_stabilisation", "year", "Plume stable from year", last}, not_negative,
               "time since the start of injection from which the plume radius stays within 1 % of its last value"),
    };
}

std::vector<Quantity> figures_of_pressure() {
    using enum KeyValue;
    return {
        figure({"max_buildup", "bar", "Largest build-up", largest}, not_negative,
               "largest pressure build-up in the mean of a cell"),
        figure({"max_buildup_distance", "m", "Distance of the largest build-up", none}, any_value,
               "distance of the largest build-up from the well"),
        figure({"max_buildup_depth", "m", "Depth of the largest build-up", none}, any_value,
               "depth of the largest build-up below the top of the formation"),
        figure({"bottom_hole_pressure", "bar", "Bottom-hole pressure", largest}, not_negative,
               "bottom-hole pressure, the largest of the wells"),
        figure({"bottom_hole_buildup", "bar", "Bottom-hole build-up", largest}, any_value,
               "build-up of the bottom-hole pressure, the largest of the wells"),
        figure({"fracture_margin", "bar", "Smallest margin", least}, any_value,
               "smallest margin to the allowed pressure, in wells and cells", "min of (F p_frac - p)"),
        figure({"well_fracture_margin", "bar", "Smallest margin in wells", least}, any_value,
               "smallest margin to the allowed pressure in the wells"),
        figure({"cell_fracture_margin", "bar", "Smallest margin in cells", least}, any_value,
               "smallest margin to the allowed pressure in the means of cells"),
        figure({"critical_buildup", "bar", "Critical build-up", largest}, not_negative,
               "build-up that lifts brine into drinking water", "p_u + rho_brine g (D - z_u) - p_top"),
        figure({"front_radius", "m", "Front radius", largest}, not_negative, "radius of the pressure front"),
        figure({"front_area", "m2", "Front area", none}, not_negative, "area of the pressure front"),
        figure({"mean_pressure", "bar", "Mean pressure", none}, not_negative, "pressure in the mean over pore volume",
               "sum of p V_p / sum of V_p"),
        figure({"review_radius", "m", "Review radius", largest}, not_negative, "radius of the area of review"),
        figure({"review_area", "m2", "Area of review", largest}, not_negative, "area of review"),
    };
}

std::vector<Quantity> all_figures() {
    std::vector<Quantity> all;
    for (std::vector<Quantity>& part : std::array{figures_of_mass(), figures_of_plume(), figures_of_pressure()}) {
        std::ranges::move(part, std::back_inserter(all));
    }
    return all;
}

/// Whether the name is that of a quantity or of a member of its family.
bool goes_by(const Quantity& one, std::string_view name) {
    return name == one.name || (one.is_family && name.starts_with(one.name + "_"));
}

}  // namespace

std::span<const Quantity> quantities(QuantityKind kind) {
    static const std::array<std::vector<Quantity>, 5> tables = {all_arrays(), all_attributes(), all_derived(),
                                                                all_of_case(), all_figures()};
    return tables[static_cast<std::size_t>(kind)];
}

const Quantity* find_quantity(QuantityKind kind, std::string_view name) {
    const auto of_kind = quantities(kind);
    const auto found = std::ranges::find_if(of_kind, [&](const Quantity& one) { return goes_by(one, name); });
    return found == of_kind.end() ? nullptr : &*found;
}

const Quantity& quantity(QuantityKind kind, std::string_view name) {
    const Quantity* found = find_quantity(kind, name);
    expects(found != nullptr, "a quantity of the table");
    return *found;
}

std::string_view name_of(QuantityKind kind) {
    constexpr std::array<std::string_view, 5> names = {"array", "attribute", "derived", "of_case", "figure"};
    return names[static_cast<std::size_t>(kind)];
}

std::string limits_text(const Quantity& one) {
    if (std::isfinite(one.high)) {
        return number_text(one.low) + " to " + number_text(one.high);
    }
    return std::isfinite(one.low) ? number_text(one.low) + " or more" : "any";
}

}  // namespace plumecast
