#include "reservoir/dataset/plausibility.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/units.hpp"
#include "reservoir/dataset/cases/saturation_tables.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/h5/case_notes.hpp"
#include "reservoir/physics/brine.hpp"
#include "reservoir/physics/case_checks.hpp"

namespace plumecast {
namespace {

/// Above it [degC] a temperature is rather one in kelvin: no storage formation is as hot, and none as cold as that many
/// kelvin.
constexpr double hottest_formation = 250.0;

/// The first case that a rule holds for, and how many there are.
struct CasesFound {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

CasesFound cases_where(const Dataset& dataset, const std::function<bool(std::int64_t)>& rule) {
    CasesFound found;
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        if (rule(which) && found.count++ == 0) {
            found.first = which;
        }
    }
    return found;
}

std::string others(const CasesFound& found) {
    return found.count > 1 ? fmt::format(" (and in {})", counted(found.count - 1, "further case")) : "";
}

double value_of(const Dataset& dataset, const char* name, std::int64_t which) {
    return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(which)]);
}

/// The uppermost row in which the well of a radial grid, its first column, opens to an active cell; nothing where it
/// opens to none.
std::optional<std::size_t> uppermost_open_row(const Dataset& dataset, std::int64_t which) {
    std::vector<float> perforation(static_cast<std::size_t>(dataset.cells())), active(perforation.size());
    dataset.read_map("perforation", {&which, 1}, perforation);
    dataset.read_map("active", {&which, 1}, active);
    const auto columns = static_cast<std::size_t>(dataset.cells() / dataset.rows());
    for (std::size_t cell = 0; cell < active.size(); cell += columns) {
        if (active[cell] != 0.0F && perforation[cell] > 0.0F) {
            return cell / columns;
        }
    }
    return std::nullopt;
}

/// Whether the limit of the pressure in the well of a radial grid lies below the initial pressure beside it.
bool is_below_initial_pressure(const Dataset& dataset, std::int64_t which) {
    const std::optional<std::size_t> row = uppermost_open_row(dataset, which);
    if (!row) {
        return false;
    }
    const std::vector<double>& z = dataset.z_edges();
    const double stated = rock_fluid_of(dataset).initial_brine_temperature;
    const double temperature = std::isnan(stated) ? value_of(dataset, "temperature", which) : stated;
    const double salinity = dataset.has("salinity") ? value_of(dataset, "salinity", which) : 0.0;
    return value_of(dataset, "bottom_hole_pressure_limit", which) <
           hydrostatic_pressure(value_of(dataset, "initial_pressure", which), temperature, salinity,
                                0.5 * (z[*row] + z[*row + 1]));
}

/// Where the centres of a column go up from one row to the next, in words; cells without volume take no part.
std::optional<std::string> rising_centre(const Dataset& dataset) {
    constexpr float rounding = 1e-3F;  // [m]
    const std::vector<float>& centres = dataset.cell_values("cell_centre_z");
    const std::vector<float>& volumes = dataset.cell_values("cell_volume");
    const auto per_row = static_cast<std::size_t>(dataset.cells() / dataset.rows());
    std::vector<std::optional<std::size_t>> above(per_row);  // last cell with volume of each column
    for (std::size_t cell = 0; cell < centres.size(); ++cell) {
        if (!volumes.empty() && !(volumes[cell] > 0.0F)) {
            continue;
        }
        std::optional<std::size_t>& upper = above[cell % per_row];
        if (upper && centres[cell] < centres[*upper] - rounding) {
            return fmt::format(
                "cell {} has depth {:g} m, cell {} in a row above it {:g} m (rows go down)",
                cell_text(dataset.space(), static_cast<std::int64_t>(cell)), static_cast<double>(centres[cell]),
                cell_text(dataset.space(), static_cast<std::int64_t>(*upper)), static_cast<double>(centres[*upper]));
        }
        upper = cell;
    }
    return std::nullopt;
}

/// Active cells to which an array, of cells or of the cells of each case, gives no volume.
std::optional<Violation> cell_without_volume(const Dataset& dataset, const char* array) {
    if (!dataset.has(array)) {
        return std::nullopt;
    }
    const ArraySpec& spec = *dataset.find(array);
    std::vector<float> active(static_cast<std::size_t>(dataset.cells())), volumes = dataset.cell_values(array);
    volumes.resize(active.size());
    const auto first_in = [&](std::int64_t which) {
        dataset.read_map("active", {&which, 1}, active);
        if (spec.role == Role::map) {
            dataset.read_map(array, {&which, 1}, volumes);
        }
        std::size_t cell = 0;
        while (cell < active.size() && (active[cell] == 0.0F || volumes[cell] > 0.0F)) {
            ++cell;
        }
        return cell < active.size() ? std::optional(static_cast<std::int64_t>(cell)) : std::nullopt;
    };
    const CasesFound found = cases_where(dataset, [&](std::int64_t which) { return first_in(which).has_value(); });
    if (found.count == 0) {
        return std::nullopt;
    }
    return Violation{spec.path,
                     fmt::format("case {}: active cell {} has the volume 0{} (cells without volume are inactive)",
                                 found.first, cell_text(dataset.space(), *first_in(found.first)), others(found)),
                     "give its volume, or set it to 0 in /inputs/active", true};
}

