
#include "core/json_fields.hpp"
#include "io/text_file.hpp"
#include "reservoir/case_model/configuration.hpp"

namespace plumecast {
namespace {

/// Whether an entry without a default takes part: one that is in the file, or has a value to write.
template <class Visitor, class Optional>
bool is_there(Visitor& v, std::string_view key, Optional& value) {
    if constexpr (Visitor::reads) {
        if (v.has(key)) {
            value.emplace();
        }
    }
    return value.has_value();
}

// One list of entries per section serves reading and writing.
template <class Visitor, class Grid>
void visit_grid(Visitor& v, Grid& grid) {
    v.field("rows", grid.rows);
    v.field("columns", grid.columns);
}

template <class Visitor, class Lattice>
void visit_lattice(Visitor& v, Lattice& lattice) {
    v.field("rows", lattice.rows);
    v.field("columns", lattice.columns);
    v.field("height", lattice.height);
    v.field("well_radius", lattice.well_radius);
    v.field("first_width", lattice.first_width);
    v.field("width_growth", lattice.width_growth);
}

template <class Visitor, class Anticline>
void visit_anticline(Visitor& v, Anticline& anticline) {
    v.required("height", anticline.height);
    v.required("x", anticline.x);
    v.required("y", anticline.y);
    v.required("length", anticline.length);
    v.required("width", anticline.width);
    v.field("direction", anticline.direction);
}

template <class Visitor, class Fault>
void visit_fault(Visitor& v, Fault& fault) {
    static const std::vector<std::string> axes(fault_axis_names.begin(), fault_axis_names.end());
    v.choice("along", fault.along, axes);
    v.required("at", fault.at);
    v.required("throw", fault.displacement);
    if (is_there(v, "ends", fault.ends)) {
        v.field("ends", *fault.ends);
    }
    v.field("multiplier", fault.multiplier);
}

template <class Visitor, class Topography>
void visit_topography(Visitor& v, Topography& topography) {
    v.field("dip", topography.dip);
    v.field("dip_direction", topography.dip_direction);
    v.objects_if_any("anticlines", topography.anticlines, [](auto& e, auto& one) { visit_anticline(e, one); });
    v.objects_if_any("faults", topography.faults, [](auto& e, auto& one) { visit_fault(e, one); });
}

template <class Visitor, class Box>
void visit_box(Visitor& v, Box& box) {
    v.field("rows", box.rows);
    v.field("lines", box.lines);
    v.field("columns", box.columns);
    v.field("height", box.height);
    v.field("length_y", box.length_y);
    v.field("length_x", box.length_x);
    v.field("aquifer", box.aquifer);
    if (is_there(v, "topography", box.topography)) {
        v.section("topography", [&](auto& e) { visit_topography(e, *box.topography); });
    }
}

template <class Visitor, class Wells>
void visit_wells(Visitor& v, Wells& wells) {
    v.field("count", wells.count);
    v.field("margin", wells.margin);
    v.field("least_distance", wells.least_distance);
}

template <class Visitor, class Times>
void visit_times(Visitor& v, Times& times) {
    v.field("count", times.count);
    v.field("first", times.first);
    v.field("growth", times.growth);
}

template <class Visitor, class Schedule>
void visit_schedule(Visitor& v, Schedule& schedule) {
    v.section("laws", [&](auto& e) {
        for (std::size_t i = 0; i < rate_law_names.size(); ++i) {
            e.field(rate_law_names[i], schedule.shares[i]);
        }
    });
    v.field("ramp", schedule.ramp);
    v.field("changes", schedule.changes);
    v.field("stop", schedule.stop);
    v.field("period", schedule.period);
}

template <class Visitor, class Inputs>
void visit_inputs(Visitor& v, Inputs& inputs) {
    v.field("injection_rate", inputs.injection_rate);
    v.field("initial_pressure", inputs.initial_pressure);
    v.field("temperature", inputs.temperature);
    v.field("irreducible_water_saturation", inputs.irreducible_water_saturation);
    v.field("van_genuchten_lambda", inputs.van_genuchten_lambda);
    v.field("thickness", inputs.thickness);
    v.field("salinity", inputs.salinity);
    v.field("residual_gas_saturation", inputs.residual_gas_saturation);
    v.field("bottom_hole_pressure_limit", inputs.bottom_hole_pressure_limit);
    v.field("dissolution_rate_limit", inputs.dissolution_rate_limit);
    v.field("least_perforation", inputs.least_perforation);
    v.section("schedule", [&](auto& e) { visit_schedule(e, inputs.schedule); });
}

template <class Visitor, class Shares>
void visit_media(Visitor& v, Shares& shares) {
    for (std::size_t i = 0; i < medium_names.size(); ++i) {
        v.field(medium_names[i], shares[i]);
    }
}

template <class Visitor, class Permeability>
void visit_permeability(Visitor& v, Permeability& permeability) {
    v.field("geometric_mean", permeability.geometric_mean);
    v.field("log_deviation", permeability.log_deviation);
    v.field("correlation_z", permeability.correlation_z);
    v.field("correlation_r", permeability.correlation_r);
    v.field("hurst", permeability.hurst);
    v.field("facies", permeability.facies);
    v.field("limits", permeability.limits);
}

template <class Visitor, class Anisotropy>
void visit_anisotropy(Visitor& v, Anisotropy& anisotropy) {
    v.field("materials", anisotropy.materials);
    v.field("ratio", anisotropy.ratio);
}

template <class Visitor, class Porosity>
void visit_porosity(Visitor& v, Porosity& porosity) {
    v.field("noise", porosity.noise);
    v.field("limits", porosity.limits);
}

template <class Visitor, class Checks>
void visit_checks(Visitor& v, Checks& checks) {
    v.field("estimated_buildup", checks.estimated_buildup);
    v.field("mass_error", checks.mass_error);
    v.field("injection_error", checks.injection_error);
    v.field("supersaturation", checks.supersaturation);
}

template <class Visitor, class Simulator>
void visit_simulator(Visitor& v, Simulator& simulator) {
    v.field("program", simulator.program);
    v.field("time_limit", simulator.time_limit);
    v.field("step_after_change", simulator.step_after_change);
}

template <class Visitor, class Configuration>
void visit_configuration(Visitor& v, Configuration& c) {
    v.field("title", c.title);
    v.seed("seed", c.seed);
    v.field("cases", c.cases);
    if (c.box) {
        v.section("box", [&](auto& e) { visit_box(e, *c.box); });
        v.section("wells", [&](auto& e) { visit_wells(e, c.wells); });
    } else {
        v.section("grid", [&](auto& e) { visit_grid(e, c.grid); });
        v.section("lattice", [&](auto& e) { visit_lattice(e, c.lattice); });
    }
    v.section("times", [&](auto& e) { visit_times(e, c.times); });
    v.section("inputs", [&](auto& e) { visit_inputs(e, c.inputs); });
    v.section("media", [&](auto& e) { visit_media(e, c.permeability.shares); });
    v.section("permeability", [&](auto& e) { visit_permeability(e, c.permeability); });
    v.section("anisotropy", [&](auto& e) { visit_anisotropy(e, c.anisotropy); });
    v.section("porosity", [&](auto& e) { visit_porosity(e, c.porosity); });
    v.section("checks", [&](auto& e) { visit_checks(e, c.checks); });
    v.section("simulator", [&](auto& e) { visit_simulator(e, c.simulator); });
    v.field("output_bits", c.output_bits);
}

}  // namespace

GeneratorConfiguration GeneratorConfiguration::from_json(const Json& json, const std::string& origin) {
    JsonReader object(json, origin);
    GeneratorConfiguration configuration = object.has("box") ? cartesian() : GeneratorConfiguration();
    object.has("$schema");  // for editors only
    read_whole(object, [&](FieldReader& v) { visit_configuration(v, configuration); });
    configuration.check();
    return configuration;
}

GeneratorConfiguration GeneratorConfiguration::from_file(const std::string& path) {
    return from_json(Json::parse(read_text(path), path), path);
}

Json GeneratorConfiguration::to_json() const {
    return written([&](FieldWriter& v) { visit_configuration(v, *this); });
}

}  // namespace plumecast
