#include "reservoir/dataset/store/memory_store.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <plumecast/core/bfloat16.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "core/float16.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {
namespace {

/// More elements than any memory holds, and few enough for their number and places to be computed.
constexpr std::int64_t most_elements = std::int64_t{1} << 40;

/// The array of a path of the format, whatever the grid; nothing for a name that no grid knows.
const ArraySpec* spec_of(const std::string& path) {
    const ArraySpec* radial = find_array_at(path, Geometry::radial);
    return radial != nullptr ? radial : find_array_at(path, Geometry::cartesian);
}

std::vector<std::int64_t> strides_of(const ArrayView& view) {
    if (!view.strides.empty()) {
        return view.strides;
    }
    std::vector<std::int64_t> strides(view.extents.size(), 1);
    for (std::size_t axis = strides.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * view.extents[axis];
    }
    return strides;
}

}  // namespace

std::string problem_of_view(const ArrayView& view) {
    if (size_of(view.type) == 0) {
        return "has elements that are no real numbers (float16, bfloat16, float32, float64 and integers of 8 to 64 "
               "bits are "
               "read); convert them to float32";
    }
    if (!view.strides.empty() && view.strides.size() != view.extents.size()) {
        return "has " + std::to_string(view.strides.size()) + " strides for " + std::to_string(view.extents.size()) +
               " axes (each axis has one); give one per axis, or none for an array without gaps";
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : view.extents) {
        if (extent < 0 || (extent > 0 && count > most_elements / extent)) {
            return "has an extent of " + std::to_string(extent) +
                   " (no memory holds an array of that shape); correct the shape";
        }
        count *= extent;
    }
    const auto is_far = [](std::int64_t stride) { return stride > most_elements || stride < -most_elements; };
    if (std::ranges::any_of(view.strides, is_far)) {
        return "has a stride of more than 2^40 elements (no memory reaches that far); give strides in elements";
    }
    if (view.data == nullptr && count > 0) {
        return "has no values (its data pointer is null); give the address of its first element";
    }
    return "";
}

namespace {

/// The axes of a view from one on.
struct Remaining {
    std::span<const std::int64_t> extents;
    std::span<const std::int64_t> strides;
};

template <class Number>
Number number_of(Number value) {
    return value;
}
float number_of(float16 value) { return static_cast<float>(value); }
float number_of(bfloat16 value) { return static_cast<float>(value); }

template <class From, class To>
To* gather(const std::byte* from, Remaining axes, To* out) {
    const std::int64_t extent = axes.extents[0];
    const std::int64_t step = axes.strides[0] * static_cast<std::int64_t>(sizeof(From));
    if (axes.extents.size() > 1) {
        const Remaining inner{axes.extents.subspan(1), axes.strides.subspan(1)};
        for (std::int64_t i = 0; i < extent; ++i) {
            out = gather<From>(from + i * step, inner, out);
        }
        return out;
    }
    if (std::is_same_v<From, To> && axes.strides[0] == 1) {
        std::memcpy(out, from, static_cast<std::size_t>(extent) * sizeof(To));
        return out + extent;
    }
    for (std::int64_t i = 0; i < extent; ++i) {
        From value;  // a caller's array need not be aligned
        std::memcpy(&value, from + i * step, sizeof value);
        *out++ = static_cast<To>(number_of(value));
    }
    return out;
}

/// Calls work(element) with an element of the type.
template <class Work>
void with_element(ElementType type, const Work& work) {
    switch (type) {
        case ElementType::float32:
            return work(float{});
        case ElementType::float64:
            return work(double{});
        case ElementType::int8:
            return work(std::int8_t{});
        case ElementType::int16:
            return work(std::int16_t{});
        case ElementType::int32:
            return work(std::int32_t{});
        case ElementType::int64:
            return work(std::int64_t{});
        case ElementType::uint8:
            return work(std::uint8_t{});
        case ElementType::uint16:
            return work(std::uint16_t{});
        case ElementType::uint32:
            return work(std::uint32_t{});
        case ElementType::uint64:
            return work(std::uint64_t{});
        case ElementType::float16:
            return work(float16{});
        case ElementType::bfloat16:
            return work(bfloat16{});
        case ElementType::other:
            break;
    }
    expects(false, "elements that are numbers");
}

template <class To>
void read_rows_of(const ArrayView& view, std::int64_t begin, std::int64_t count, std::span<To> out) {
    std::vector<std::int64_t> extents = view.extents;
    const std::vector<std::int64_t> strides = strides_of(view);
    expects(!extents.empty() && begin >= 0 && count >= 0 && begin + count <= extents[0], "rows within the array");
    extents[0] = count;
    std::int64_t elements = 1;
    for (const std::int64_t extent : extents) {
        elements *= extent;
    }
    expects(elements == static_cast<std::int64_t>(out.size()), "room for exactly the rows read");
    if (elements == 0) {
        return;
    }
    with_element(view.type, [&](auto element) {
        using From = decltype(element);
        const std::int64_t first = begin * strides[0] * static_cast<std::int64_t>(sizeof(From));
        gather<From>(static_cast<const std::byte*>(view.data) + first, {extents, strides}, out.data());
    });
}

}  // namespace

