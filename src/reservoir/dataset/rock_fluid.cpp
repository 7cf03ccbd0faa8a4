#include "reservoir/dataset/rock_fluid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/store/file_store.hpp"

namespace plumecast {
namespace {

/// An attribute of the file and what it states; `otherwise` is what a file without it has where the settings say none.
struct Entry {
    const char* name;
    double RockFluidSettings::*member;
    double otherwise = std::numeric_limits<double>::quiet_NaN();

    double of(const RockFluidSettings& settings) const {
        return std::isnan(settings.*member) ? otherwise : settings.*member;
    }
};

constexpr Entry entries[] = {{"residual_gas_saturation", &RockFluidSettings::residual_gas_saturation},
                             {"entry_pressure", &RockFluidSettings::entry_pressure},
                             {"rock_compressibility", &RockFluidSettings::rock_compressibility},
                             {"initial_brine_temperature", &RockFluidSettings::initial_brine_temperature},
                             {"aquifer_factor", &RockFluidSettings::aquifer_factor, 1.0},
                             {"temperature_gradient", &RockFluidSettings::temperature_gradient, 0.0}};

bool is_same(double a, double b) {
    constexpr double share = 1e-6;  // of numbers that are stored as texts or in single precision
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b));
}

}  // namespace

RockFluidSettings rock_fluid_of(const Dataset& dataset) {
    RockFluidSettings settings;
    for (const Entry& entry : entries) {
        settings.*entry.member = dataset.stated(entry.name).value_or(settings.*entry.member);
    }
    return settings;
}

FileAttributes attributes_of(const RockFluidSettings& settings) {
    FileAttributes attributes;
    for (const Entry& entry : entries) {
        if (!std::isnan(settings.*entry.member)) {
            attributes[entry.name] = fmt::format("{}", settings.*entry.member);
        }
    }
    return attributes;
}

void copy_rock_fluid(const h5::File& from, h5::File& to) {
    for (const Entry& entry : entries) {
        if (const auto value = stated_number(FileStore(from), *find_number_attribute(entry.name))) {
            to.set_text("/", entry.name, from.text("/", entry.name).value_or(fmt::format("{}", *value)));
        }
    }
}

void require_same_rock_fluid(const Dataset& first, const Dataset& other) {
    const RockFluidSettings one = rock_fluid_of(first), two = rock_fluid_of(other);
    for (const Entry& entry : entries) {
        if (!is_same(entry.of(one), entry.of(two))) {
            const auto text = [&](const Dataset& dataset) {
                const std::optional<double> own = dataset.stated(entry.name);
                return own ? fmt::format("{}", *own) : "not stated";
            };
            throw InvalidData(
                fmt::format("{}: attribute {} is {}, that of {} is {} (it holds for all cases of a data "
                            "set); correct the wrong one, or keep the files apart",
                            other.path(), entry.name, text(other), first.path(), text(first)));
        }
    }
}

}  // namespace plumecast
