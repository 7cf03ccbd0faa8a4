#include "reservoir/dataset/place_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/store/file_store.hpp"

namespace plumecast {
namespace {

constexpr const char* place_attribute_names[] = {"rotation", "origin"};
constexpr const char* depth_attribute_names[] = {"top_depth", "well_radius"};

bool is_stated(const DatasetStore& store, const char* name) {
    const std::vector<std::string> attributes = store.attributes();
    return std::ranges::find(attributes, name) != attributes.end();
}

/// Takes a number, and what stands before and after it, off the front of a text; nothing where it begins otherwise.
std::optional<double> taken(std::string_view& text, std::string_view before, std::string_view after) {
    if (!text.starts_with(before)) {
        return std::nullopt;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + before.size(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc() || !text.starts_with(after)) {
        return std::nullopt;
    }
    text.remove_prefix(after.size());
    return value;
}

/// The depth at the end of an origin, "x 431000 m, y 6521000 m, depth 800 m"; one of 0 stands for none.
std::optional<double> depth_of_origin(const DatasetStore& store) {
    const std::string text = store.text("/", "origin").value_or("");
    std::string_view rest = text;
    if (taken(rest, "x ", " m, ") && taken(rest, "y ", " m")) {
        const std::optional<double> depth = taken(rest, ", depth ", " m");
        return depth == 0.0 ? std::nullopt : depth;
    }
    return std::nullopt;
}

/// Two numbers, or "x 431000 m, y 6521000 m", after which a depth may follow.
std::optional<std::array<double, 2>> origin_of(const DatasetStore& store) {
    const std::string text = store.text("/", "origin").value_or("");
    std::string_view rest = text;
    const std::optional<double> x = taken(rest, "x ", " m, "), y = taken(rest, "y ", " m");
    if (x && y && (rest.empty() || rest.starts_with(", depth "))) {
        return std::array<double, 2>{*x, *y};
    }
    const std::vector<double> numbers = store.numbers("/", "origin");
    return numbers.size() == 2 ? std::optional(std::array<double, 2>{numbers[0], numbers[1]}) : std::nullopt;
}

/// Takes over the attributes of these names that a file states: its texts, and numbers as the texts that are known.
void copy_stated(const h5::File& from, h5::File& to, std::span<const char* const> names, const FileAttributes& known) {
    for (const char* name : names) {
        if (is_stated(FileStore(from), name)) {
            if (const std::optional<std::string> text = from.text("/", name)) {
                to.set_text("/", name, *text);
            } else if (const auto number = known.find(name); number != known.end()) {
                to.set_text("/", name, number->second);
            }
        }
    }
}

[[noreturn]] void refuse(const DatasetStore& store, const char* name, const char* wanted) {
    throw InvalidData(store.name() + ": attribute " + name + " is not admissible (" + wanted +
                      " is needed); correct or remove it");
}

}  // namespace

GridPlace read_place(const DatasetStore& store) {
    GridPlace place;
    if (is_stated(store, "origin")) {
        place.origin = origin_of(store);
        place.rotation = 0.0;
        if (!place.origin || !std::ranges::all_of(*place.origin, is_map_coordinate)) {
            refuse(store, "origin",
                   "x and y on the map from -1e8 to 1e8 m, as two numbers or as 'x 431000 m, y 6521000 m',");
        }
    }
    if (const auto rotation = stated_number(store, *find_number_attribute("rotation"))) {
        place.rotation = rotation;
    }
    return place;
}

std::optional<double> read_top_depth(const DatasetStore& store) {
    const std::optional<double> stated = stated_number(store, *find_number_attribute("top_depth"));
    return stated ? stated : depth_of_origin(store);
}

std::optional<double> read_well_radius(const DatasetStore& store) {
    return stated_number(store, *find_number_attribute("well_radius"));
}

GridPlace read_place(const h5::File& file) { return read_place(FileStore(file)); }

FileAttributes attributes_of(const GridPlace& place) {
    FileAttributes attributes;
    if (place.rotation) {
        attributes["rotation"] = fmt::format("{}", *place.rotation);
    }
    if (place.origin) {
        attributes["origin"] = fmt::format("x {} m, y {} m", (*place.origin)[0], (*place.origin)[1]);
    }
    return attributes;
}

FileAttributes attributes_of(std::optional<double> top_depth, std::optional<double> well_radius) {
    FileAttributes attributes;
    if (top_depth) {
        attributes["top_depth"] = fmt::format("{}", *top_depth);
    }
    if (well_radius) {
        attributes["well_radius"] = fmt::format("{}", *well_radius);
    }
    return attributes;
}

void copy_place(const h5::File& from, h5::File& to) {
    copy_stated(from, to, place_attribute_names, attributes_of(read_place(from)));
}

void copy_depth(const h5::File& from, h5::File& to) {
    const FileStore store(from);
    copy_stated(from, to, depth_attribute_names, attributes_of(read_top_depth(store), read_well_radius(store)));
}

}  // namespace plumecast
