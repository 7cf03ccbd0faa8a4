#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include <array>

#include "reservoir/dataset/dataset_layout.hpp"

namespace plumecast {
namespace {

struct KnownElement {
    std::string_view name;
    std::size_t bytes;
};

constexpr std::array<KnownElement, 13> known_elements = {{{"float32", 4},
                                                          {"float64", 8},
                                                          {"int8", 1},
                                                          {"int16", 2},
                                                          {"int32", 4},
                                                          {"int64", 8},
                                                          {"uint8", 1},
                                                          {"uint16", 2},
                                                          {"uint32", 4},
                                                          {"uint64", 8},
                                                          {"float16", 2},
                                                          {"bfloat16", 2},
                                                          {"other", 0}}};

/// A type from another language may be none of those known.
const KnownElement& element_of(ElementType type) {
    const auto index = static_cast<std::size_t>(type);
    return index < known_elements.size() ? known_elements[index] : known_elements.back();
}

}  // namespace

std::size_t size_of(ElementType type) { return element_of(type).bytes; }

std::string_view name_of(ElementType type) { return element_of(type).name; }

MemoryCases views_of(const DatasetContent& content) {
    MemoryCases cases{{}, content.attributes};
    const DatasetExtents extents = extents_of(content, cases_of(content));
    const auto add = [&](const std::string& name, const auto& values) {
        const ArraySpec* spec = find_array(name, content.geometry());
        std::vector<std::int64_t> shape = spec == nullptr ? std::vector<std::int64_t>() : extents.of(*spec);
        std::int64_t wanted = 1;
        for (const std::int64_t extent : shape) {
            wanted *= extent;
        }
        if (spec == nullptr || wanted != static_cast<std::int64_t>(values.size())) {
            shape = {static_cast<std::int64_t>(values.size())};  // the data set refuses it, and says why
        }
        cases.arrays.emplace(name, view_of(values.data(), std::move(shape), spec == nullptr ? "" : spec->unit));
    };
    const bool is_radial = content.geometry() == Geometry::radial;
    add(is_radial ? "r_edges" : "x_edges", is_radial ? content.r_edges : content.x_edges);
    if (!is_radial) {
        add("y_edges", content.y_edges);
    }
    add("z_edges", content.z_edges);
    add("times", content.times);
    if (!content.schedule_ends.empty()) {
        add("schedule_end", content.schedule_ends);
    }
    for (const auto& [name, values] : content.arrays) {
        add(name, values);
    }
    return cases;
}

}  // namespace plumecast
