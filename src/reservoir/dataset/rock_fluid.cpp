#include "reservoir/dataset/rock_fluid.hpp"

#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

/// An attribute of the file and what it states.
struct Entry {
    const char* name;
    double RockFluidSettings::*member;
};

constexpr Entry entries[] = {{"residual_gas_saturation", &RockFluidSettings::residual_gas_saturation},
                             {"entry_pressure", &RockFluidSettings::entry_pressure},
                             {"rock_compressibility", &RockFluidSettings::rock_compressibility},
                             {"initial_brine_temperature", &RockFluidSettings::initial_brine_temperature}};

/// A number that a data set may state as a text attribute.
double stated(const Dataset& dataset, const std::string& name, double usual) {
    const std::string text = dataset.attribute(name);
    if (text.empty()) {
        return usual;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0.0) {
        throw InvalidData(dataset.path() + ": attribute " + name + " is '" + text.substr(0, 64) +
                          "' (the reduced physics needs a number of 0 or more); correct or remove it");
    }
    return value;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

RockFluidSettings rock_fluid_of(const Dataset& dataset) {
    RockFluidSettings settings;
    for (const Entry& entry : entries) {
        settings.*entry.member = stated(dataset, entry.name, settings.*entry.member);
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
        if (const auto text = from.text("/", entry.name)) {
            to.set_text("/", entry.name, *text);
        }
    }
}

void require_same_rock_fluid(const Dataset& first, const Dataset& other) {
    const RockFluidSettings one = rock_fluid_of(first), two = rock_fluid_of(other);
    for (const Entry& entry : entries) {
        if (!is_same(one.*entry.member, two.*entry.member)) {
            const auto text = [&](const Dataset& dataset) {
                const std::string own = dataset.attribute(entry.name);
                return own.empty() ? std::string("not stated") : own;
            };
            throw InvalidData(
                fmt::format("{}: attribute {} is {}, that of {} is {} (it holds for all cases of a data "
                            "set); correct the wrong one, or keep the files apart",
                            other.path(), entry.name, text(other), first.path(), text(first)));
        }
    }
}

}  // namespace plumecast
