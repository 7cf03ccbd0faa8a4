#include "reservoir/dataset/attributes/stated_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "core/units.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/place_attributes.hpp"

namespace plumecast {
namespace {

/// Attributes that are texts, and those that the program writes into its results.
constexpr const char* known_texts[] = {"format",    "format_version", "title", "source",     "history",
                                       "generator", "origin",         "model", "model_hash", "buildup_limit",
                                       "resampled", "skipped_cases",  "trust"};

/// Names from this length on are not met by chance.
constexpr std::size_t unmistakable = 10;

bool is_of_the_format(const std::string& name) {
    return find_number_attribute(name) != nullptr || std::ranges::find(known_texts, name) != std::end(known_texts);
}

/// The attributes that change results and that the data set does not state: what a misspelt name may stand for.
std::vector<std::string> not_stated(const std::vector<std::string>& stated) {
    std::vector<std::string> names{"origin"};
    for (const NumberAttribute& one : number_attributes()) {
        names.emplace_back(one.name);
    }
    std::erase_if(names, [&](const std::string& name) { return std::ranges::find(stated, name) != stated.end(); });
    return names;
}

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
    const bool is_kelvin = value && std::string(attribute.unit) == "degC" && *value > attribute.high &&
                           attribute.admits(*value - zero_celsius);
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

/// What is wrong with the place of a Cartesian grid.
std::optional<Violation> place_violation(const DatasetStore& store) {
    try {
        if (geometry_of(store) == Geometry::cartesian) {
            read_place(store);
        }
        return std::nullopt;
    } catch (const InvalidData& error) {
        const std::string text = std::string(error.what()).substr(store.name().size() + 2);
        const std::size_t cut = text.rfind("; ");
        return Violation{"/", text.substr(0, cut), text.substr(cut + 2), true};
    }
}

}  // namespace

std::optional<double> stated_number(const DatasetStore& store, const NumberAttribute& attribute) {
    const Stated stated = read_stated(store, attribute);
    if (stated.is_there && (!stated.value || !attribute.admits(*stated.value))) {
        throw InvalidData(store.name() + ": " + problem_of(store, attribute, stated.value) + "; " + remedy_of_number);
    }
    return stated.value;
}

std::vector<Violation> attribute_violations(const DatasetStore& store) {
    std::vector<Violation> found;
    for (const NumberAttribute& one : number_attributes()) {
        const Stated stated = read_stated(store, one);
        if (stated.is_there && (!stated.value || !one.admits(*stated.value))) {
            found.push_back({"/", problem_of(store, one, stated.value), remedy_of_number, true});
        }
    }
    if (const auto place = place_violation(store); place && std::ranges::find(found, *place) == found.end()) {
        found.push_back(*place);
    }
    const std::vector<std::string> names = store.attributes();
    const std::vector<std::string> candidates = not_stated(names);
    for (const std::string& name : names) {
        if (is_of_the_format(name)) {
            continue;
        }
        const std::string meant = nearest(name, candidates);
        if (meant.empty()) {
            continue;  // the caller's own, or of another program
        }
        found.push_back({"/", fmt::format("attribute {} is unknown (nothing reads it)", name.substr(0, 64)),
                         "call it " + meant + ", or leave it out", !store.is_file() || meant.size() >= unmistakable});
    }
    return found;
}

void require_valid_attributes(const DatasetStore& store) {
    const std::vector<Violation> found = attribute_violations(store);
    const auto first = std::ranges::find_if(found, &Violation::is_error);
    if (first != found.end()) {
        throw InvalidData(store.name() + ": " + first->problem + "; " + first->remedy);
    }
}

}  // namespace plumecast
