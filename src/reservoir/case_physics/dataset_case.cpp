#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/rock_fluid.hpp"

namespace plumecast {
namespace {

std::vector<double> map_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, {&which, 1}, values);
    return {values.begin(), values.end()};
}

double scalar_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(which)]);
}

}  // namespace

RadialCase radial_case(const Dataset& dataset, std::int64_t which) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(dataset.path() +
                          ": derivatives of the reduced physics need a radial grid (on boxes it has fields alone); use "
                          "a model without "
                          "physics for derivatives");
    }
    RadialCase radial;
    radial.r_edges = dataset.r_edges();
    radial.z_edges = dataset.z_edges();
    radial.times = dataset.times();
    radial.permeability_r = map_of(dataset, "permeability_r", which);
    radial.permeability_z = map_of(dataset, "permeability_z", which);
    radial.porosity = map_of(dataset, "porosity", which);
    radial.perforation = map_of(dataset, "perforation", which);
    for (const double active : map_of(dataset, "active", which)) {
        radial.active.push_back(active != 0.0 ? 1 : 0);
    }
    radial.injection_rate = scalar_of(dataset, "injection_rate", which);
    radial.schedule = stated_schedule(dataset, which);
    radial.initial_pressure = scalar_of(dataset, "initial_pressure", which);
    radial.temperature = scalar_of(dataset, "temperature", which);
    radial.irreducible_water_saturation = scalar_of(dataset, "irreducible_water_saturation", which);
    radial.van_genuchten_lambda = scalar_of(dataset, "van_genuchten_lambda", which);
    radial.salinity = scalar_of(dataset, "salinity", which);
    radial.residual_gas_saturation = scalar_of(dataset, "residual_gas_saturation", which);
    if (dataset.has("bottom_hole_pressure_limit")) {
        radial.bottom_hole_pressure_limit = scalar_of(dataset, "bottom_hole_pressure_limit", which);
    }
    radial.dissolution_rate_limit = dissolution_rate_limit(dataset, which);
    radial.rock_fluid = rock_fluid_of(dataset);
    return radial;
}

namespace {

bool has_cells_of_its_own(const Dataset& dataset) {
    return !dataset.cell_values("cell_volume").empty() && !dataset.cell_values("cell_centre_z").empty();
}

void require_box(const Dataset& dataset) {
    const auto refuse = [&](const std::string& problem) { throw InvalidData(dataset.path() + ": " + problem); };
    if (dataset.geometry() != Geometry::cartesian) {
        refuse("has a radial grid (a Cartesian one is needed); use radial_case()");
    }
    const bool tells_flow = dataset.has("transmissibility_x") || !dataset.cell_values("pillars").empty();
    if (!is_box(dataset) && !(tells_flow && has_cells_of_its_own(dataset))) {
        refuse(
            "has a corner-point grid whose cells are not those of a box with its edges, without /inputs/"
            "transmissibility_x, _y and _z or /grid/pillars and corner_depths, or without /grid/cell_volume and "
            "cell_centre_z (reduced physics does not know what connects such cells); import a run with its EGRID file, "
            "or text with COORD and ZCORN, bring the case onto a box, or simulate it");
    }
    if (dataset.has("saturation_region")) {
        return;
    }
    for (const char* name : {"irreducible_water_saturation", "van_genuchten_lambda"}) {
        if (!dataset.has(name)) {
            refuse(std::string("has no /inputs/") + name +
                   " (relative permeabilities and capillary pressure of the reduced physics follow from it, or from "
                   "saturation tables); add it");
        }
    }
}

/// Those of the saturation tables, where cells say which one they have.
void add_saturation_functions(BoxCase& box, const Dataset& dataset, std::int64_t which) {
    if (!dataset.has("saturation_region")) {
        box.irreducible_water_saturation = scalar_of(dataset, "irreducible_water_saturation", which);
        box.van_genuchten_lambda = scalar_of(dataset, "van_genuchten_lambda", which);
        return;
    }
    box.saturation_tables = saturation_tables(dataset, which);
    if (box.saturation_tables.empty()) {
        throw InvalidData(fmt::format(
            "{}: case {} has /inputs/saturation_region, but no /case/{} (the numbers name its tables); add them to "
            "the file, or leave saturation_region out",
            dataset.path(), which, saturation_tables_name));
    }
    box.saturation_region = saturation_regions(dataset, which, box.saturation_tables.size());
}

std::vector<double> doubles(const std::vector<float>& values) { return {values.begin(), values.end()}; }

/// Of corners and permeabilities, where the data set states no transmissibilities; connections that it states stay.
void connect_by_corners(BoxCase& box, const Dataset& dataset) {
    CellConnections found = corner_point_connections(
        corner_points_of(dataset),
        {box.permeability_x, box.permeability_y, box.permeability_z, std::vector<char>(box.active)});
    box.transmissibility_x = std::move(found.x);
    box.transmissibility_y = std::move(found.y);
    box.transmissibility_z = std::move(found.z);
    if (dataset.cell_values("connection_first").empty()) {
        box.connections = std::move(found.apart);
    }
}

/// What a corner-point grid states of its cells and what connects them.
void add_corner_point_cells(BoxCase& box, const Dataset& dataset, std::int64_t which) {
    const auto& volumes = dataset.cell_values("cell_volume");
    const auto& depths = dataset.cell_values("cell_centre_z");
    if (!is_box(dataset)) {
        box.cell_volume.assign(volumes.begin(), volumes.end());
        box.cell_depth.assign(depths.begin(), depths.end());
    }
    for (const auto& [name, values] : {std::pair("transmissibility_x", &box.transmissibility_x),
                                       {"transmissibility_y", &box.transmissibility_y},
                                       {"transmissibility_z", &box.transmissibility_z},
                                       {"well_connection_factor", &box.well_connection_factor}}) {
        if (dataset.has(name)) {
            *values = map_of(dataset, name, which);
        }
    }
    if (follows_from_corners(dataset)) {
        connect_by_corners(box, dataset);
    }
    const auto& first = dataset.cell_values("connection_first");
    const auto& second = dataset.cell_values("connection_second");
    const std::vector<float> transmissibilities = dataset.connection_transmissibilities(which);
    for (std::size_t i = 0; i < transmissibilities.size(); ++i) {
        box.connections.push_back({static_cast<std::size_t>(first[i]), static_cast<std::size_t>(second[i]),
                                   static_cast<double>(transmissibilities[i])});
    }
}

}  // namespace

