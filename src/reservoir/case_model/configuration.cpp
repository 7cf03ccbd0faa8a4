#include "reservoir/case_model/configuration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

// Of the documented range of the physics; what a release of the simulator knows is checked when it is asked.
constexpr double lowest_temperature = 12.0, highest_temperature = 170.0;

void require(bool condition, const std::string& entry, const std::string& why, const std::string& remedy) {
    if (!condition) {
        throw InvalidInput("configuration entry '" + entry + "' cannot be used (" + why + "); " + remedy);
    }
}

void require_count(const std::string& entry, int value, int highest) {
    require(value >= 1 && value <= highest, entry, "it counts 1 to " + std::to_string(highest), "change it");
}

void require_positive(const std::string& entry, double value) {
    require(std::isfinite(value) && value > 0.0, entry, "it must be above 0", "change it");
}

/// `low` and `high` bound what the values may be; the lower bound itself is allowed.
void require_range(const std::string& entry, const ValueRange& range, double low, double high) {
    require(range.low <= range.high, entry, "its lowest value lies above its highest", "write [lowest, highest]");
    require(range.low >= low && range.high <= high, entry,  // false for a NaN too
            "values lie between " + Json(low).dump(-1) + " and " + Json(high).dump(-1), "narrow it");
}

void require_range(const std::string& entry, const CountRange& range, int high) {
    require(range.low <= range.high, entry, "its lowest value lies above its highest", "write [lowest, highest]");
    require_count(entry, range.low, high);
    require_count(entry, range.high, high);
}

void check_cells(const GeneratorConfiguration& c) {
    require_count("grid.rows", c.grid.rows, 1000);
    require_count("grid.columns", c.grid.columns, 1000);
    require_count("lattice.rows", c.lattice.rows, 1000);
    require_count("lattice.columns", c.lattice.columns, 1000);
    require_positive("lattice.height", c.lattice.height);
    require_positive("lattice.well_radius", c.lattice.well_radius);
    require_positive("lattice.first_width", c.lattice.first_width);
    require(c.lattice.width_growth > 1.0 && c.lattice.width_growth < 2.0, "lattice.width_growth",
            "columns widen outwards by a factor between 1 and 2", "try 1.035012");
}

void check_fault(const FaultSettings& fault, const std::string& entry, const BoxSettings& box) {
    const double across = fault.along == FaultAxis::y ? box.length_x : box.length_y;
    const double cell = across / (fault.along == FaultAxis::y ? box.columns : box.lines);
    require(fault.at >= 0.5 * cell && fault.at <= across - 0.5 * cell, entry + ".at",
            "the nearest sides of cells must lie inside of the box", "move it, or refine the box");
    require(std::abs(fault.displacement) <= 1e4, entry + ".throw", "it lies between -10000 and 10000 m", "change it");
    if (fault.ends) {
        require(fault.ends->low < fault.ends->high && std::isfinite(fault.ends->high - fault.ends->low),
                entry + ".ends", "the first lies before the second", "write [first, last]");
    }
    require_range(entry + ".multiplier", fault.multiplier, 1e-12, 1e3);
}

void check_topography(const TopographySettings& topography, const BoxSettings& box) {
    const std::string entry = "box.topography.";
    require(topography.dip >= 0.0 && topography.dip <= 45.0, entry + "dip", "it lies between 0 and 45 degrees",
            "change it, or turn dip_direction by 180");
    require(std::abs(topography.dip_direction) <= 360.0, entry + "dip_direction",
            "it lies between -360 and 360 degrees", "change it");
    for (std::size_t i = 0; i < topography.anticlines.size(); ++i) {
        const AnticlineSettings& anticline = topography.anticlines[i];
        const std::string of = entry + "anticlines[" + std::to_string(i) + "]";
        require(std::abs(anticline.height) <= 1e4, of + ".height", "it lies between -10000 and 10000 m", "change it");
        require(std::isfinite(anticline.x) && std::isfinite(anticline.y), of + ".x", "a place is a number",
                "change it");
        require_positive(of + ".length", anticline.length);
        require_positive(of + ".width", anticline.width);
        require(std::abs(anticline.direction) <= 360.0, of + ".direction", "it lies between -360 and 360 degrees",
                "change it");
    }
    for (std::size_t i = 0; i < topography.faults.size(); ++i) {
        check_fault(topography.faults[i], entry + "faults[" + std::to_string(i) + "]", box);
    }
}