void read_view(const ArrayView& view, std::int64_t begin, std::int64_t count, std::span<float> out) {
    read_rows_of(view, begin, count, out);
}

void read_view(const ArrayView& view, std::int64_t begin, std::int64_t count, std::span<double> out) {
    read_rows_of(view, begin, count, out);
}

MemoryStore::MemoryStore(MemoryCases cases) : cases_(std::move(cases)) {
    for (const auto& [name, view] : cases_.arrays) {
        const ArraySpec* spec = find_array(name);
        paths_.emplace(spec == nullptr ? name : spec->path, &view);
    }
}

std::vector<std::string> MemoryStore::arrays() const {
    std::vector<std::string> found;
    for (const auto& [path, view] : paths_) {
        found.push_back(path);
    }
    return found;
}

const ArrayView& MemoryStore::view(const std::string& array) const {
    const auto found = paths_.find(array);
    if (found == paths_.end()) {
        const ArraySpec* spec = spec_of(array);
        throw InvalidData(cases_.name + ": " + array + " is missing (no array of that name was given); add it" +
                          (spec == nullptr ? "" : ": " + spec->long_name + " in " + spec->unit));
    }
    return *found->second;
}

StoredArray MemoryStore::info(const std::string& array) const {
    const ArrayView& found = view(array);
    std::string problem = problem_of_view(found);
    const ArraySpec* spec = spec_of(array);
    if (problem.empty() && spec != nullptr && spec->role == Role::grid && found.extents.size() == 1 &&
        found.extents[0] > 1 && strides_of(found)[0] == 0) {
        problem = "repeats one entry (its stride is 0, and the entries must increase); give each of them";
    }
    if (!problem.empty()) {
        throw InvalidData(cases_.name + ": " + array + " " + problem);
    }
    return {found.extents, true};
}

void MemoryStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                            std::span<float> out) const {
    read_rows_of(view(array), begin, count, out);
}

void MemoryStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                            std::span<double> out) const {
    read_rows_of(view(array), begin, count, out);
}

std::optional<std::string> MemoryStore::text(const std::string& object, const std::string& attribute) const {
    if (object != "/") {
        const auto found = paths_.find(object);
        const ArraySpec* spec = spec_of(object);
        if (found != paths_.end() && attribute == "units") {
            const bool is_generic = text("/", geometry_attribute) == std::string(generic_geometry);
            const std::string& unit = found->second->unit;
            return !unit.empty() ? std::optional(unit) : is_generic ? std::optional<std::string>("1") : std::nullopt;
        }
        return found != paths_.end() && spec != nullptr && attribute == "long_name" ? std::optional(spec->long_name)
                                                                                    : std::nullopt;
    }
    if (attribute == "format") {
        return std::string(dataset_format);
    }
    const auto found = cases_.attributes.find(attribute);
    return found == cases_.attributes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> MemoryStore::integer(const std::string& object, const std::string& attribute) const {
    return object == "/" && attribute == "format_version" ? std::optional<std::int64_t>(dataset_format_version)
                                                          : std::nullopt;
}

std::vector<double> MemoryStore::numbers(const std::string&, const std::string&) const { return {}; }

std::vector<std::string> MemoryStore::attributes() const {
    std::vector<std::string> names;
    for (const auto& [name, text] : cases_.attributes) {
        names.push_back(name);
    }
    return names;
}

std::vector<Violation> left_over_arrays(const DatasetStore& store) {
    const Geometry geometry = geometry_of(store);
    if (geometry == Geometry::generic) {
        return left_over_generic_arrays(store);
    }
    std::vector<std::string> missing;  // what a misspelt name may stand for
    for (const ArraySpec& spec : dataset_arrays(geometry)) {
        if (!store.has(spec.path)) {
            missing.emplace_back(spec.name());
        }
    }
    std::vector<Violation> unknown, of_other_grids;
    for (const std::string& path : store.arrays()) {
        const std::string name = path.substr(path.rfind('/') + 1);
        if (find_array_at(path, geometry) != nullptr) {
            continue;
        }
        const bool is_unknown = spec_of(path) == nullptr;
        std::vector<std::string> candidates = missing;
        if (is_unknown && !store.has(find_array("r_edges")->path)) {  // an edge misspelt is a grid mistaken
            candidates.insert(candidates.end(), {"x_edges", "y_edges"});
        }
        const std::string meant = nearest(name, candidates);
        const std::string remedy = meant.empty() ? "leave it out" : "call it " + meant + ", or leave it out";
        const std::string kind = geometry == Geometry::radial ? "a radial" : "a Cartesian";
        (is_unknown ? unknown : of_other_grids)
            .push_back(
                {path, is_unknown ? "the format knows no such array" : kind + " grid has no such array", remedy, true});
    }
    std::ranges::move(of_other_grids, std::back_inserter(unknown));
    return unknown;
}

}  // namespace plumecast