bool follows_from_corners(const Dataset& dataset) {
    return !is_box(dataset) && !dataset.has("transmissibility_x") && !dataset.cell_values("pillars").empty();
}

CornerPoints corner_points_of(const Dataset& dataset) {
    return {dataset.z_edges().size() - 1, dataset.y_edges().size() - 1, dataset.x_edges().size() - 1,
            doubles(dataset.cell_values("pillars")), doubles(dataset.cell_values("corner_depths"))};
}

BoxCase box_case(const Dataset& dataset, std::int64_t which) {
    require_box(dataset);
    BoxCase box;
    box.x_edges = dataset.x_edges();
    box.y_edges = dataset.y_edges();
    box.z_edges = dataset.z_edges();
    box.times = dataset.times();
    box.permeability_x = map_of(dataset, "permeability_x", which);
    box.permeability_y = map_of(dataset, "permeability_y", which);
    box.permeability_z = map_of(dataset, "permeability_z", which);
    box.porosity = map_of(dataset, "porosity", which);
    box.perforation = map_of(dataset, "perforation", which);
    box.cell_injection_rate = map_of(dataset, "cell_injection_rate", which);
    for (const double active : map_of(dataset, "active", which)) {
        box.active.push_back(active != 0.0 ? 1 : 0);
    }
    box.schedule_ends = dataset.schedule_ends();
    for (InjectionSchedule& well : schedules_of_wells(dataset, which)) {
        box.schedule_rates.push_back(std::move(well.rates));
    }
    box.initial_pressure = scalar_of(dataset, "initial_pressure", which);
    box.temperature = scalar_of(dataset, "temperature", which);
    box.salinity = dataset.has("salinity") ? scalar_of(dataset, "salinity", which) : 0.0;
    add_saturation_functions(box, dataset, which);
    add_corner_point_cells(box, dataset, which);
    if (dataset.has("pore_volume")) {
        box.pore_volume = map_of(dataset, "pore_volume", which);
    }
    if (dataset.has("residual_gas_saturation")) {
        box.residual_gas_saturation = scalar_of(dataset, "residual_gas_saturation", which);
    }
    box.rock_fluid = rock_fluid_of(dataset);
    box.aquifer = std::isnan(box.rock_fluid.aquifer_factor) ? 1.0 : box.rock_fluid.aquifer_factor;
    box.well_radius = dataset.well_radius().value_or(box.well_radius);
    return box;
}

void require_physics_case(const Dataset& dataset) {
    dataset.require_reservoir("the reduced physics");
    if (dataset.geometry() == Geometry::radial) {
        radial_case(dataset, 0);
        return;
    }
    require_box(dataset);
}

}  // namespace plumecast