/// What is wrong with the saturation tables that the cells of a file name.
std::optional<Violation> table_problem(const Dataset& dataset) {
    if (!dataset.is_file() || !dataset.has("saturation_region")) {
        return std::nullopt;
    }
    const std::string array = "/case/" + std::string(saturation_tables_name);
    const std::vector<std::string> texts = case_texts(dataset.path(), std::string(saturation_tables_name));
    const CasesFound without = cases_where(dataset, [&](std::int64_t which) {
        const auto at = static_cast<std::size_t>(which);
        return at >= texts.size() || texts[at].empty();
    });
    if (without.count > 0) {
        return Violation{"/inputs/saturation_region",
                         fmt::format("case {}: no {} (the cells name saturation tables that are not there, so reduced "
                                     "physics takes no such case{})",
                                     without.first, array, others(without)),
                         "take the tables over from the file of the import, or leave saturation_region out", false};
    }
    try {
        for (std::int64_t which = 0; which < dataset.cases(); ++which) {
            const std::string where = fmt::format("{}: {} of case {}", dataset.path(), array, which);
            saturation_regions(dataset, which, tables_of_text(texts[static_cast<std::size_t>(which)], where).size());
        }
    } catch (const InvalidData& error) {
        const std::string text = std::string(error.what()).substr(dataset.path().size() + 2);
        const std::size_t cut = text.rfind("; ");
        return Violation{array, text.substr(0, cut), text.substr(cut + 2), true};
    }
    return std::nullopt;
}

}  // namespace

bool count_from_surface(std::span<const double> z_edges) { return z_edges.front() > z_edges.back() - z_edges.front(); }

std::vector<Violation> implausible_inputs(const Dataset& dataset) {
    std::vector<Violation> violations;
    if (const std::vector<double>& edges = dataset.z_edges(); count_from_surface(edges)) {
        violations.push_back(
            {"/grid/z_edges",
             fmt::format("the first edge lies at {:g} m, deeper than the {:g} m that all rows take (depths "
                         "count from the top of the formation, not from the surface)",
                         edges.front(), edges.back() - edges.front()),
             fmt::format("subtract {:g} and state it as top_depth", edges.front()), true});
    }
    const auto name = [&](const CasesFound& found, const char* array, const std::string& problem, const char* remedy,
                          bool is_error) {
        if (found.count > 0) {
            violations.push_back({"/inputs/" + std::string(array),
                                  fmt::format("case {}: {}{}", found.first, problem, others(found)), remedy, is_error});
        }
    };
    const CasesFound hot = cases_where(
        dataset, [&](std::int64_t which) { return value_of(dataset, "temperature", which) > hottest_formation; });
    const double temperature = hot.count > 0 ? value_of(dataset, "temperature", hot.first) : 0.0;
    name(hot, "temperature",
         fmt::format("value {:g} degC looks like kelvin (it would be {:.1f} degC)", temperature,
                     temperature - zero_celsius),
         "subtract 273.15 where the values are in kelvin", false);
    if (dataset.has("thickness")) {
        const double height = dataset.z_edges().back() - dataset.z_edges().front();
        const CasesFound thick = cases_where(dataset, [&](std::int64_t which) {
            constexpr double rounding = 1.001;
            return value_of(dataset, "thickness", which) > rounding * height;
        });
        const double thickness = thick.count > 0 ? value_of(dataset, "thickness", thick.first) : 0.0;
        name(thick, "thickness",
             fmt::format("value {:g} m is more than the {:g} m that the rows of the grid take", thickness, height),
             "add rows to the grid or correct the thickness", false);
    }
    if (dataset.has("residual_gas_saturation") && dataset.has("irreducible_water_saturation")) {
        name(cases_where(dataset,
                         [&](std::int64_t which) {
                             return value_of(dataset, "residual_gas_saturation", which) +
                                        value_of(dataset, "irreducible_water_saturation", which) >=
                                    1.0;
                         }),
             "residual_gas_saturation", "it leaves no room beside the irreducible water (together they are 1 or more)",
             "lower it, or irreducible_water_saturation", true);
    }
    if (dataset.geometry() == Geometry::radial) {
        name(cases_where(dataset,
                         [&](std::int64_t which) {
                             return value_of(dataset, "injection_rate", which) > 0.0 &&
                                    !uppermost_open_row(dataset, which);
                         }),
             "perforation",
             "CO2 is injected, but no active cell is perforated in the column of the well, the first one",
             "set perforation above 0 in the cells of that column that the well opens", true);
        if (const double radius = dataset.r_edges().front(); radius < least_well_radius) {
            violations.push_back(
                {"/grid/r_edges",
                 fmt::format("the well's radius, the first edge, is {:g} m ({}, so reduced physics takes no such case)",
                             radius, why_well_radius),
                 "begin with the radius of the well, such as 0.1", false});
        }
    }
    if (dataset.has("bottom_hole_pressure_limit")) {
        name(cases_where(dataset, [&](std::int64_t which) { return is_below_initial_pressure(dataset, which); }),
             "bottom_hole_pressure_limit",
             "it is below the initial pressure of the uppermost perforated cell (nothing could be injected, so reduced "
             "physics takes no such case)",
             "raise it, or give 10000 where there is none", false);
    }
    if (dataset.geometry() == Geometry::cartesian) {
        for (const char* array : {"cell_volume", "pore_volume"}) {
            if (const auto empty = cell_without_volume(dataset, array)) {
                violations.push_back(*empty);
            }
        }
        if (const auto problem = table_problem(dataset)) {
            violations.push_back(*problem);
        }
        if (const auto rising = rising_centre(dataset)) {
            violations.push_back({"/grid/cell_centre_z", *rising,
                                  "store the rows from the top down, with depths that grow downwards", true});
        }
    }
    return violations;
}

}  // namespace plumecast
