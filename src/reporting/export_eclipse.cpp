#include <map>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reporting/export.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reporting/exported_case.hpp"
#include "reservoir/eclipse/output/result_files.hpp"
#include "reservoir/metrics/well_curves.hpp"
#include "reservoir/metrics/well_pressure.hpp"
#include "reservoir/physics/brine.hpp"

namespace plumecast {
namespace {

using eclipse::CellProperty;

std::filesystem::path with(const ExportedCase& one, const std::string& name, eclipse::RecordFormat format) {
    std::filesystem::path path = one.stem;
    return path += "." + eclipse::extension(name, format);
}

std::vector<CellProperty> static_properties(const ExportedCase& one) {
    static const std::multimap<std::string, std::string> keywords = {
        {"porosity", "PORO"},        {"permeability_r", "PERMX"}, {"permeability_r", "PERMY"},
        {"permeability_x", "PERMX"}, {"permeability_y", "PERMY"}, {"permeability_z", "PERMZ"}};
    std::vector<CellProperty> properties;
    for (const auto& [name, values] : one.maps) {
        const auto [begin, end] = keywords.equal_range(name);
        for (auto entry = begin; entry != end; ++entry) {
            properties.push_back({entry->second, one.on_active_grid(values)});
        }
    }
    std::vector<float> depths(one.fields.active.size());
    for (std::size_t cell = 0; cell < depths.size(); ++cell) {
        depths[cell] = static_cast<float>(one.fields.top_depth + one.fields.geometry.depth_of(cell));
    }
    properties.push_back({"DEPTH", one.on_active_grid(depths)});
    return properties;
}

/// The state at a time; before the first one, at rest.
std::vector<CellProperty> solution(const ExportedCase& one, std::optional<std::size_t> time) {
    const CaseFields& fields = one.fields;
    const std::size_t cells = fields.active.size();
    std::vector<CellProperty> properties;
    if (!fields.pressure_buildup.empty()) {
        std::vector<float> pressure(cells);
        std::vector<float> buildup(cells, 0.0F);
        if (time) {
            const auto values = fields.at(fields.pressure_buildup, *time);
            buildup.assign(values.begin(), values.end());
        }
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double initial = fields.initial_pressures[cell];
            pressure[cell] = static_cast<float>(initial) + buildup[cell];
        }
        properties.push_back({"PRESSURE", one.on_active_grid(pressure)});
        properties.push_back({"DELTAP", one.on_active_grid(buildup)});
    }
    if (!fields.gas_saturation.empty()) {
        std::vector<float> gas(cells, 0.0F);
        if (time) {
            const auto values = fields.at(fields.gas_saturation, *time);
            gas.assign(values.begin(), values.end());
        }
        std::vector<float> water(cells);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            water[cell] = 1.0F - gas[cell];
        }
        properties.push_back({"SWAT", one.on_active_grid(water)});
        properties.push_back({"SGAS", one.on_active_grid(gas)});
    }
    return properties;
}

/// Density of CO2 at the surface [kg/sm3].
double surface_density() {
    constexpr double pressure = 1.01325;   // [bar]
    constexpr double temperature = 15.56;  // [degC]
    return co2_density(pressure, temperature);
}

std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double& value : values) {
        value *= factor;
    }
    return values;
}

/// Rate, total and pressure of each well, named INJ as in decks of `generate`, of boxes with the well's number in the
/// data set.
void add_wells(const ExportedCase& one, std::vector<eclipse::SummaryVector>& vectors) {
    const std::vector<double>& times = one.reader.times();
    const std::vector<CaseWell>& wells = one.fields.wells;
    const std::vector<double> all_rates = injected_rates(one.fields, times);
    const std::vector<double>& all_injected = find_series(one.totals, "mass_injected")->values;
    const std::vector<WellCurve> curves =
        one.fields.pressure_buildup.empty() ? std::vector<WellCurve>() : well_curves(one.fields, times);
    for (std::size_t i = 0; i < wells.size(); ++i) {
        const CaseWell& well = wells[i];
        const std::string name = one.is_radial() ? "INJ" : "INJ" + std::to_string(i + 1);
        const std::vector<double> rates = well.rates.empty() ? scaled(all_rates, well.share) : well.rates;
        const std::vector<double> injected = well.injected.empty() ? scaled(all_injected, well.share) : well.injected;
        vectors.push_back({"WGIR", "SM3/DAY", scaled(rates, 1.0 / surface_density()), name});
        vectors.push_back({"WGIT", "SM3", scaled(injected, kilograms_per_megatonne / surface_density()), name});
        if (!curves.empty()) {
            vectors.push_back({"WBHP", "BARSA", curves[i].bottom_hole, name});
        }
    }
}

/// Totals as vectors of the summary; names of our own begin with FU, as those of users do.
std::vector<eclipse::SummaryVector> summary_vectors(const ExportedCase& one) {
    struct Entry {
        const char* series;
        const char* keyword;
        const char* unit;
        double factor;
    };
    static constexpr Entry entries[] = {{"mass_free", "FGMGP", "KG", kilograms_per_megatonne},
                                        {"mean_pressure", "FPR", "BARSA", 1.0},
                                        {"plume_radius_0.01", "FUPLRAD", "METRES", 1.0},
                                        {"plume_area_0.01", "FUPLAREA", "M2", 1.0},
                                        {"plume_thickness_0.01", "FUPLTHK", "METRES", 1.0},
                                        {"plume_footprint_0.01", "FUPLTOP", "M2", 1.0},
                                        {"max_buildup", "FUDPMAX", "BARS", 1.0},
                                        {"bottom_hole_pressure", "FUBHPMAX", "BARSA", 1.0},
                                        {"front_radius", "FUFRRAD", "METRES", 1.0}};
    const std::vector<double>& times = one.reader.times();
    std::vector<eclipse::SummaryVector> vectors;
    vectors.push_back({"FGIR", "SM3/DAY", scaled(injected_rates(one.fields, times), 1.0 / surface_density())});
    vectors.push_back(
        {"FGIT", "SM3",
         scaled(find_series(one.totals, "mass_injected")->values, kilograms_per_megatonne / surface_density())});
    for (const Entry& entry : entries) {
        if (const NamedSeries* series = find_series(one.totals, entry.series)) {
            vectors.push_back({entry.keyword, entry.unit, scaled(series->values, entry.factor)});
        }
    }
    add_wells(one, vectors);
    return vectors;
}

}  // namespace

void export_eclipse(const ExportedCase& one) {
    const auto format = one.options.formatted ? eclipse::RecordFormat::formatted : eclipse::RecordFormat::unformatted;
    std::vector<std::int32_t> active(one.fields.active.begin(), one.fields.active.end());
    active = one.on_grid(active);
    eclipse::CaseHead head{one.grid.nx, one.grid.ny, one.grid.nz, 0, one.start, format};
    for (const std::int32_t cell : active) {
        head.active += cell != 0 ? 1 : 0;
    }
    eclipse::write_egrid(with(one, "EGRID", format), one.grid, active, format);
    eclipse::write_init(with(one, "INIT", format), head, one.on_grid(one.pore_volumes()), static_properties(one));
    eclipse::write_summary(one.stem, head, one.reader.times(), summary_vectors(one));
    eclipse::RestartWriter restart(with(one, "UNRST", format), head);
    restart.add(0, 0.0, solution(one, {}));
    for (std::size_t time = 0; time < one.reader.times().size(); ++time) {
        restart.add(static_cast<std::int32_t>(time) + 1, one.reader.times()[time], solution(one, time));
    }
    restart.commit();
}

}  // namespace plumecast
