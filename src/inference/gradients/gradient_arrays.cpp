#include "inference/gradients/gradient_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>

#include "inference/prediction/output_checks.hpp"
#include "reservoir/dataset/store/memory_store.hpp"
#include "reservoir/metrics/series_gradient.hpp"

namespace plumecast {
namespace {

std::vector<std::int64_t> followed_by_space(std::vector<std::int64_t> extents, const Dataset& dataset) {
    const Shape space = dataset.space();
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    return extents;
}

/// "; name one of them", or the nearest.
std::string remedy_of(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest(name, known);
    return near.empty() ? "name one of them" : "did you mean " + near + "?";
}

template <class Element>
void write_all(std::byte* first, std::span<const std::int64_t> extents, std::span<const std::int64_t> strides,
               const double*& from) {
    for (std::int64_t i = 0; i < extents[0]; ++i) {
        std::byte* place = first + i * strides[0];
        if (extents.size() > 1) {
            write_all<Element>(place, extents.subspan(1), strides.subspan(1), from);
        } else {
            const auto value = static_cast<Element>(*from++);
            std::memcpy(place, &value, sizeof value);
        }
    }
}

}  // namespace

void require_series(const std::string& name, const std::vector<std::string>& series, const Dataset& dataset) {
    if (series.empty() && dataset.geometry() != Geometry::radial) {
        throw InvalidInput(fmt::format(
            "series '{}' of cases that have none with derivatives (they are those of cylinders); give weights for "
            "fields",
            name));
    }
    if (series.empty()) {
        throw InvalidInput(
            fmt::format("series '{}' of a recording without any (they follow from pressure_buildup and "
                        "gas_saturation); record both "
                        "with a model that has them, or give weights for fields",
                        name));
    }
    if (std::ranges::find(series, name) == series.end()) {
        throw InvalidInput(fmt::format("'{}' is no series with derivatives (there are {}); {}", name,
                                       fmt::join(series, ", "), remedy_of(name, series)));
    }
}

void require_cotangents(const FieldCotangents& cotangents, const std::vector<std::string>& fields,
                        const std::vector<std::string>& series, const Dataset& dataset) {
    if (cotangents.empty()) {
        throw InvalidInput("no weights are given (gradients are those of a weighted sum); give weights for a field");
    }
    const std::vector<std::int64_t> of_series{dataset.cases(), dataset.snapshots()},
        of_field = followed_by_space(of_series, dataset);
    std::vector<std::string> known = fields;
    known.insert(known.end(), series.begin(), series.end());
    for (const auto& [name, view] : cotangents) {
        const bool is_series = std::ranges::find(differentiable_series(), name) != differentiable_series().end();
        if (is_series) {
            require_series(name, series, dataset);
        }
        const std::vector<std::int64_t>& extents = is_series ? of_series : of_field;
        if (name == "dissolved_co2" && std::ranges::find(fields, name) == fields.end()) {
            throw InvalidInput(fmt::format(
                "weights of '{}', which has no derivatives (models that predict it close the balance of CO2 with it); "
                "give weights for {}",
                name, fmt::join(fields, ", ")));
        }
        if (!is_series && std::ranges::find(fields, name) == fields.end()) {
            throw InvalidInput(fmt::format("weights of '{}', which was not recorded (the recording has {}); {}", name,
                                           fmt::join(known, ", "), remedy_of(name, known)));
        }
        if (const std::string problem = problem_of_view(view); !problem.empty()) {
            throw InvalidInput("the array of weights of " + name + " " + problem);
        }
        if (view.extents != extents) {
            throw InvalidInput(fmt::format(
                "weights of {} have the shape [{}] (cases, times and grid want [{}]); give "
                "one weight for each value of the {}",
                name, fmt::join(view.extents, ", "), fmt::join(extents, ", "), is_series ? "series" : "field"));
        }
    }
}

void require_gradients(const GradientArrays& gradients, const Dataset& dataset, const MemoryCases* inputs,
                       const FieldCotangents& cotangents) {
    if (gradients.empty()) {
        throw InvalidInput("no gradient is asked for (they go to the arrays that are named); give an array for one");
    }
    const std::vector<std::string> known = differentiable_inputs(dataset);
    WrittenArrays written{"gradient", "cases and grid", {}};
    for (const auto& [name, array] : gradients) {
        if (std::ranges::find(known, name) == known.end()) {
            throw InvalidInput(fmt::format("gradient by '{}', which is no input with derivatives (there are {}); {}",
                                           name, fmt::join(known, ", "), remedy_of(name, known)));
        }
        written.extents[name] = gradient_extents(dataset, name);
    }
    std::vector<std::pair<const char*, const std::map<std::string, ArrayView>*>> read = {{"weight", &cotangents}};
    if (inputs != nullptr) {
        read.emplace_back("input", &inputs->arrays);
    }
    require_apart(gradients, written, read);
}

void write_entries(const OutputArray& array, std::int64_t begin, std::span<const double> values) {
    const std::vector<std::int64_t> strides = byte_strides(array);
    std::vector<std::int64_t> extents = array.extents;
    std::int64_t each = 1;
    for (std::size_t axis = 1; axis < extents.size(); ++axis) {
        each *= extents[axis];
    }
    extents[0] = static_cast<std::int64_t>(values.size()) / each;
    expects(begin >= 0 && begin + extents[0] <= array.extents[0], "entries within the array");
    std::byte* first = static_cast<std::byte*>(array.data) + begin * strides[0];
    const double* from = values.data();
    array.type == ElementType::float64 ? write_all<double>(first, extents, strides, from)
                                       : write_all<float>(first, extents, strides, from);
}

}  // namespace plumecast
