#include "reservoir/import/arrays/array_entry.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/import/arrays/array_meaning.hpp"

namespace plumecast {
namespace {

TakenEntries read_entries(JsonReader& taken, const std::string& axis) {
    const Json& value = taken.raw(axis);
    TakenEntries entries;
    if (const auto* single = value.get_if<std::int64_t>()) {
        entries = {*single, std::min(*single, std::numeric_limits<std::int64_t>::max() - 1) + 1, 1, true};
    } else {
        const auto ends = taken.get<std::vector<std::int64_t>>(axis);
        if (ends.size() != 2 && ends.size() != 3) {
            throw InvalidInput(taken.path(axis) +
                               ": neither one entry nor [first, end] nor [first, end, step]; give one of them");
        }
        entries = {ends[0], ends[1], ends.size() == 3 ? ends[2] : 1, false};
    }
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (entries.begin < 0 || entries.begin > most || entries.end <= entries.begin || entries.step < 1) {
        throw InvalidInput(taken.path(axis) +
                           ": entries are counted from 0, the end lies behind the first, and a step "
                           "is 1 or more; correct it");
    }
    return entries;
}

/// The source of that path, or the only one of that file name, or the only one where nothing is named.
std::string source_named(const std::string& file, const std::string& where, const std::vector<std::string>& sources) {
    std::vector<std::string> found;
    for (const std::string& source : sources) {
        if (source == file) {
            return source;
        }
        if (file.empty() || std::filesystem::path(source).filename() == std::filesystem::path(file)) {
            found.push_back(source);
        }
    }
    if (found.size() != 1) {
        throw InvalidInput(where + ": " +
                           (file.empty()    ? "which of the files it is in is not said"
                            : found.empty() ? "no file " + file
                                            : "several files " + file) +
                           " (of those given); name one of them as \"file\", as it was given");
    }
    return found.front();
}

}  // namespace

ArrayEntry read_entry(JsonReader entry, const std::string& where, const std::vector<std::string>& sources) {
    const std::string file = entry.get<std::string>("file", "");
    ArrayEntry result{source_named(file, where, sources),
                      entry.get<std::string>("array", ""),
                      entry.get<std::string>("axes"),
                      entry.get<std::string>("unit", "1"),
                      where,
                      {}};
    if (entry.has("entries")) {
        JsonReader taken = entry.object("entries");
        for (const std::string& axis : taken.keys()) {
            if (axis.size() != 1 || result.axes.find(axis) == std::string::npos) {
                throw InvalidInput(where + ": entries of axis " + axis + " (axes is \"" + result.axes +
                                   "\"); name one of its letters");
            }
            result.entries[axis[0]] = read_entries(taken, axis);
        }
    }
    entry.reject_unknown();
    return result;
}

namespace {

/// Where the entries of an array that are taken lie among those stored.
struct Arrangement {
    std::vector<std::int64_t> extents, steps;
    std::int64_t first = 0;
};

/// Of an array of `stored` extents, with the axes in the order of `wanted`. Throws for axes that differ.
Arrangement arrangement(const std::vector<std::int64_t>& stored, const ArrayEntry& entry, const std::string& wanted) {
    if (stored.size() != entry.axes.size()) {
        throw InvalidInput(fmt::format("{}: axes \"{}\" names {} axes, {} has {} ({}); name each axis by one letter",
                                       entry.where, entry.axes, entry.axes.size(), entry.file, stored.size(),
                                       fmt::join(stored, " x ")));
    }
    std::vector<std::int64_t> strides(stored.size(), 1);
    for (std::size_t axis = strides.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * stored[axis];
    }
    Arrangement result;
    std::int64_t kept = 0;
    for (std::size_t axis = 0; axis < entry.axes.size(); ++axis) {
        const auto found = entry.entries.find(entry.axes[axis]);
        const TakenEntries taken = found == entry.entries.end() ? TakenEntries() : found->second;
        if (found != entry.entries.end() && taken.end > stored[axis]) {
            throw InvalidInput(fmt::format("{}: entry {} of axis {} (there are {}); correct entries", entry.where,
                                           taken.end - 1, entry.axes[axis], stored[axis]));
        }
        result.first += taken.begin * strides[axis];
        kept += taken.is_single ? 0 : 1;
    }
    for (const char letter : wanted) {
        const std::size_t axis = entry.axes.find(letter);
        const auto found = entry.entries.find(letter);
        const TakenEntries taken = found == entry.entries.end() ? TakenEntries() : found->second;
        if (axis == std::string::npos || taken.is_single) {
            throw InvalidInput(entry.where + ": no axis " + letter + " (axes is \"" + entry.axes +
                               "\"); its axes must be " + wanted + " in any order");
        }
        result.extents.push_back(taken.count(stored[axis]));
        result.steps.push_back(strides[axis] * std::min(taken.step, stored[axis]));
    }
    if (kept != static_cast<std::int64_t>(wanted.size())) {
        throw InvalidInput(entry.where + ": axes \"" + entry.axes + "\" are more than " + wanted +
                           " (each must be one of these); take one entry of the others, \"entries\": {\"t\": 0}");
    }
    return result;
}

template <class T>
std::vector<T> gathered(const std::vector<T>& stored, const Arrangement& order) {
    const std::int64_t count =
        std::accumulate(order.extents.begin(), order.extents.end(), std::int64_t{1}, std::multiplies<>());
    std::vector<std::int64_t> index(order.extents.size(), 0);
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t at = order.first;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            at += index[axis] * order.steps[axis];
        }
        values.push_back(stored[static_cast<std::size_t>(at)]);
        for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == order.extents[axis];) {
            index[axis] = 0;
        }
    }
    return values;
}

