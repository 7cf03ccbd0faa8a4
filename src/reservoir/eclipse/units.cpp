#include "reservoir/eclipse/units.hpp"

#include <algorithm>
#include <array>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast::eclipse {
namespace {

constexpr double bar_per_psi = 0.0689475729317831;
constexpr double bar_per_atmosphere = 1.01325;
constexpr double metres_per_foot = 0.3048;
constexpr double cubic_metres_per_thousand_cubic_feet = 28.316846592;
constexpr double cubic_metres_per_barrel = 0.158987294928;

const std::array<Units, 4>& all_units() {
    static const std::array<Units, 4> units = {
        {{"METRIC", 1.0, 1.0, 1.0, 1.0, false, 1.0},
         {"FIELD", bar_per_psi, metres_per_foot, cubic_metres_per_thousand_cubic_feet, cubic_metres_per_barrel, true,
          cubic_metres_per_barrel},
         {"LAB", bar_per_atmosphere, 0.01, 1e-6, 1e-6, false, 1e-6},
         {"PVT-M", bar_per_atmosphere, 1.0, 1.0, 1.0, false, 1.0}}};
    return units;
}

}  // namespace

Units units_of(double number, const std::string& path) {
    if (!(number >= 1.0 && number <= 4.0)) {
        throw InvalidData(path + ": INTEHEAD declares unit system " + number_text(number) +
                          " (1 METRIC, 2 FIELD, 3 LAB and 4 PVT-M are known); write the file again");
    }
    return all_units()[static_cast<std::size_t>(number) - 1];
}

std::optional<VectorUnit> vector_unit_named(std::string_view name) {
    using Kind = VectorUnit::Kind;
    constexpr double days_per_hour = 1.0 / 24.0;
    struct Known {
        std::string_view name;
        VectorUnit unit;
    };
    static constexpr Known known[] = {{"SM3", {Kind::gas, 1.0}},
                                      {"MSCF", {Kind::gas, cubic_metres_per_thousand_cubic_feet}},
                                      {"SCC", {Kind::gas, 1e-6}},
                                      {"SM3/DAY", {Kind::gas_rate, 1.0}},
                                      {"SM3/D", {Kind::gas_rate, 1.0}},
                                      {"MSCF/DAY", {Kind::gas_rate, cubic_metres_per_thousand_cubic_feet}},
                                      {"MSCF/D", {Kind::gas_rate, cubic_metres_per_thousand_cubic_feet}},
                                      {"SCC/HR", {Kind::gas_rate, 1e-6 / days_per_hour}},
                                      {"SCC/HOUR", {Kind::gas_rate, 1e-6 / days_per_hour}},
                                      {"BARSA", {Kind::pressure, 1.0}},
                                      {"BARS", {Kind::pressure, 1.0}},
                                      {"BAR", {Kind::pressure, 1.0}},
                                      {"PSIA", {Kind::pressure, bar_per_psi}},
                                      {"PSI", {Kind::pressure, bar_per_psi}},
                                      {"ATMA", {Kind::pressure, bar_per_atmosphere}},
                                      {"ATM", {Kind::pressure, bar_per_atmosphere}}};
    const auto* const found = std::ranges::find(known, name, &Known::name);
    return found == std::end(known) ? std::nullopt : std::optional(found->unit);
}

Units units_named(const std::string& name) {
    const auto found = std::ranges::find(all_units(), name, &Units::name);
    if (found == all_units().end()) {
        throw InvalidInput("no unit system \"" + name + "\" (known: METRIC, FIELD, LAB, PVT-M); use one of them");
    }
    return *found;
}

}  // namespace plumecast::eclipse
