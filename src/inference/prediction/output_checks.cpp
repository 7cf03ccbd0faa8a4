#include "inference/prediction/output_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast {
namespace {

/// More elements than any memory reaches over, and few enough for places to be computed.
constexpr std::int64_t farthest_element = std::int64_t{1} << 40;

/// Bytes [first, end) between the outermost elements of an array.
struct ByteRange {
    std::uintptr_t first;
    std::uintptr_t end;

    bool overlaps(const ByteRange& other) const { return first < other.end && other.first < end; }
};

/// Of an array with such strides [bytes].
ByteRange range_of(const void* data, std::span<const std::int64_t> extents, std::span<const std::int64_t> strides,
                   std::size_t element) {
    const auto base = reinterpret_cast<std::uintptr_t>(data);
    if (std::ranges::find(extents, 0) != extents.end()) {
        return {base, base};
    }
    ByteRange range{base, base + element};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const auto steps = static_cast<std::uintptr_t>(extents[axis] - 1);
        (strides[axis] < 0 ? range.first : range.end) += steps * static_cast<std::uintptr_t>(strides[axis]);
    }
    return range;
}

std::vector<std::int64_t> strides_in_bytes(const std::vector<std::int64_t>& extents,
                                           const std::vector<std::int64_t>& given, std::size_t element) {
    std::vector<std::int64_t> strides = given;
    if (strides.empty()) {
        strides.assign(extents.size(), 1);
        for (std::size_t axis = extents.size(); axis-- > 1;) {
            strides[axis - 1] = strides[axis] * extents[axis];
        }
    }
    for (std::int64_t& stride : strides) {
        stride *= static_cast<std::int64_t>(element);
    }
    return strides;
}

/// An axis with more than one entry.
struct Extent {
    std::int64_t count;
    std::int64_t stride;  // bytes, positive
};

/// The axes of an array with more than one entry, the largest stride first.
std::vector<Extent> nested_axes(const OutputArray& array) {
    const std::vector<std::int64_t> strides = byte_strides(array);
    std::vector<Extent> axes;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
        if (array.extents[axis] > 1) {
            axes.push_back({array.extents[axis], std::abs(strides[axis])});
        }
    }
    std::ranges::sort(axes, std::greater<>(), &Extent::stride);
    return axes;
}

/// Whether each axis steps over all that the axes within it reach, so that no two entries share memory.
bool is_nested(const std::vector<Extent>& axes, std::int64_t element) {
    std::int64_t reach = element;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        if (axes[axis].stride < reach) {
            return false;
        }
        reach += (axes[axis].count - 1) * axes[axis].stride;
    }
    return true;
}

/// Whether two arrays with such axes, of which the second begins so many bytes further, share memory.
bool meet_within(std::span<const Extent> axes, std::int64_t apart, std::int64_t element) {
    if (axes.empty()) {
        return std::abs(apart) < element;
    }
    const Extent& outer = axes[0];
    const std::int64_t near = apart / outer.stride;
    for (const std::int64_t steps : {near - 1, near, near + 1}) {
        if (std::abs(steps) < outer.count && meet_within(axes.subspan(1), apart - steps * outer.stride, element)) {
            return true;
        }
    }
    return false;
}

ByteRange range_of(const OutputArray& array) {
    return range_of(array.data, array.extents, byte_strides(array), size_of(array.type));
}

ByteRange range_of(const ArrayView& view) {
    const std::size_t element = size_of(view.type);
    return range_of(view.data, view.extents, strides_in_bytes(view.extents, view.strides, element), element);
}

bool share_memory(const OutputArray& one, const OutputArray& other) {
    const ByteRange first = range_of(one), second = range_of(other);
    if (!first.overlaps(second)) {
        return false;
    }
    if (one.type != other.type || byte_strides(one) != byte_strides(other)) {
        return true;  // more cannot be said of arrays that lie in each other in different orders
    }
    const auto apart = static_cast<std::int64_t>(second.first - first.first);
    return meet_within(nested_axes(one), apart, static_cast<std::int64_t>(size_of(one.type)));
}