void check_box(const BoxSettings& box, const WellSettings& wells) {
    require_count("box.rows", box.rows, 1000);
    require_count("box.lines", box.lines, 1000);
    require_count("box.columns", box.columns, 1000);
    require_positive("box.height", box.height);
    require_positive("box.length_y", box.length_y);
    require_positive("box.length_x", box.length_x);
    require(box.aquifer >= 1.0 && box.aquifer <= 1e9, "box.aquifer", "it multiplies a pore volume, 1 to 1e9",
            "write 1 for a closed box");
    require_range("wells.count", wells.count, 100);
    require(wells.margin >= 0.0 && 2.0 * wells.margin < std::min(box.length_x, box.length_y), "wells.margin",
            "it leaves no room for a well", "lower it");
    require(wells.least_distance >= 0.0 && std::isfinite(wells.least_distance), "wells.least_distance",
            "a distance is 0 or more", "change it");
    if (box.topography) {
        check_topography(*box.topography, box);
    }
}

void check_times(const TimeSettings& times) {
    require_count("times.count", times.count, 1000);
    require_positive("times.first", times.first);
    require(times.growth >= 1.0 && times.growth <= 10.0, "times.growth", "steps grow by a factor from 1 to 10",
            "try 1.421245");
}

void check_inputs(const InputSettings& inputs, double height) {
    require_range("inputs.injection_rate", inputs.injection_rate, 1e-6, 100.0);
    require_range("inputs.initial_pressure", inputs.initial_pressure, 1.0, 1000.0);
    require_range("inputs.temperature", inputs.temperature, lowest_temperature, highest_temperature);
    require_range("inputs.irreducible_water_saturation", inputs.irreducible_water_saturation, 0.0, 0.8);
    require_range("inputs.van_genuchten_lambda", inputs.van_genuchten_lambda, 0.1, 0.95);
    require_range("inputs.thickness", inputs.thickness, 1e-3, height);
    require_range("inputs.salinity", inputs.salinity, 0.0, 0.25);
    require_range("inputs.residual_gas_saturation", inputs.residual_gas_saturation, 0.0, 0.5);
    require(inputs.residual_gas_saturation.high + inputs.irreducible_water_saturation.high < 0.99,
            "inputs.residual_gas_saturation", "it leaves no room beside the irreducible water", "lower one of the two");
    if (inputs.bottom_hole_pressure_limit != ValueRange{0.0, 0.0}) {  // brine is heavier, its cell lies deeper
        require_range("inputs.bottom_hole_pressure_limit", inputs.bottom_hole_pressure_limit, 1.05, 10.0);
    }
    if (inputs.dissolution_rate_limit != ValueRange{0.0, 0.0}) {
        require_range("inputs.dissolution_rate_limit", inputs.dissolution_rate_limit, 1e-6, 1e6);
    }
    require_positive("inputs.least_perforation", inputs.least_perforation);
}

void check_schedule(const ScheduleSettings& schedule) {
    for (std::size_t i = 0; i < rate_law_names.size(); ++i) {
        require(schedule.shares[i] >= 0.0 && schedule.shares[i] <= 1e6,
                "inputs.schedule.laws." + std::string(rate_law_names[i]), "a share is 0 or more", "change it");
    }
    require(std::accumulate(schedule.shares.begin(), schedule.shares.end(), 0.0) > 0.0, "inputs.schedule.laws",
            "no law has a share", "give one a share above 0");
    require_range("inputs.schedule.ramp", schedule.ramp, 1e-3, 1e3);
    require_range("inputs.schedule.changes", schedule.changes, 1e-3, 1e3);
    require_range("inputs.schedule.stop", schedule.stop, 0.0, 1e3);
    require(schedule.stop.low > 0.0 || schedule.stop.high == 0.0, "inputs.schedule.stop", "an injection takes time",
            "write years above 0, or [0, 0] for no stop");
    require(schedule.period >= 0.01 && schedule.period <= 100.0, "inputs.schedule.period",
            "it lies between 0.01 and 100 years", "try 0.25");
}

