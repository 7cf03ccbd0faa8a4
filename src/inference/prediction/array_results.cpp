#include "inference/prediction/array_results.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include <plumecast/core/error.hpp>

#include "inference/prediction/output_checks.hpp"

namespace plumecast {
namespace {

/// One case of an array: [T, space...], strides in bytes.
struct CaseOfArray {
    std::byte* first;
    std::int64_t time_stride;
    std::vector<std::int64_t> space_strides;
};

CaseOfArray case_of(const OutputArray& array, std::int64_t which) {
    std::vector<std::int64_t> strides = byte_strides(array);
    return {static_cast<std::byte*>(array.data) + which * strides[0], strides[1], {strides.begin() + 2, strides.end()}};
}

/// Cells along the last axis of space that are written together, so that both sides stay in the cache.
constexpr std::int64_t cells_together = 64;

/// Calls work(cell, count, place): runs of cells along the last axis, and where the first lies at the first time.
template <class Work>
void for_each_run(const CaseOfArray& array, const Shape& space, const Work& work) {
    const std::int64_t columns = space[-1];
    for (std::int64_t line = 0; line < space.count() / columns; ++line) {
        std::byte* place = array.first;
        std::int64_t rest = line;
        for (int axis = space.rank() - 2; axis >= 0; --axis) {
            place += rest % space[axis] * array.space_strides[static_cast<std::size_t>(axis)];
            rest /= space[axis];
        }
        for (std::int64_t column = 0; column < columns; column += cells_together) {
            work(line * columns + column, std::min(cells_together, columns - column),
                 place + column * array.space_strides.back());
        }
    }
}

/// `Element` is that of the array, which need not be aligned.
template <class Element>
void write_case(const CaseOfArray& array, const Shape& space, std::int64_t times, std::span<const float> values,
                std::span<const float> active) {
    const std::int64_t step = array.space_strides.back();
    for_each_run(array, space, [&](std::int64_t cell, std::int64_t count, std::byte* place) {
        for (std::int64_t t = 0; t < times; ++t) {
            for (std::int64_t i = 0; i < count; ++i) {
                const auto at = static_cast<std::size_t>(cell + i);
                const auto value = active[at] != 0.0F
                                       ? static_cast<Element>(
                                             values[at * static_cast<std::size_t>(times) + static_cast<std::size_t>(t)])
                                       : std::numeric_limits<Element>::quiet_NaN();
                std::memcpy(place + t * array.time_stride + i * step, &value, sizeof value);
            }
        }
    });
}

template <class Element>
void read_case(const CaseOfArray& array, const Shape& space, std::int64_t times, std::span<float> out) {
    const std::int64_t step = array.space_strides.back();
    for_each_run(array, space, [&](std::int64_t cell, std::int64_t count, const std::byte* place) {
        for (std::int64_t t = 0; t < times; ++t) {
            for (std::int64_t i = 0; i < count; ++i) {
                Element value;
                std::memcpy(&value, place + t * array.time_stride + i * step, sizeof value);
                out[static_cast<std::size_t>(t * space.count() + cell + i)] = static_cast<float>(value);
            }
        }
    });
}

}  // namespace

ArrayResults::ArrayResults(PredictedArrays outputs, const Shape& space, std::int64_t times)
    : outputs_(std::move(outputs)), space_(space), times_(times) {}

std::function<void()> ArrayResults::put(const std::string& field, std::int64_t which, std::span<const float> values,
                                        std::span<const float> active) {
    const auto cells = static_cast<std::size_t>(space_.count());
    expects(values.size() == cells * static_cast<std::size_t>(times_) && active.size() == cells,
            "values [space..., T], active [space...]");
    const OutputArray& array = outputs_.arrays.at(field);
    array.type == ElementType::float64 ? write_case<double>(case_of(array, which), space_, times_, values, active)
                                       : write_case<float>(case_of(array, which), space_, times_, values, active);
    return nullptr;
}

std::vector<float> ArrayResults::read(const std::string& field, std::int64_t which) const {
    const auto found = outputs_.arrays.find(field);
    if (found == outputs_.arrays.end()) {
        return {};
    }
    const OutputArray& array = found->second;
    std::vector<float> values(static_cast<std::size_t>(times_ * space_.count()));
    array.type == ElementType::float64 ? read_case<double>(case_of(array, which), space_, times_, values)
                                       : read_case<float>(case_of(array, which), space_, times_, values);
    return values;
}

ResultVerdicts ArrayResults::judge(const Dataset& dataset, const TrustRecord& record, const RunFacts& facts,
                                   const ResultStore* beside) {
    return judge_fields(reader_with(beside), dataset, record, facts);
}

}  // namespace plumecast
