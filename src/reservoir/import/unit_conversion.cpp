#include "reservoir/import/unit_conversion.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"

namespace plumecast {
namespace {

struct Known {
    const char* from;
    const char* to;
    UnitConversion conversion;
};

constexpr double square_metres_per_millidarcy = 9.869232667160130e-16;
constexpr double seconds_per_year = 365.25 * 86400.0;

constexpr std::array<Known, 24> conversions = {{
    {"km", "m", {1000.0, 0.0}},
    {"ft", "m", {0.3048, 0.0}},
    {"cm", "m", {0.01, 0.0}},
    {"Pa", "bar", {1e-5, 0.0}},
    {"kPa", "bar", {1e-2, 0.0}},
    {"MPa", "bar", {10.0, 0.0}},
    {"hPa", "bar", {1e-3, 0.0}},
    {"psi", "bar", {0.0689475729317831, 0.0}},
    {"atm", "bar", {1.01325, 0.0}},
    {"D", "mD", {1000.0, 0.0}},
    {"m2", "mD", {1.0 / square_metres_per_millidarcy, 0.0}},
    {"m^2", "mD", {1.0 / square_metres_per_millidarcy, 0.0}},
    {"K", "degC", {1.0, -273.15}},
    {"degF", "degC", {1.0 / 1.8, -32.0 / 1.8}},
    {"C", "degC", {1.0, 0.0}},
    {"s", "day", {1.0 / 86400.0, 0.0}},
    {"h", "day", {1.0 / 24.0, 0.0}},
    {"year", "day", {365.25, 0.0}},
    {"days", "day", {1.0, 0.0}},
    {"kg/s", "Mt/year", {seconds_per_year * 1e-9, 0.0}},
    {"t/day", "Mt/year", {365.25e-6, 0.0}},
    {"kg/day", "Mt/year", {365.25e-9, 0.0}},
    {"%", "1", {0.01, 0.0}},
    {"-", "1", {1.0, 0.0}},
}};

/// Spellings of UDUNITS, which attributes of netCDF files follow; names in small letters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 78> spellings = {{
    {"metre", "m"},
    {"meter", "m"},
    {"metres", "m"},
    {"meters", "m"},
    {"feet", "ft"},
    {"foot", "ft"},
    {"bars", "bar"},
    {"Bar", "bar"},
    {"bara", "bar"},
    {"barsa", "bar"},
    {"pascal", "Pa"},
    {"pascals", "Pa"},
    {"kilopascal", "kPa"},
    {"megapascal", "MPa"},
    {"hectopascal", "hPa"},
    {"mbar", "hPa"},
    {"millibar", "hPa"},
    {"N m-2", "Pa"},
    {"N/m2", "Pa"},
    {"psia", "psi"},
    {"atmosphere", "atm"},
    {"millidarcy", "mD"},
    {"millidarcies", "mD"},
    {"md", "mD"},
    {"mDarcy", "mD"},
    {"darcy", "D"},
    {"m**2", "m2"},
    {"m^3", "m3"},
    {"m**3", "m3"},
    {"celsius", "degC"},
    {"degree_c", "degC"},
    {"degrees_c", "degC"},
    {"degree_celsius", "degC"},
    {"degrees_celsius", "degC"},
    {"deg c", "degC"},
    {"\u00b0C", "degC"},
    {"kelvin", "K"},
    {"kelvins", "K"},
    {"degree_kelvin", "K"},
    {"degrees_kelvin", "K"},
    {"degK", "K"},
    {"fahrenheit", "degF"},
    {"degree_f", "degF"},
    {"degrees_f", "degF"},
    {"degree_fahrenheit", "degF"},
    {"degrees_fahrenheit", "degF"},
    {"percent", "%"},
    {"fraction", "1"},
    {"m3/m3", "1"},
    {"m3 m-3", "1"},
    {"d", "day"},
    {"hr", "h"},
    {"hours", "h"},
    {"hour", "h"},
    {"seconds", "s"},
    {"second", "s"},
    {"sec", "s"},
    {"years", "year"},
    {"yr", "year"},
    {"kg s-1", "kg/s"},
    {"kg s^-1", "kg/s"},
    {"kg s**-1", "kg/s"},
    {"kg.s-1", "kg/s"},
    {"kg.s^-1", "kg/s"},
    {"t day-1", "t/day"},
    {"t d-1", "t/day"},
    {"t/d", "t/day"},
    {"tonnes/day", "t/day"},
    {"tonne/day", "t/day"},
    {"tonnes/d", "t/day"},
    {"kg/d", "kg/day"},
    {"kg day-1", "kg/day"},
    {"kg d-1", "kg/day"},
    {"Mt year-1", "Mt/year"},
    {"Mt yr-1", "Mt/year"},
    {"Mt/yr", "Mt/year"},
    {"Mt a-1", "Mt/year"},
    {"Mt/a", "Mt/year"},
}};

constexpr std::size_t length_of_names = 5;  // from which on letters of any size make a name; "D" and "d" are two units

/// "days since 2020-01-01" counts days.
std::string usual_spelling(const std::string& unit) {
    const std::string name = unit.substr(0, unit.find(" since "));
    for (const std::string& spelt : {name, name.size() < length_of_names ? name : lower(name)}) {
        const auto* const found =
            std::ranges::find(spellings, spelt, &std::pair<std::string_view, std::string_view>::first);
        if (found != spellings.end()) {
            return std::string(found->second);
        }
    }
    return name;
}

}  // namespace

UnitConversion conversion(const std::string& given, const std::string& to, const std::string& where) {
    const std::string from = usual_spelling(given);
    if (from == to) {
        return {};
    }
    std::string others;
    for (const Known& pair : conversions) {
        if (to == pair.to && from == pair.from) {
            return pair.conversion;
        }
        others += to == pair.to ? std::string(", ") + pair.from : "";
    }
    throw InvalidInput(fmt::format("{}: unit \"{}\" does not become {} (known: {}{}); correct the unit", where, given,
                                   to, to, others));
}

}  // namespace plumecast
