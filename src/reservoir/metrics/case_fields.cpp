#include "reservoir/metrics/case_fields.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>

#include "core/units.hpp"
#include "reservoir/dataset/box_cells.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/cases/dissolution_limit.hpp"
#include "reservoir/dataset/cases/injected_mass.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/metrics/column_shares.hpp"
#include "reservoir/metrics/mass_balance.hpp"
#include "reservoir/physics/box_case.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/temperature_profile.hpp"

namespace plumecast {
namespace {

/// Throws for the first value in an active cell that is not finite.
void check_finite(const std::vector<float>& values, const std::vector<float>& active, const std::string& what) {
    for (std::size_t i = 0, cell = 0; i < values.size(); ++i, cell = cell + 1 < active.size() ? cell + 1 : 0) {
        if (active[cell] != 0.0F && !std::isfinite(values[i])) {
            throw InvalidData(
                fmt::format("{}: the value in active cell {} is not finite (it can be neither measured nor "
                            "drawn); predict or simulate the case again",
                            what, cell));
        }
    }
}

std::vector<float> read_map(const Dataset& dataset, const char* name, std::int64_t number) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    const std::int64_t cases[] = {number};
    dataset.read_map(name, cases, values);
    return values;
}

CellGeometry read_geometry(const Dataset& dataset, std::int64_t number) {
    if (dataset.geometry() == Geometry::radial) {
        return radial_geometry(dataset.r_edges(), dataset.z_edges());
    }
    const std::vector<float> rates = read_map(dataset, "cell_injection_rate", number);
    const std::size_t columns = rates.size() / static_cast<std::size_t>(dataset.rows());
    std::vector<std::size_t> wells;
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t cell = column; cell < rates.size(); cell += columns) {
            if (rates[cell] > 0.0F) {
                wells.push_back(column);
                break;
            }
        }
    }
    // A corner-point grid has volumes and centres of its own.
    const std::vector<float>& volumes = dataset.cell_values("cell_volume");
    const std::vector<float>&x = dataset.cell_values("cell_centre_x"), &y = dataset.cell_values("cell_centre_y");
    std::optional<ColumnPlaces> places;
    if (!volumes.empty() && !x.empty() && !y.empty() && !is_box(dataset)) {
        places = column_places(dataset.x_edges(), dataset.y_edges(), volumes, x, y);
    }
    CellGeometry geometry =
        box_geometry(dataset.x_edges(), dataset.y_edges(), dataset.z_edges(), wells, places ? &*places : nullptr);
    if (!volumes.empty()) {
        geometry.volumes.assign(volumes.begin(), volumes.end());
    }
    const std::vector<float>& depths = dataset.cell_values("cell_centre_z");
    geometry.centre_depths.assign(depths.begin(), depths.end());
    return geometry;
}

/// Connections of a well in the axis of rings, per row.
CaseWell ring_well(const Dataset& dataset, double radius, const CaseFields& fields,
                   const std::vector<float>& perforation) {
    const std::vector<float> permeability = read_map(dataset, "permeability_r", fields.number);
    const std::vector<double>& z = dataset.z_edges();
    // The wall of the well is the first edge; rings that begin in the axis hold a well of the radius stated.
    const double wall = dataset.r_edges()[0] > 0.0 ? dataset.r_edges()[0] : radius;
    const cylinder::Ring ring{wall, dataset.r_edges()[1]};
    const double entry = rock_fluid_of(dataset).entry_pressure / entry_pressure;  // per that of the usual curves
    CaseWell well;
    for (std::size_t row = 0; row + 1 < z.size() && ring.outer > ring.inner; ++row) {
        const std::size_t cell = row * fields.geometry.columns;
        const double open = static_cast<double>(perforation[cell]) * (z[row + 1] - z[row]);
        if (fields.active[cell] != 0.0F && open > 0.0) {
            well.connections.push_back(
                {cell, cylinder::well_connection_factor(ring, static_cast<double>(permeability[cell]), open),
                 fields.geometry.depth_of(cell),
                 entry * leverett_factor(static_cast<double>(permeability[cell]),
                                         static_cast<double>(fields.porosity[cell]))});
        }
    }
    return well;
}

/// box_connection_factor(); NaN where the cell is too narrow for the well.
double factor_in_box(double dx, double dy, double dz, double along_x, double along_y, double radius) {
    return box_equivalent_radius(dx, dy, along_x, along_y) > radius
               ? box_connection_factor(dx, dy, dz, along_x, along_y, radius)
               : std::numeric_limits<double>::quiet_NaN();
}