void check_geology(const GeneratorConfiguration& c) {
    const PermeabilitySettings& p = c.permeability;
    for (std::size_t i = 0; i < medium_names.size(); ++i) {
        require(p.shares[i] >= 0.0 && p.shares[i] <= 1e6, "media." + std::string(medium_names[i]),
                "a share is 0 or more", "change it");
    }
    require(std::accumulate(p.shares.begin(), p.shares.end(), 0.0) > 0.0, "media", "no medium has a share",
            "give one a share above 0");
    require_range("permeability.geometric_mean", p.geometric_mean, 1e-6, 1e6);
    require_range("permeability.log_deviation", p.log_deviation, 0.0, 10.0);
    require_range("permeability.correlation_z", p.correlation_z, 0.1, 1e6);
    require_range("permeability.correlation_r", p.correlation_r, 0.1, 1e9);
    require_range("permeability.hurst", p.hurst, 0.05, 2.0);
    require_range("permeability.facies", p.facies, 1000);
    require_range("permeability.limits", p.limits, 1e-6, 1e6);
    require_range("anisotropy.materials", c.anisotropy.materials, 1000);
    require_range("anisotropy.ratio", c.anisotropy.ratio, 1e-3, 1e6);
    require(c.porosity.noise >= 0.0 && c.porosity.noise < 1.0, "porosity.noise", "it lies between 0 and 1",
            "try 0.005");
    require_range("porosity.limits", c.porosity.limits, 1e-3, 0.95);
}

void check_checks(const GeneratorConfiguration& c) {
    require_positive("checks.estimated_buildup", c.checks.estimated_buildup);
    require_positive("checks.mass_error", c.checks.mass_error);
    require_positive("checks.injection_error", c.checks.injection_error);
    require(c.checks.supersaturation >= 1.0, "checks.supersaturation", "it compares with saturated brine, at 1",
            "try 1.1");
    require(!c.simulator.program.empty(), "simulator.program", "it names the simulator", "write \"flow\"");
    require_positive("simulator.time_limit", c.simulator.time_limit);
    require(c.simulator.step_after_change >= 0.0, "simulator.step_after_change",
            "it is the first time step after a change of a rate [day]", "try 0.05, or 0 to leave it to the simulator");
}

}  // namespace

GeneratorConfiguration GeneratorConfiguration::cartesian() {
    GeneratorConfiguration configuration;
    configuration.title = "CO2 injection through several wells";
    configuration.box.emplace();
    configuration.inputs.injection_rate = {0.2, 1.0};
    configuration.inputs.thickness = {60.0, 120.0};
    configuration.inputs.least_perforation = 30.0;
    configuration.permeability.correlation_z = {10.0, 40.0};
    configuration.permeability.correlation_r = {500.0, 5000.0};
    return configuration;
}

void GeneratorConfiguration::check() const {
    require(cases >= 1 && cases <= 10'000'000, "cases", "it counts 1 to 10000000", "change it");
    if (box) {
        check_box(*box, wells);
    } else {
        check_cells(*this);
    }
    check_times(times);
    check_inputs(inputs, box ? box->height : lattice.height);
    require(!box || inputs.bottom_hole_pressure_limit.high == 0.0, "inputs.bottom_hole_pressure_limit",
            "wells of boxes have none", "leave it out");
    require(!box || inputs.dissolution_rate_limit.high == 0.0, "inputs.dissolution_rate_limit",
            "boxes have gas and brine in equilibrium", "leave it out");
    check_schedule(inputs.schedule);
    check_geology(*this);
    check_checks(*this);
    require(output_bits >= 1 && output_bits <= 23, "output_bits", "a float32 has 23 bits of mantissa", "try 12");
}

}  // namespace plumecast