/// What is wrong with one array by itself, or nothing.
std::string problem_of_output(const OutputArray& array, const WrittenArrays& written,
                              const std::vector<std::int64_t>& extents) {
    if (array.type != ElementType::float32 && array.type != ElementType::float64) {
        return fmt::format("has {} elements ({}s are written as float32 or float64); give an array of one of them",
                           name_of(array.type), written.kind == std::string("output") ? "field" : written.kind);
    }
    if (array.extents != extents) {
        return fmt::format("has the shape [{}] ({} want [{}]); give an array of that shape",
                           fmt::join(array.extents, ", "), written.shaped_by, fmt::join(extents, ", "));
    }
    if (!array.strides.empty() && array.strides.size() != extents.size()) {
        return fmt::format("has {} strides for {} axes (each axis has one); give one per axis, or none",
                           array.strides.size(), extents.size());
    }
    for (std::size_t axis = 0; axis < array.strides.size(); ++axis) {
        const std::int64_t most = farthest_element / std::max<std::int64_t>(extents[axis], 1);
        if (array.strides[axis] > most || array.strides[axis] < -most) {
            return "reaches over more than 2^40 elements (no memory is as large); give strides in elements";
        }
    }
    if (array.data == nullptr) {
        return "has no memory (its data pointer is null); give the address of its first element";
    }
    if (!is_nested(nested_axes(array), static_cast<std::int64_t>(size_of(array.type)))) {
        return "has entries that share memory (strides are too small for the shape); give each entry its own place";
    }
    return "";
}

}  // namespace

std::vector<std::int64_t> byte_strides(const OutputArray& array) {
    return strides_in_bytes(array.extents, array.strides, size_of(array.type));
}

void require_known_fields(const std::vector<std::string>& names, const std::vector<std::string>& outputs) {
    for (const std::string& name : names) {
        if (std::ranges::find(outputs, name) == outputs.end()) {
            const std::string near = nearest(name, outputs);
            throw InvalidInput(fmt::format("output '{}' is not predicted by the model (it predicts {}); {}", name,
                                           fmt::join(outputs, ", "),
                                           near.empty() ? "name one of them" : "did you mean " + near + "?"));
        }
    }
}

void require_apart(const std::map<std::string, OutputArray>& arrays, const WrittenArrays& written,
                   const std::vector<std::pair<const char*, const std::map<std::string, ArrayView>*>>& read) {
    for (const auto& [name, array] : arrays) {
        if (const std::string problem = problem_of_output(array, written, written.extents.at(name)); !problem.empty()) {
            throw InvalidInput(fmt::format("{} {} {}", written.kind, name, problem));
        }
        for (const auto& [kind, views] : read) {
            for (const auto& [other, view] : *views) {
                if (range_of(array).overlaps(range_of(view))) {
                    throw InvalidInput(
                        fmt::format("{} {} shares memory with the {} {} ({}s are read while {}s are written); give it "
                                    "memory of its own",
                                    written.kind, name, kind, other, kind, written.kind));
                }
            }
        }
        for (const auto& [other, before] : arrays) {
            if (other == name) {
                break;
            }
            if (share_memory(before, array)) {
                throw InvalidInput(
                    fmt::format("{}s {} and {} share memory (one would overwrite the other); give each memory of its "
                                "own",
                                written.kind, other, name));
            }
        }
    }
}

void require_outputs(const PredictedArrays& outputs, const std::vector<std::int64_t>& extents,
                     const MemoryCases* inputs) {
    if (outputs.arrays.empty()) {
        throw InvalidInput("no output is asked for (fields go to the arrays that are named); give an array for one");
    }
    WrittenArrays fields{"output", "cases, times and grid", {}};
    for (const auto& [name, array] : outputs.arrays) {
        fields.extents[name] = extents;
    }
    std::vector<std::pair<const char*, const std::map<std::string, ArrayView>*>> read;
    if (inputs != nullptr) {
        read.emplace_back("input", &inputs->arrays);
    }
    require_apart(outputs.arrays, fields, read);
}

}  // namespace plumecast