/// Wells in the middle of cells of a box, with the factors that the file states or Peaceman's: the perforated cells
/// above each other are one, at the sum of their rates.
std::vector<CaseWell> box_wells_of(const Dataset& dataset, double radius, const CaseFields& fields,
                                   const std::vector<float>& perforation) {
    const std::vector<float> rates = read_map(dataset, "cell_injection_rate", fields.number);
    const std::vector<float> along_x = read_map(dataset, "permeability_x", fields.number);
    const std::vector<float> along_y = read_map(dataset, "permeability_y", fields.number);
    const std::vector<float> stated = dataset.has("well_connection_factor")
                                          ? read_map(dataset, "well_connection_factor", fields.number)
                                          : std::vector<float>(rates.size(), 0.0F);
    const CellGeometry& geometry = fields.geometry;
    const std::vector<double>&x = dataset.x_edges(), &y = dataset.y_edges();
    std::vector<CaseWell> wells;
    for (std::size_t column = 0; column < geometry.columns; ++column) {
        const std::size_t i = column % (x.size() - 1);
        const std::size_t j = column / (x.size() - 1);
        const double dx = x[i + 1] - x[i];
        const double dy = y[j + 1] - y[j];
        CaseWell well;
        double rate = 0.0;
        for (std::size_t cell = column; cell < rates.size(); cell += geometry.columns) {
            // The height of a cell that has a volume of its own, as those of a corner-point grid.
            const double open = static_cast<double>(perforation[cell]) * geometry.volumes[cell] / (dx * dy);
            if (fields.active[cell] != 0.0F && open > 0.0) {
                rate += static_cast<double>(rates[cell]);
                const double factor = stated[cell] > 0.0F
                                          ? static_cast<double>(stated[cell])
                                          : factor_in_box(dx, dy, open, static_cast<double>(along_x[cell]),
                                                          static_cast<double>(along_y[cell]), radius);
                well.connections.push_back({cell, factor, geometry.depth_of(cell)});
            }
        }
        well.share = fields.injection_rate > 0.0 ? rate / fields.injection_rate : 0.0;
        if (!well.connections.empty()) {
            wells.push_back(std::move(well));
        }
    }
    return wells;
}

/// The scalar of a case that boxes need not have; what well_fluids assumes otherwise.
double scalar_or(const Dataset& dataset, const char* name, std::int64_t number, double otherwise) {
    return dataset.has(name) ? static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(number)]) : otherwise;
}

/// Which saturation table the cells have, and what brine traps by them, where the file has tables.
void add_regions(const Dataset& dataset, CaseFields& fields) {
    if (!dataset.has("saturation_region")) {
        return;
    }
    fields.tables = saturation_tables(dataset, fields.number);
    if (fields.tables.empty()) {
        return;  // relative permeabilities of the usual shape take their place
    }
    const double residual = scalar_or(dataset, "residual_gas_saturation", fields.number, 0.0);
    fields.regions = saturation_regions(dataset, fields.number, fields.tables.size());
    const std::vector<double> critical = critical_gas_saturations(fields.tables);
    for (std::size_t table = 0; table < critical.size(); ++table) {
        fields.trapping_of_tables.emplace_back(critical[table], residual, fields.tables[table].back().gas_saturation);
    }
}

/// The wells that as many schedules are of: all, or those that inject where others are perforated beside them; none
/// where nothing says which.
std::vector<std::size_t> wells_of_schedules(const std::vector<CaseWell>& wells, std::size_t schedules) {
    std::vector<std::size_t> found;
    for (std::size_t well = 0; well < wells.size(); ++well) {
        if (schedules == wells.size() || wells[well].share > 0.0) {
            found.push_back(well);
        }
    }
    return found.size() == schedules ? found : std::vector<std::size_t>();
}

/// Rates of several wells, each with a schedule; where nothing says which is whose, none has a pressure. A well without
/// a schedule never injects.
void add_rates(const Dataset& dataset, CaseFields& fields) {
    std::vector<InjectionSchedule> schedules = schedules_of_wells(dataset, fields.number);
    while (schedules.size() > fields.wells.size() && schedules.back().largest_rate() == 0.0) {
        schedules.pop_back();  // of a well that other cases of the file have
    }
    if (schedules.size() < 2) {
        return;
    }
    const std::vector<std::size_t> wells = wells_of_schedules(fields.wells, schedules.size());
    if (wells.empty()) {
        fields.wells.clear();
        return;
    }
    for (CaseWell& well : fields.wells) {
        well.rates.assign(dataset.times().size(), 0.0);
        well.injected = well.rates;
    }
    for (std::size_t which = 0; which < wells.size(); ++which) {
        CaseWell& well = fields.wells[wells[which]];
        for (std::size_t time = 0; time < well.rates.size(); ++time) {
            const double day = dataset.times()[time];
            well.rates[time] = schedules[which].rate(day) * kilograms_per_megatonne / days_per_year;
            well.injected[time] = schedules[which].injected(day);
        }
    }
}

}  // namespace

