#include "reservoir/dataset/place_attributes.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/attributes/stated_attributes.hpp"
#include "reservoir/dataset/store/file_store.hpp"

namespace plumecast {
namespace {

constexpr const char* place_attribute_names[] = {"rotation", "origin"};

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

void copy_place(const h5::File& from, h5::File& to) {
    const FileAttributes known = attributes_of(read_place(from));
    for (const char* name : place_attribute_names) {
        if (is_stated(FileStore(from), name)) {
            to.set_text("/", name, from.text("/", name).value_or(known.at(name)));
        }
    }
}

void require_same_place(const Dataset& first, const Dataset& other) {
    if (first.place() != other.place()) {
        const auto text = [](const Dataset& dataset) {
            const std::string own = dataset.place().text();
            return own.empty() ? std::string("not stated") : own;
        };
        throw InvalidData(
            fmt::format("{}: the place of the grid is {}, that of {} is {} (it holds for all cases of a "
                        "data set); correct the wrong one, or keep the files apart",
                        other.path(), text(other), first.path(), text(first)));
    }
}

}  // namespace plumecast