h5::File open_source(const ArrayEntry& entry) {
    h5::File file = h5::File::open(entry.file);
    if (entry.array.empty()) {
        throw InvalidInput(entry.where + ": no array (an HDF5 file holds many); name its path as \"array\": " +
                           fmt::format("{}", fmt::join(file.arrays(), ", ")));
    }
    return file;
}

h5::StoredMeaning meaning_of_entry(const h5::File& file, const ArrayEntry& entry) {
    return meaning_of(file, entry.array, entry.where.substr(entry.where.rfind('.') + 1));
}

/// In double precision, which tells numbers that stand for no value from those beside them.
std::vector<double> read_arranged(const h5::File& file, const ArrayEntry& entry, const h5::StoredMeaning& meaning,
                                  const Arrangement& order) {
    std::vector<double> values = file.read<double>(entry.array);
    meaning.apply(values);
    return gathered(values, order);
}

/// Whether float32 holds all numbers of a type.
bool is_held_by_single(const h5::StoredType& type) {
    return type.bytes <= (type.element == h5::Element::real ? sizeof(float) : sizeof(std::int16_t));
}

}  // namespace

NumberArray arranged_array(const ArrayEntry& entry, const std::string& wanted) {
    if (is_numpy_file(entry.file)) {
        const NumberArray stored = read_numpy(entry.file, entry.array);
        const Arrangement order = arrangement(stored.extents, entry, wanted);
        return {order.extents, gathered(stored.values, order)};
    }
    const h5::File file = open_source(entry);
    const h5::StoredMeaning meaning = meaning_of_entry(file, entry);
    const Arrangement order = arrangement(file.info(entry.array).extents, entry, wanted);
    if (meaning.is_packed() || !is_held_by_single(file.type(entry.array))) {
        const std::vector<double> values = read_arranged(file, entry, meaning, order);
        return {order.extents, {values.begin(), values.end()}};
    }
    std::vector<float> values = file.read<float>(entry.array);
    meaning.mark_missing(values);
    return {order.extents, gathered(values, order)};
}

std::vector<double> arranged_points(const ArrayEntry& entry, char letter) {
    const std::string wanted(1, letter);
    if (is_numpy_file(entry.file)) {
        const NumberArray array = arranged_array(entry, wanted);
        return {array.values.begin(), array.values.end()};
    }
    const h5::File file = open_source(entry);
    return read_arranged(file, entry, meaning_of_entry(file, entry),
                         arrangement(file.info(entry.array).extents, entry, wanted));
}

}  // namespace plumecast
