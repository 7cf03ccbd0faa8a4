#include <array>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_model/configuration.hpp>

#include "reservoir/io/text_file.hpp"

namespace plumecast {
namespace {

/// Reads the entries of a section into its fields; what nobody reads is an error.
class SectionReader {
   public:
    explicit SectionReader(JsonReader reader) : reader_(std::move(reader)) {}

    template <class T>
    void field(std::string_view key, T& value) {
        value = reader_.get<T>(key, value);
    }
    void field(std::string_view key, ValueRange& value) { pair<double>(key, value); }
    void field(std::string_view key, CountRange& value) { pair<int>(key, value); }
    void finish() const { reader_.reject_unknown(); }

   private:
    template <class T, class Interval>
    void pair(std::string_view key, Interval& value) {
        if (!reader_.has(key)) {
            return;
        }
        const auto list = reader_.get<std::vector<T>>(key);
        if (list.size() != 2) {
            throw InvalidInput(reader_.path(key) + " has " + std::to_string(list.size()) +
                               " numbers (a range has two); write [lowest, highest]");
        }
        value = {list[0], list[1]};
    }

    JsonReader reader_;
};

/// Writes the fields of a section in the order in which they are named.
class SectionWriter {
   public:
    template <class T>
    void field(std::string_view key, const T& value) {
        entries_.emplace_back(key, value);
    }
    void field(std::string_view key, const ValueRange& value) { entries_.emplace_back(key, list(value)); }
    void field(std::string_view key, const CountRange& value) { entries_.emplace_back(key, list(value)); }
    Json::Object take() { return std::move(entries_); }

   private:
    template <class Interval>
    static Json list(const Interval& value) {
        Json::Array ends;
        ends.emplace_back(value.low);
        ends.emplace_back(value.high);
        return ends;
    }

    Json::Object entries_;
};

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

template <class Visitor, class Box>
void visit_box(Visitor& v, Box& box) {
    v.field("rows", box.rows);
    v.field("lines", box.lines);
    v.field("columns", box.columns);
    v.field("height", box.height);
    v.field("length_y", box.length_y);
    v.field("length_x", box.length_x);
    v.field("aquifer", box.aquifer);
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

template <class Visitor, class Inputs>
void visit_inputs(Visitor& v, Inputs& inputs) {
    v.field("injection_rate", inputs.injection_rate);
    v.field("initial_pressure", inputs.initial_pressure);
    v.field("temperature", inputs.temperature);
    v.field("irreducible_water_saturation", inputs.irreducible_water_saturation);
    v.field("van_genuchten_lambda", inputs.van_genuchten_lambda);
    v.field("thickness", inputs.thickness);
    v.field("least_perforation", inputs.least_perforation);
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
}

template <class Configuration, class Sections>
void visit_sections(Configuration& c, Sections&& section) {
    if (c.box) {
        section("box", [&](auto& v) { visit_box(v, *c.box); });
        section("wells", [&](auto& v) { visit_wells(v, c.wells); });
    } else {
        section("grid", [&](auto& v) { visit_grid(v, c.grid); });
        section("lattice", [&](auto& v) { visit_lattice(v, c.lattice); });
    }
    section("times", [&](auto& v) { visit_times(v, c.times); });
    section("inputs", [&](auto& v) { visit_inputs(v, c.inputs); });
    section("media", [&](auto& v) { visit_media(v, c.permeability.shares); });
    section("permeability", [&](auto& v) { visit_permeability(v, c.permeability); });
    section("anisotropy", [&](auto& v) { visit_anisotropy(v, c.anisotropy); });
    section("porosity", [&](auto& v) { visit_porosity(v, c.porosity); });
    section("checks", [&](auto& v) { visit_checks(v, c.checks); });
    section("simulator", [&](auto& v) { visit_simulator(v, c.simulator); });
}

}  // namespace

GeneratorConfiguration GeneratorConfiguration::from_json(const Json& json, const std::string& origin) {
    JsonReader object(json, origin);
    GeneratorConfiguration configuration = object.has("box") ? cartesian() : GeneratorConfiguration();
    object.has("$schema");  // for editors only
    configuration.title = object.get<std::string>("title", configuration.title);
    const auto seed = object.get<std::int64_t>("seed", static_cast<std::int64_t>(configuration.seed));
    if (seed < 0) {
        throw InvalidInput(object.path("seed") + " is " + std::to_string(seed) +
                           " (seeds are 0 or more); use a positive one");
    }
    configuration.seed = static_cast<std::uint64_t>(seed);
    configuration.cases = object.get<std::int64_t>("cases", configuration.cases);
    visit_sections(configuration, [&](std::string_view key, const auto& visit) {
        if (object.has(key)) {
            SectionReader section(object.object(key));
            visit(section);
            section.finish();
        }
    });
    configuration.output_bits = object.get<int>("output_bits", configuration.output_bits);
    object.reject_unknown();
    configuration.check();
    return configuration;
}

GeneratorConfiguration GeneratorConfiguration::from_file(const std::string& path) {
    return from_json(Json::parse(read_text(path), path), path);
}

Json GeneratorConfiguration::to_json() const {
    Json::Object entries{{"title", title}, {"seed", static_cast<std::int64_t>(seed)}, {"cases", cases}};
    visit_sections(*this, [&](std::string_view key, const auto& visit) {
        SectionWriter section;
        visit(section);
        entries.emplace_back(key, section.take());
    });
    entries.emplace_back("output_bits", output_bits);
    return entries;
}

}  // namespace plumecast
