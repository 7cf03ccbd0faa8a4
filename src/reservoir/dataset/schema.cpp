#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/units.hpp"

namespace plumecast {
namespace {

using Arrays = std::vector<ArraySpec>;

/// Admissible values of an array in its unit.
struct Bounds {
    double low;
    double high;
};

ArraySpec grid(const char* name, Axis axis, const char* unit, const char* long_name, Bounds bounds) {
    return {"/grid/" + std::string(name),
            Role::grid,
            {axis},
            unit,
            long_name,
            Storage::float64,
            bounds.low,
            bounds.high,
            true};
}

ArraySpec cell(const char* name, const char* unit, const char* long_name, Bounds bounds,
               const std::vector<Axis>& axes = {Axis::z, Axis::y, Axis::x}) {
    return {"/grid/" + std::string(name),
            Role::cell,
            axes,
            unit,
            long_name,
            Storage::float32,
            bounds.low,
            bounds.high,
            false};
}

ArraySpec map(const char* name, const char* unit, const char* long_name, Bounds bounds,
              Storage storage = Storage::float32) {
    return {"/inputs/" + std::string(name),
            Role::map,
            {Axis::cases},
            unit,
            long_name,
            storage,
            bounds.low,
            bounds.high,
            true};
}

/// A map that not every data set has.
ArraySpec optional_map(const char* name, const char* unit, const char* long_name, Bounds bounds) {
    ArraySpec spec = map(name, unit, long_name, bounds);
    spec.required = false;
    spec.since = 2;
    return spec;
}

ArraySpec scalar(const char* name, const char* unit, const char* long_name, Bounds bounds, bool required = true) {
    return {"/inputs/" + std::string(name),
            Role::scalar,
            {Axis::cases},
            unit,
            long_name,
            Storage::float32,
            bounds.low,
            bounds.high,
            required};
}

ArraySpec salinity() {
    ArraySpec spec = scalar("salinity", "1", "mass of NaCl per mass of brine", {0.0, 0.25}, false);
    spec.otherwise = 0.0;
    spec.other_unit = "mol/kg";
    spec.from_other_unit = [](double molality) { return salinity_of(molality); };
    return spec;
}

/// Land's largest trapped saturation; that of drainage alone is an attribute of the file.
ArraySpec residual_gas_saturation() {
    ArraySpec spec = scalar("residual_gas_saturation", "1", "largest gas saturation that returning brine traps (Land)",
                            {0.0, 0.5}, false);
    spec.otherwise = 0.0;
    spec.since = 2;
    return spec;
}

/// Of radial grids alone, whose physics holds the well at it.
ArraySpec bottom_hole_pressure_limit() {
    ArraySpec spec =
        scalar("bottom_hole_pressure_limit", "bar",
               "largest pressure in the well, at the centre of its uppermost perforated cell", {1.0, 10000.0}, false);
    spec.since = 5;
    return spec;
}

/// Of radial grids alone, whose physics keeps to it.
ArraySpec dissolution_rate_limit() {
    ArraySpec spec = scalar("dissolution_rate_limit", "kg/m3/year",
                            "largest rate at which a volume of brine dissolves CO2", {0.0, 1e6}, false);
    spec.since = 6;
    return spec;
}

/// Rates of wells in periods that follow each other.
Arrays schedule() {
    ArraySpec end = grid("schedule_end", Axis::periods, "day", "end of a period of constant rates", {0.0, 1e8});
    end.path = "/schedule/end";
    end.required = false;
    const ArraySpec rate{"/schedule/rate",
                         Role::schedule,
                         {Axis::cases, Axis::wells, Axis::periods},
                         "Mt/year",
                         "CO2 mass injected per year by a well in a period",
                         Storage::float32,
                         0.0,
                         1000.0,
                         false};
    Arrays both = {end, rate};
    both[0].called = "schedule_end";
    both[1].called = "schedule_rate";
    for (ArraySpec& spec : both) {
        spec.since = 2;
    }
    return both;
}

constexpr const char* transmissibility_unit = "cP.m3/day/bar";

/// What flows along an axis of the grid, between a cell and the next one.
ArraySpec transmissibility(const char* name, const char* long_name) {
    ArraySpec spec = optional_map(name, transmissibility_unit, long_name, {0.0, 1e15});
    spec.since = 4;
    return spec;
}

/// What gives the cells of a corner-point grid their shapes.
Arrays corner_points(Bounds place) {
    Arrays both = {cell("pillars", "m", "x, y and depth below the top of the upper and of the lower end of each pillar",
                        place, {Axis::y_edges, Axis::x_edges, Axis::pillar_ends}),
                   cell("corner_depths", "m", "depth below the top at which the corners of cells lie on their pillars",
                        place, {Axis::z_corners, Axis::y_corners, Axis::x_corners})};
    for (ArraySpec& spec : both) {
        spec.since = 4;
    }
    return both;
}

/// Pairs of cells that are no neighbours by their indices, as those that a fault brings together.
Arrays connections() {
    const ArraySpec pair{"/connections/first",
                         Role::cell,
                         {Axis::connections},
                         "1",
                         "number of a cell of the grid, counted from 0 in the order of its arrays",
                         Storage::float64,
                         0.0,
                         16777215.0,
                         false};
    Arrays all = {pair, pair, pair};
    all[0].called = "connection_first";
    all[1].path = "/connections/second";
    all[1].called = "connection_second";
    all[2].path = "/connections/transmissibility";
    all[2].called = "connection_transmissibility";
    all[2].role = Role::connection;
    all[2].axes = {Axis::cases, Axis::connections};
    all[2].unit = transmissibility_unit;
    all[2].long_name = "transmissibility between the cells of a pair";
    all[2].storage = Storage::float32;
    all[2].high = 1e15;
    for (ArraySpec& spec : all) {
        spec.since = 4;
    }
    return all;
}

ArraySpec output(const char* name, const char* unit, const char* long_name, Bounds bounds) {
    const std::vector<Axis> axes = {Axis::cases, Axis::times};
    return {"/outputs/" + std::string(name),
            Role::output,
            axes,
            unit,
            long_name,
            Storage::float32,
            bounds.low,
            bounds.high,
            false};
}

/// The arrays, with the axes of space added to maps and outputs.
Arrays over(const std::vector<Axis>& space, Arrays arrays) {
    for (ArraySpec& spec : arrays) {
        if (spec.role == Role::map || spec.role == Role::output) {
            spec.axes.insert(spec.axes.end(), space.begin(), space.end());
        }
    }
    return arrays;
}

ArraySpec z_edges() {
    return grid("z_edges", Axis::z_edges, "m", "depth of the cell edges below the top of the formation", {0.0, 1e5});
}

ArraySpec times() { return grid("times", Axis::times, "day", "time since the start of injection", {0.0, 1e8}); }

ArraySpec permeability(const char* name, const char* long_name) { return map(name, "mD", long_name, {1e-9, 1e7}); }

/// What cells hold and cases are described by, whatever the grid. What describes relative permeabilities of one shape
/// is not known of every model that was imported.
Arrays inputs(bool all_required) {
    return {
        map("porosity", "1", "porosity", {1e-6, 1.0}),
        map("perforation", "1", "fraction of the cell height that is perforated", {0.0, 1.0}),
        map("active", "1", "1 where the cell belongs to the formation", {0.0, 1.0}, Storage::uint8),
        scalar("injection_rate", "Mt/year", "CO2 mass injected per year", {0.0, 1000.0}),
        scalar("initial_pressure", "bar", "initial pressure at the top of the formation", {1.0, 2000.0}),
        scalar("temperature", "degC", "reservoir temperature", {0.0, 400.0}),
        scalar("irreducible_water_saturation", "1", "irreducible water saturation", {0.0, 1.0}, all_required),
        scalar("van_genuchten_lambda", "1", "van Genuchten exponent", {1e-6, 1.0}, all_required),
        scalar("thickness", "m", "formation thickness", {1e-3, 1e4}, all_required),
        salinity(),
        residual_gas_saturation(),
    };
}

ArraySpec trapped_gas_saturation() {
    ArraySpec spec =
        output("trapped_gas_saturation", "1", "part of gas_saturation that stays where brine returns", {0.0, 1.0});
    spec.since = 2;
    return spec;
}

Arrays joined(std::initializer_list<Arrays> parts) {
    Arrays all;
    for (const Arrays& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// The ends of the band of a field, which predictions by calibrated models have.
Arrays ends_of(const ArraySpec& field) {
    Arrays ends;
    for (const auto& [end, text] :
         {std::pair("_low", "lower end of the band of "), {"_high", "upper end of the band of "}}) {
        ArraySpec spec = field;
        spec.path += end;
        spec.long_name = text + std::string(field.name());
        ends.push_back(std::move(spec));
    }
    return ends;
}

Arrays outputs() {
    const ArraySpec saturation = output("gas_saturation", "1", "saturation of the CO2-rich phase", {0.0, 1.0}),
                    buildup = output("pressure_buildup", "bar", "pressure minus initial pressure", {-1000.0, 10000.0}),
                    dissolved =
                        output("dissolved_co2", "kg/m3", "CO2 dissolved in the brine per pore volume", {0.0, 1000.0});
    return joined({{saturation, buildup, dissolved, trapped_gas_saturation()},
                   ends_of(saturation),
                   ends_of(buildup),
                   ends_of(dissolved)});
}

Arrays radial_arrays() {
    const Arrays own = {grid("r_edges", Axis::r_edges, "m", "radial cell edges from the well axis", {0.0, 1e7}),
                        z_edges(), times(), permeability("permeability_r", "horizontal permeability"),
                        permeability("permeability_z", "vertical permeability")};
    return over(
        {Axis::z, Axis::r},
        joined({own, inputs(true), {bottom_hole_pressure_limit(), dissolution_rate_limit()}, schedule(), outputs()}));
}

Arrays cartesian_arrays() {
    const Bounds place{-1e7, 1e7};
    const Arrays own = {
        grid("x_edges", Axis::x_edges, "m", "cell edges along x", place),
        grid("y_edges", Axis::y_edges, "m", "cell edges along y", place),
        z_edges(),
        times(),
        cell("cell_volume", "m3", "bulk volume of the cells", {0.0, 1e15}),
        cell("cell_centre_x", "m", "x of the cell centres", place),
        cell("cell_centre_y", "m", "y of the cell centres", place),
        cell("cell_centre_z", "m", "depth of the cell centres below the top of the formation", place),
        permeability("permeability_x", "permeability along x"),
        permeability("permeability_y", "permeability along y"),
        permeability("permeability_z", "permeability along z"),
        map("cell_injection_rate", "Mt/year", "CO2 mass injected into the cell per year", {0.0, 1000.0}),
        optional_map("pore_volume", "m3", "pore volume at the initial pressure", {0.0, 1e15}),
        optional_map("saturation_region", "1", "number of the saturation table of the cell", {0.0, 10000.0}),
        transmissibility("transmissibility_x", "transmissibility to the next cell along x"),
        transmissibility("transmissibility_y", "transmissibility to the next cell along y"),
        transmissibility("transmissibility_z", "transmissibility to the cell below"),
        transmissibility("well_connection_factor", "transmissibility factor of the connection of a well")};
    return over({Axis::z, Axis::y, Axis::x},
                joined({own, corner_points(place), inputs(false), connections(), schedule(), outputs()}));
}

/// What has a meaning in all generic data: times in any unit, and a mask.
Arrays generic_arrays() {
    ArraySpec time = times(), active = map("active", "1", "1 where the point counts", {0.0, 1.0}, Storage::uint8);
    for (ArraySpec* spec : {&time, &active}) {
        spec->required = false;
        spec->since = 3;
    }
    return {time, active};
}

}  // namespace

std::span<const ArraySpec> dataset_arrays(Geometry geometry) {
    static const Arrays radial = radial_arrays();
    static const Arrays cartesian = cartesian_arrays();
    static const Arrays generic = generic_arrays();
    return geometry == Geometry::radial ? radial : geometry == Geometry::cartesian ? cartesian : generic;
}

const ArraySpec* find_array(std::string_view name, Geometry geometry) {
    const auto arrays = dataset_arrays(geometry);
    const auto found = std::ranges::find_if(arrays, [&](const auto& spec) { return spec.name() == name; });
    return found == arrays.end() ? nullptr : &*found;
}

const ArraySpec* find_array(std::string_view name) {
    const ArraySpec* radial = find_array(name, Geometry::radial);
    return radial != nullptr ? radial : find_array(name, Geometry::cartesian);
}

const ArraySpec* find_array_at(std::string_view path, Geometry geometry) {
    const auto arrays = dataset_arrays(geometry);
    const auto found = std::ranges::find(arrays, path, &ArraySpec::path);
    return found == arrays.end() ? nullptr : &*found;
}

std::vector<std::string> array_names(Role role) {
    std::vector<std::string> names;
    for (const Geometry geometry : {Geometry::radial, Geometry::cartesian}) {
        for (const ArraySpec& spec : dataset_arrays(geometry)) {
            if (spec.role == role && std::ranges::find(names, spec.name()) == names.end()) {
                names.emplace_back(spec.name());
            }
        }
    }
    return names;
}

std::string_view banded_field(std::string_view name) {
    const std::size_t end = name.rfind('_');
    const bool is_end = end != std::string_view::npos && (name.substr(end) == "_low" || name.substr(end) == "_high");
    return is_end && find_array(name) != nullptr ? name.substr(0, end) : std::string_view();
}

std::string_view symbol_of(Axis axis) {
    constexpr auto symbols = std::to_array<std::string_view>(
        {"N", "T", "Z", "R", "Z+1", "R+1", "Y", "X", "Y+1", "X+1", "W", "P", "K", "6", "2Z", "2Y", "2X"});
    static_assert(symbols.size() == static_cast<std::size_t>(Axis::x_corners) + 1, "each axis has a symbol");
    return symbols[static_cast<std::size_t>(axis)];
}

std::string axes_text(const ArraySpec& spec) {
    std::string text;
    for (const Axis axis : spec.axes) {
        text += (text.empty() ? "" : ",") + std::string(symbol_of(axis));
    }
    return text;
}

}  // namespace plumecast
