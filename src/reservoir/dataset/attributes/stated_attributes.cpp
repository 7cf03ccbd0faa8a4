#include "reservoir/dataset/attributes/stated_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"

namespace plumecast {
namespace {

std::optional<double> number_in(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// "'0,2'" as it stands there, or the number.
std::string shown(const DatasetStore& store, const std::string& name) {
    if (const auto text = store.text("/", name)) {
        return "'" + text->substr(0, 64) + "'";
    }
    const std::vector<double> numbers = store.numbers("/", name);
    return numbers.size() == 1 ? fmt::format("{}", numbers[0]) : "neither a number nor its text";
}

/// A temperature that would be admissible if it were in kelvin, in words.
std::string kelvin_hint(const NumberAttribute& attribute, std::optional<double> value) {
    const bool is_kelvin =
        value && attribute.unit == "degC" && *value > attribute.high && attribute.admits(*value - zero_celsius);
    return is_kelvin ? fmt::format(", and this looks like kelvin: {:.2f} degC", *value - zero_celsius) : "";
}

std::string problem_of(const DatasetStore& store, const NumberAttribute& attribute, std::optional<double> value) {
    return fmt::format("attribute {} is {} ({} is needed{})", attribute.name, shown(store, attribute.name),
                       admissible_text(attribute), kelvin_hint(attribute, value));
}

constexpr const char* remedy_of_number = "correct or remove it";

struct Stated {
    bool is_there = false;
    std::optional<double> value = std::nullopt;
};

Stated read_stated(const DatasetStore& store, const NumberAttribute& attribute) {
    const std::vector<std::string> names = store.attributes();
    if (std::ranges::find(names, attribute.name) == names.end()) {
        return {};
    }
    if (const auto text = store.text("/", attribute.name)) {
        return {!text->empty(), number_in(*text)};
    }
    const std::vector<double> numbers = store.numbers("/", attribute.name);
    return {true, numbers.size() == 1 ? std::optional(numbers[0]) : std::nullopt};
}

}  // namespace

std::optional<double> stated_number(const DatasetStore& store, const NumberAttribute& attribute) {
    const Stated stated = read_stated(store, attribute);
    if (stated.is_there && (!stated.value || !attribute.admits(*stated.value))) {
        throw InvalidData(store.name() + ": " + problem_of(store, attribute, stated.value) + "; " + remedy_of_number);
    }
    return stated.value;
}

std::optional<Violation> violation_of(const DatasetStore& store, const NumberAttribute& attribute) {
    const Stated stated = read_stated(store, attribute);
    if (!stated.is_there || (stated.value && attribute.admits(*stated.value))) {
        return std::nullopt;
    }
    return Violation{"/", problem_of(store, attribute, stated.value), remedy_of_number, true};
}

}  // namespace plumecast
