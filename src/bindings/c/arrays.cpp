#include "bindings/c/arrays.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

namespace plumecast::c {
namespace {

constexpr std::int32_t most_axes = 16;
constexpr std::int32_t pinned_host = 3;  // of DLPack: host memory that a CUDA device reads too
constexpr std::uint64_t farthest_byte = std::uint64_t{1} << 47;

/// Where an array lies and what its elements are; `other` for what is no real number.
struct Elements {
    std::byte* first;
    ElementType type;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
};

ElementType type_of(std::uint8_t code, std::uint8_t bits, std::uint16_t lanes) {
    struct Known {
        int code;
        int bits;
        ElementType type;
    };
    constexpr Known all[] = {{PLUMECAST_FLOAT, 32, ElementType::float32}, {PLUMECAST_FLOAT, 64, ElementType::float64},
                             {PLUMECAST_FLOAT, 16, ElementType::float16}, {PLUMECAST_BFLOAT, 16, ElementType::bfloat16},
                             {PLUMECAST_INT, 8, ElementType::int8},       {PLUMECAST_INT, 16, ElementType::int16},
                             {PLUMECAST_INT, 32, ElementType::int32},     {PLUMECAST_INT, 64, ElementType::int64},
                             {PLUMECAST_UINT, 8, ElementType::uint8},     {PLUMECAST_UINT, 16, ElementType::uint16},
                             {PLUMECAST_UINT, 32, ElementType::uint32},   {PLUMECAST_UINT, 64, ElementType::uint64},
                             {PLUMECAST_BOOL, 8, ElementType::uint8}};
    for (const Known& one : all) {
        if (one.code == code && one.bits == bits && lanes == 1) {
            return one.type;
        }
    }
    return ElementType::other;
}

Elements elements_of(const plumecast_array& array, const std::string& name) {
    if (array.device.device_type != PLUMECAST_HOST && array.device.device_type != pinned_host) {
        throw InvalidInput(
            fmt::format("{} lies on a device (of DLPack's type {}; arrays are read and written in host "
                        "memory, type 1); copy it to the host",
                        name, array.device.device_type));
    }
    if (array.ndim < 0 || array.ndim > most_axes || (array.ndim > 0 && array.shape == nullptr)) {
        throw InvalidInput(
            fmt::format("{} has {} axes and {} shape (0 to {} axes are read, each with an entry of the "
                        "shape); give both",
                        name, array.ndim, array.shape == nullptr ? "no" : "a", most_axes));
    }
    if (array.byte_offset > farthest_byte) {
        throw InvalidInput(
            fmt::format("{} begins {} bytes behind its data (no memory reaches that far); correct its "
                        "byte_offset",
                        name, array.byte_offset));
    }
    const auto axes = [&](const std::int64_t* from) {
        return from == nullptr ? std::vector<std::int64_t>() : std::vector<std::int64_t>(from, from + array.ndim);
    };
    std::byte* data = static_cast<std::byte*>(array.data);
    return {data == nullptr ? nullptr : data + array.byte_offset,
            type_of(array.dtype.code, array.dtype.bits, array.dtype.lanes), axes(array.shape), axes(array.strides)};
}

}  // namespace

ArrayView view_from(const plumecast_array& array, const std::string& name, std::string unit) {
    Elements elements = elements_of(array, name);
    return {elements.first, elements.type, std::move(elements.extents), std::move(unit), std::move(elements.strides)};
}

OutputArray output_from(const plumecast_array& array, const std::string& name) {
    Elements elements = elements_of(array, name);
    return {elements.first, elements.type, std::move(elements.extents), std::move(elements.strides)};
}

}  // namespace plumecast::c
