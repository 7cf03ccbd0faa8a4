#include "reservoir/import/runs/initial_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/import/runs/running_total.hpp"

namespace plumecast {
namespace {

constexpr double no_value = 1e19;         // beyond which a row of a table is not used
constexpr double same_saturation = 1e-6;  // of rows of two tables
constexpr std::size_t kind_columns = 5;   // saturation, relative permeability, capillary pressure, and their slopes
constexpr std::size_t used_columns = 3;   // of them
constexpr std::size_t water_item = 20, gas_item = 23;  // of TABDIMS: where SWFN and SGFN begin, from 1; rows; tables

/// A function of saturation by its rows.
struct Curve {
    RunningTotal permeability, capillary;  // along the saturation in the place of days
};

[[noreturn]] void refuse_short(const std::string& path) {
    throw InvalidData(path + ": TAB is shorter than TABDIMS says (it holds the saturation tables); run the case again");
}

/// The tables of a kind, whose extents stand in TABDIMS from `item` on.
std::vector<Curve> curves_of(const std::vector<double>& extents, const std::vector<double>& values, std::size_t item,
                             const std::string& path) {
    if (extents.size() < item + 3 || !(extents[item] >= 1.0) || !(extents[item + 1] >= 2.0) ||
        !(extents[item + 2] >= 1.0) || extents[item + 1] > 1e6 || extents[item + 2] > 1e4) {
        return {};
    }
    if (extents[item] > static_cast<double>(values.size())) {
        refuse_short(path);
    }
    const auto first = static_cast<std::size_t>(extents[item]) - 1, rows = static_cast<std::size_t>(extents[item + 1]),
               tables = static_cast<std::size_t>(extents[item + 2]);
    if (first + kind_columns * rows * tables > values.size()) {
        refuse_short(path);
    }
    std::vector<Curve> curves(tables);
    for (std::size_t table = 0; table < tables; ++table) {
        const auto value = [&](std::size_t column, std::size_t row) {
            return values[first + (column * tables + table) * rows + row];
        };
        for (std::size_t row = 0; row < rows && !(value(0, row) >= no_value); ++row) {
            for (std::size_t column = 0; column < used_columns; ++column) {
                if (!(std::abs(value(column, row)) < no_value)) {
                    throw InvalidData(fmt::format(
                        "{}: TAB has {} in row {} of saturation table {} (a number is needed); run the case again",
                        path, number_text(value(column, row)), row + 1, table + 1));
                }
            }
            curves[table].permeability.add(value(0, row), value(1, row));
            curves[table].capillary.add(value(0, row), value(2, row));
        }
    }
    return curves;
}

/// Gas saturations of the rows of both, from 0 to the largest of gas.
std::vector<double> saturations_of(const Curve& water, const Curve& gas) {
    std::vector<double> all = gas.permeability.days;
    for (const double saturation : water.permeability.days) {
        all.push_back(1.0 - saturation);
    }
    const double largest = std::min(gas.permeability.days.back(), 1.0 - water.permeability.days.front());
    std::ranges::sort(all);
    std::vector<double> kept = {0.0};
    for (const double saturation : all) {
        if (saturation > kept.back() + same_saturation && saturation <= largest + same_saturation) {
            kept.push_back(std::min(saturation, 1.0));
        }
    }
    return kept;
}

}  // namespace

SaturationTables saturation_tables_of(const std::vector<double>& extents, const std::vector<double>& values, double bar,
                                      const std::string& path) {
    const std::vector<Curve> water = curves_of(extents, values, water_item, path);
    const std::vector<Curve> gas = curves_of(extents, values, gas_item, path);
    if (water.empty() || water.size() != gas.size()) {
        return {};
    }
    SaturationTables tables;
    for (std::size_t i = 0; i < gas.size(); ++i) {
        if (gas[i].capillary.days.size() < 2 || water[i].capillary.days.size() < 2) {
            return {};
        }
        auto& rows = tables.emplace_back();
        for (const double saturation : saturations_of(water[i], gas[i])) {
            const double capillary = water[i].capillary.at(1.0 - saturation) * bar;
            const bool is_first = rows.empty();
            const double least_gas = is_first ? 0.0 : rows.back().gas_permeability;
            const double most_water = is_first ? 1.0 : rows.back().water_permeability;
            const double least_capillary = is_first ? 0.0 : rows.back().capillary_pressure;
            rows.push_back({saturation, std::clamp(gas[i].permeability.at(saturation), least_gas, 1.0),
                            std::clamp(water[i].permeability.at(1.0 - saturation), 0.0, most_water),
                            std::max(capillary, least_capillary)});
        }
        if (rows.size() < 2) {
            return {};
        }
    }
    return tables;
}

}  // namespace plumecast