void add_wells(const Dataset& dataset, std::optional<double> radius, CaseFields& fields) {
    const std::vector<float> perforation = read_map(dataset, "perforation", fields.number);
    WellFluids& fluids = fields.well_fluids;
    fluids.temperature = fields.temperature;
    fluids.salinity = fields.salinity;
    fluids.irreducible_water =
        scalar_or(dataset, "irreducible_water_saturation", fields.number, fluids.irreducible_water);
    fluids.lambda = scalar_or(dataset, "van_genuchten_lambda", fields.number, fluids.lambda);
    fluids.residual_gas = rock_fluid_of(dataset).residual_gas_saturation;
    const double usual = dataset.well_radius().value_or(default_well_radius);
    if (dataset.geometry() == Geometry::cartesian) {
        add_regions(dataset, fields);
        fields.wells = box_wells_of(dataset, radius.value_or(usual), fields, perforation);
        add_rates(dataset, fields);
        return;
    }
    CaseWell well = ring_well(dataset, radius.value_or(usual), fields, perforation);
    if (!well.connections.empty()) {
        fields.wells.push_back(std::move(well));
    }
}

double CaseFields::rate(double day) const { return schedule.ends.empty() ? injection_rate : schedule.rate(day); }

double CaseFields::injected(double day) const {
    return schedule.ends.empty() ? injection_rate * day / days_per_year : schedule.injected(day);
}

std::string name_of(DepthSource source) {
    return source == DepthSource::given ? "given" : source == DepthSource::data_set ? "data set" : "water at rest";
}

CaseReader::CaseReader(const std::string& path, const MeasuringOptions& options) : CaseReader(Dataset(path), options) {}

CaseReader::CaseReader(Dataset dataset, const MeasuringOptions& options)
    : dataset_(std::move(dataset)), options_(options) {
    dataset_.require_reservoir("what is measured on plumes");
    if (!dataset_.has_outputs()) {
        throw InvalidData(dataset_.path() +
                          ": no /outputs (the file holds cases to predict, not fields); run 'plumecast predict' on "
                          "it first");
    }
    injected_mass_ = injected_mass(dataset_);
    if (options_.polygon) {
        inside_ = shares_within(dataset_, *options_.polygon);
    }
}

bool CaseReader::has(const std::string& output) const {
    return std::ranges::find(dataset_.outputs(), output) != dataset_.outputs().end();
}

std::vector<float> CaseReader::read_field(const std::string& name, const CaseFields& fields) const {
    if (!has(name)) {
        return {};
    }
    std::vector<float> values(times().size() * fields.active.size());
    const std::int64_t cases[] = {fields.number};
    dataset_.read_output(name, cases, values);
    check_finite(values, fields.active,
                 fmt::format("{}: /outputs/{} of case {}", dataset_.path(), name, fields.number));
    return values;
}

std::vector<std::int64_t> CaseReader::select(const std::vector<std::int64_t>& wanted) const {
    for (const std::int64_t number : wanted) {
        if (number < 0 || number >= dataset_.cases()) {
            throw InvalidInput(fmt::format("{}: no case {} (the file has cases 0 to {}); choose one of them",
                                           dataset_.path(), number, dataset_.cases() - 1));
        }
    }
    if (!wanted.empty()) {
        std::vector<std::int64_t> once;
        std::ranges::copy_if(wanted, std::back_inserter(once),
                             [&](std::int64_t number) { return std::ranges::find(once, number) == once.end(); });
        return once;
    }
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset_.cases()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool CaseReader::has_values(std::int64_t number) const {
    const std::vector<float> active = read_map(dataset_, "active", number);
    std::vector<float> values(times().size() * active.size());
    dataset_.read_output(dataset_.outputs().front(), {&number, 1}, values);
    bool has_active = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (active[i % active.size()] != 0.0F) {
            has_active = true;
            if (!std::isnan(values[i])) {
                return true;
            }
        }
    }
    return !has_active;
}

ChosenCases CaseReader::choose(const std::vector<std::int64_t>& wanted) const {
    ChosenCases chosen;
    for (const std::int64_t number : select(wanted)) {
        (has_values(number) ? chosen.numbers : chosen.without_values).push_back(number);
    }
    if (!chosen.without_values.empty() && (!wanted.empty() || chosen.numbers.empty())) {
        const bool says_why = dataset_.is_file() && has_trust_reasons(dataset_.path());
        throw InvalidData(fmt::format(
            "{}: case {} has no values (NaN, as it could not be computed{}); choose another "
            "case, or correct its inputs",
            dataset_.path(), chosen.without_values.front(), says_why ? "; /case/trust_reasons says why" : ""));
    }
    return chosen;
}

