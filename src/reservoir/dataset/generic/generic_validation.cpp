#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {
namespace {

/// The first value of a case that is not finite where the mask is not 0, and how many there are.
struct NotFinite {
    std::size_t first = 0;
    std::size_t count = 0;
};

NotFinite not_finite(const std::vector<float>& values, const std::vector<float>& active) {
    NotFinite found;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) && active[i % active.size()] != 0.0F) {
            found.first = found.count++ == 0 ? i : found.first;
        }
    }
    return found;
}

/// Values that are not finite, and a mask that is neither 0 nor 1, case by case.
void check_generic_values(const DatasetStore& store, const ArraySpec& spec, bool has_mask,
                          std::vector<Violation>& violations) {
    const StoredArray info = store.info(spec.path);
    const auto per_case = [&](const std::string& path) {
        std::size_t size = 1;
        const std::vector<std::int64_t> extents = store.info(path).extents;
        for (std::size_t axis = 1; axis < extents.size(); ++axis) {
            size *= static_cast<std::size_t>(extents[axis]);
        }
        return size;
    };
    const std::string mask = find_array("active", Geometry::generic)->path;
    const bool is_mask = spec.path == mask;
    const bool is_masked = has_mask && !is_mask && spec.axes.back() == Axis::x;
    std::vector<float> values(per_case(spec.path)), active(is_masked ? per_case(mask) : 1, 1.0F);
    for (std::int64_t which = 0; which < info.extents[0]; ++which) {
        store.read_rows(spec.path, which, 1, std::span<float>(values));
        if (is_masked) {
            store.read_rows(mask, which, 1, std::span<float>(active));
        }
        const NotFinite bad = not_finite(values, active);
        if (bad.count > 0) {
            violations.push_back({spec.path,
                                  "case " + std::to_string(which) + ", entry " + std::to_string(bad.first) +
                                      ": value " + number_text(static_cast<double>(values[bad.first])) +
                                      " is not finite (" + counted(static_cast<std::int64_t>(bad.count), "value") +
                                      " of this case)",
                                  "replace it, or mark the point in " + mask});
            return;
        }
        if (is_mask && std::ranges::count(values, 0.0F) == std::ssize(values)) {
            violations.push_back({spec.path, "case " + std::to_string(which) + ": no point counts",
                                  "mark points that count with 1, or leave the case out"});
            return;
        }
        const auto is_other = [](float value) { return value != 0.0F && value != 1.0F; };
        if (is_mask && std::ranges::any_of(values, is_other)) {
            violations.push_back({spec.path, "case " + std::to_string(which) + ": a value is neither 0 nor 1",
                                  "mark points that count with 1, others with 0"});
            return;
        }
    }
}

/// What an array's attributes and axes contradict; `extents` are those of the arrays before it, by axis.
std::optional<Violation> shape_violation(const DatasetStore& store, const ArraySpec& spec,
                                         std::vector<std::pair<Axis, std::int64_t>>& extents) {
    const StoredArray info = store.info(spec.path);
    if (!info.is_number) {
        return Violation{spec.path, "the elements are no numbers", "store it as 32-bit reals"};
    }
    if (info.extents.size() != spec.axes.size()) {
        return Violation{spec.path, "it has " + std::to_string(info.extents.size()) + " axes",
                         "shape it as [" + axes_text(spec) +
                             "], or with T after N where it varies in time and there "
                             "are /grid/times"};
    }
    for (std::size_t axis = 0; axis < spec.axes.size(); ++axis) {
        const auto known = std::ranges::find(extents, spec.axes[axis], &std::pair<Axis, std::int64_t>::first);
        if (known == extents.end()) {
            extents.emplace_back(spec.axes[axis], info.extents[axis]);
        } else if (known->second != info.extents[axis]) {
            return Violation{spec.path,
                             "it has " + std::to_string(info.extents[axis]) + " entries along " +
                                 std::string(symbol_of(spec.axes[axis])) + ", other arrays have " +
                                 std::to_string(known->second),
                             "make the arrays agree"};
        }
    }
    if (!store.text(spec.path, "units")) {
        return Violation{spec.path, "attribute units is " + store.attribute_text(spec.path, "units"),
                         "set it to the unit of the values, or \"1\" where they have none"};
    }
    return std::nullopt;
}

}  // namespace

std::vector<Violation> generic_violations(const DatasetStore& store, bool with_outputs) {
    std::vector<Violation> violations;
    const std::vector<ArraySpec> arrays = generic_arrays_of(store);
    std::vector<std::pair<Axis, std::int64_t>> extents;
    const bool has_mask = store.has(find_array("active", Geometry::generic)->path);
    for (const ArraySpec& spec : arrays) {
        if (spec.role == Role::output && !with_outputs) {
            continue;
        }
        if (const std::optional<Violation> found = shape_violation(store, spec, extents)) {
            violations.push_back(*found);
        }
    }
    if (!violations.empty()) {
        return violations;
    }
    for (const ArraySpec& spec : arrays) {
        if (spec.role != Role::grid && (spec.role != Role::output || with_outputs)) {
            check_generic_values(store, spec, has_mask, violations);
        }
    }
    std::ranges::move(left_over_generic_arrays(store), std::back_inserter(violations));
    return violations;
}

std::vector<Violation> left_over_generic_arrays(const DatasetStore& store) {
    const std::vector<ArraySpec> arrays = generic_arrays_of(store);
    std::vector<Violation> left_over;
    for (const std::string& path : store.arrays()) {
        if (!path.starts_with("/case/") && std::ranges::find(arrays, path, &ArraySpec::path) == arrays.end()) {
            left_over.push_back({path, "generic data have no such array",
                                 "put inputs under /inputs, outputs under /outputs, other things under /case", false});
        }
    }
    return left_over;
}

}  // namespace plumecast
