#include <algorithm>
#include <optional>

#include <plumecast/core/error.hpp>
#include <plumecast/data/dataset.hpp>
#include <plumecast/data/ranges.hpp>
#include <plumecast/data/schema.hpp>

namespace plumecast {
namespace {

// Range of one input in one case; nothing when no cell is active.
std::optional<Range> range_of_case(const Dataset& dataset, const ArraySpec& spec, std::int64_t which) {
    if (spec.role == Role::scalar) {
        const double value = dataset.scalar(spec.name())[static_cast<std::size_t>(which)];
        return Range{value, value, spec.unit};
    }
    const auto size = static_cast<std::size_t>(dataset.cells());
    std::vector<float> values(size);
    std::vector<float> active(size);
    dataset.read_map(spec.name(), {&which, 1}, values);
    dataset.read_map("active", {&which, 1}, active);
    std::optional<Range> range;
    for (std::size_t i = 0; i < size; ++i) {
        if (active[i] != 0.0F) {
            const double value = values[i];
            range = range ? Range{std::min(range->low, value), std::max(range->high, value), spec.unit}
                          : Range{value, value, spec.unit};
        }
    }
    return range;
}

}  // namespace

InputRanges InputRanges::over(const Dataset& dataset, std::span<const std::int64_t> cases) {
    InputRanges result;
    for (const ArraySpec& spec : dataset_arrays(dataset.geometry())) {
        const bool is_input = spec.role == Role::scalar || spec.role == Role::map;
        if (!is_input || spec.name() == "active" || !dataset.has(spec.name())) {
            continue;
        }
        for (const std::int64_t which : cases) {
            if (const auto range = range_of_case(dataset, spec, which)) {
                Range& total = result.ranges_.try_emplace(std::string(spec.name()), *range).first->second;
                total.low = std::min(total.low, range->low);
                total.high = std::max(total.high, range->high);
            }
        }
    }
    return result;
}

std::vector<OutOfRange> InputRanges::outside(const Dataset& dataset, std::span<const std::int64_t> cases) const {
    std::vector<OutOfRange> found;
    for (const auto& [name, known] : ranges_) {
        const ArraySpec* spec = find_array(name, dataset.geometry());
        const bool is_there = spec != nullptr && dataset.has(name);
        for (const std::int64_t which : cases) {
            const auto range = is_there ? range_of_case(dataset, *spec, which) : std::nullopt;
            if (!range) {
                continue;
            }
            const double below = known.low - range->low;
            const double above = range->high - known.high;
            if (std::max(below, above) > 0.0) {
                found.push_back(
                    {name, known.unit, which, below > above ? range->low : range->high, std::max(below, above)});
            }
        }
    }
    return found;
}

Json InputRanges::to_json() const {
    Json::Object object;
    for (const auto& [name, range] : ranges_) {
        object.emplace_back(name, Json::Object{{"min", range.low}, {"max", range.high}, {"unit", range.unit}});
    }
    return object;
}

InputRanges InputRanges::read(JsonReader& object, std::string_view key) {
    InputRanges result;
    JsonReader list = object.object(key);
    for (const std::string& name : list.keys()) {
        JsonReader item = list.object(name);
        Range range{item.get<double>("min"), item.get<double>("max"), item.get<std::string>("unit")};
        item.reject_unknown();
        const ArraySpec* spec = find_array(name);
        if (spec == nullptr || spec->unit != range.unit) {
            throw InvalidInput(list.path(name) + ": no input of that name in " + range.unit +
                               " (ranges are compared with inputs of the data set format); correct name or unit");
        }
        result.ranges_.emplace(name, std::move(range));
    }
    return result;
}

}  // namespace plumecast