CaseFields CaseReader::read(std::int64_t number) const {
    CaseFields fields = case_with_wells(dataset_, number, options_);
    fields.inside = inside_;
    fields.gas_saturation = read_field("gas_saturation", fields);
    fields.pressure_buildup = read_field("pressure_buildup", fields);
    fields.dissolved_co2 = read_field("dissolved_co2", fields);
    fields.trapped_gas_saturation = read_field("trapped_gas_saturation", fields);
    const auto mass = injected_mass_.begin() + (injected_mass_.empty() ? 0 : number * dataset_.snapshots());
    fields.injected_mass.assign(mass, injected_mass_.empty() ? mass : mass + dataset_.snapshots());
    return fields;
}

CaseFields case_with_wells(const Dataset& dataset, std::int64_t number, const MeasuringOptions& options) {
    CaseFields fields = case_inputs(dataset, number, options);
    add_wells(dataset, options.well_radius, fields);
    return fields;
}

CaseFields case_inputs(const Dataset& dataset, std::int64_t number, const MeasuringOptions& options) {
    CaseFields fields;
    fields.number = number;
    fields.geometry = read_geometry(dataset, number);
    fields.active = read_map(dataset, "active", number);
    fields.porosity = read_map(dataset, "porosity", number);
    check_finite(fields.porosity, fields.active,
                 fmt::format("{}: /inputs/porosity of case {}", dataset.path(), number));
    const auto of_case = [&](const char* name) {
        return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(number)]);
    };
    fields.injection_rate = of_case("injection_rate");
    fields.schedule = schedule_of(dataset, number);
    fields.is_scheduled = !dataset.schedule_ends().empty();
    fields.temperature = of_case("temperature");
    fields.salinity = of_case("salinity");
    if (dataset.has("bottom_hole_pressure_limit")) {
        fields.bottom_hole_pressure_limit = of_case("bottom_hole_pressure_limit");
    }
    fields.dissolution_rate_limit = dissolution_rate_limit(dataset, number);
    fields.trapping =
        LandTrapping(rock_fluid_of(dataset).residual_gas_saturation, of_case("residual_gas_saturation"),
                     dataset.has("irreducible_water_saturation") ? 1.0 - of_case("irreducible_water_saturation") : 1.0);
    const double top = of_case("initial_pressure");
    fields.initial_pressure = top;
    const std::optional<double> known = options.top_depth ? options.top_depth : dataset.top_depth();
    fields.depth_source = options.top_depth ? DepthSource::given
                          : known           ? DepthSource::data_set
                                            : DepthSource::water_at_rest;
    fields.top_depth = known ? *known : hydrostatic_depth(top, fields.temperature);
    const CellGeometry& geometry = fields.geometry;
    fields.pore_volumes = pore_volumes(dataset, number, geometry.volumes, fields.porosity, fields.active);
    const bool is_radial = dataset.geometry() == Geometry::radial;
    const RockFluidSettings rock_fluid = rock_fluid_of(dataset);
    const double gradient = rock_fluid.temperature_gradient;
    const bool is_level = is_radial || is_box(dataset);
    const TemperatureProfile temperatures(fields.temperature,
                                          is_radial ? middle_depth(dataset.z_edges(), fields.active)
                                                    : 0.5 * (dataset.z_edges().front() + dataset.z_edges().back()),
                                          gradient, rock_fluid.initial_brine_temperature);
    const double base =
        is_radial ? active_base(dataset.z_edges(), fields.active) : std::numeric_limits<double>::infinity();
    std::vector<double> depths;
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        depths.push_back(geometry.depth_of(cell));
    }
    const std::vector<double> warm =
        is_radial || std::isnan(gradient)
            ? std::vector<double>()
            : pressures_of_warm_brine({top, temperatures.at(0.0), gradient, fields.salinity}, depths);
    double depth = -1.0;
    double pressure = 0.0;
    for (std::size_t cell = 0; cell < fields.active.size(); ++cell) {
        if (depths[cell] != depth) {  // an integral over depth, the same for the cells of a level row
            depth = depths[cell];
            pressure = hydrostatic_pressure(top, temperatures.initial_brine_above(depth), fields.salinity, depth);
        }
        fields.initial_pressures.push_back(warm.empty() ? pressure : warm[cell]);
        if (!std::isnan(gradient)) {
            // Rows below the lowest active cell have its temperature, as no fluid of theirs is known or needed.
            const double warmth = temperatures.at(std::min(depth, base));
            // Each temperature has a table of densities, and each cell of a corner-point grid a depth of its own.
            constexpr double steps = 100.0;  // per degC
            fields.temperatures.push_back(is_level ? warmth : std::round(steps * warmth) / steps);
        }
    }
    return fields;
}

}  // namespace plumecast
