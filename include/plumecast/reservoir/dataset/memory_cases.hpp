#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

struct DatasetContent;

/// What the elements of an array in memory are; `other` for what is no real number, which no data set takes.
enum class ElementType {
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    other
};

/// Bytes of one element; 0 for `other`.
std::size_t size_of(ElementType type);
/// "float32", "int8" ...; "other".
std::string_view name_of(ElementType type);

/// The type of C++ elements; truth values are `uint8`.
template <class T>
constexpr ElementType element_type_of() {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "a real number of at most eight bytes");
    constexpr int order = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
    } else {
        const int first = static_cast<int>(std::is_signed_v<T> ? ElementType::int8 : ElementType::uint8);
        return static_cast<ElementType>(first + order);
    }
}

/// An array of the caller's, looked at where it is.
struct ArrayView {
    /// The element whose indices are all 0.
    const void* data = nullptr;
    ElementType type = ElementType::float32;
    /// Entries along each axis, slowest first.
    std::vector<std::int64_t> extents;
    /// What the values are in, as the data set format states it: "mD", "bar", "1" ...; never converted.
    std::string unit;
    /// Elements between neighbours along each axis, any number: 0 repeats one entry, negative ones go backwards. Empty
    /// for row-major arrays without gaps.
    std::vector<std::int64_t> strides = {};
};

/// A view of elements whose type the compiler knows.
template <class T>
ArrayView view_of(const T* data, std::vector<std::int64_t> extents, std::string unit,
                  std::vector<std::int64_t> strides = {}) {
    return {data, element_type_of<T>(), std::move(extents), std::move(unit), std::move(strides)};
}

/// Cases in the caller's memory: what a data set file holds (docs/data_format.md), by the names of the format. Nothing
/// is copied but grid, times and what has one value per case; maps and outputs are read from the views case by case,
/// so they must stay as they are for as long as a Dataset of them is used.
struct MemoryCases {
    /// Edges, times, cells, maps, scalars and outputs by name: "r_edges" [R+1], "permeability_r" [N, Z, R] ...
    std::map<std::string, ArrayView> arrays;
    /// Texts that a file would state as attributes: "title", "entry_pressure", "origin" ...
    FileAttributes attributes = {};
    /// What messages call the cases in the place of a file's path.
    std::string name = "cases in memory";
};

/// Views of all that `content` holds. Throws InvalidInput when it has no case, no cell or no time.
MemoryCases views_of(const DatasetContent& content);
MemoryCases views_of(DatasetContent&& content) = delete;

}  // namespace plumecast
