#include "batch_targets.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "channel_value.hpp"

namespace plumecast {
namespace {

/// Scales the values [T, cells] of a case to (value - offset) / scale [T], 0 in inactive cells, and puts them at every
/// `step`-th place of `out` [cells, T, step]. False when one is not finite. A block of cells at a time, so that both
/// sides of the transposition stay in the cache.
bool scale_field(std::span<const float> stored, std::span<const float> active, double offset,
                 std::span<const double> scales, std::span<float> out, std::size_t step) {
    constexpr std::size_t block = 64;
    const std::size_t cells = active.size();
    const std::size_t times = stored.size() / cells;
    bool is_finite = true;
    for (std::size_t begin = 0; begin < cells; begin += block) {
        const std::size_t end = std::min(begin + block, cells);
        for (std::size_t t = 0; t < times; ++t) {
            for (std::size_t cell = begin; cell < end; ++cell) {
                const auto scaled =
                    static_cast<float>((static_cast<double>(stored[t * cells + cell]) - offset) / scales[t]);
                const float value = active[cell] == 0.0F ? 0.0F : scaled;
                is_finite = is_finite && std::isfinite(value);
                out[(cell * times + t) * step] = value;
            }
        }
    }
    return is_finite;
}

/// Throws for the first value of a case that scale_field() found not to be finite.
void refuse_field(const Dataset& dataset, const Field& field, std::span<const double> scales,
                  std::span<const float> stored, std::span<const float> active, std::int64_t which) {
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::size_t cell = i % active.size();
        const Channel scaling{
            field.name, field.name, field.unit, Transform::identity, field.offset, scales[i / active.size()], true};
        if (active[cell] != 0.0F) {
            channel_value(dataset, scaling, static_cast<double>(stored[i]), which, static_cast<std::int64_t>(cell));
        }
    }
}

}  // namespace

void add_targets(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset) {
    const auto times = static_cast<std::size_t>(dataset.snapshots());
    const auto size = static_cast<std::size_t>(dataset.cells());
    const Shape shape =
        batch.active.shape().append(dataset.snapshots()).append(static_cast<std::int64_t>(fields.size()));
    batch.targets = Tensor(host_memory(), shape, DType::float32);
    const auto out = batch.targets.values<float>();
    const auto active = std::as_const(batch.active).values<float>();
    std::vector<float> stored(times * size);
    for (std::size_t which = 0; which < batch.cases.size(); ++which) {
        const auto marks = active.subspan(which * size, size);
        const auto rows = out.subspan(which * size * times * fields.size(), size * times * fields.size());
        if (batch.is_set_aside(which)) {
            std::ranges::fill(rows, 0.0F);
            continue;
        }
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const Field& field = fields[f];
            const std::int64_t cases[] = {batch.cases[which]};
            dataset.read_output(field.name, cases, stored);
            std::vector<double> scales(times);
            for (std::size_t t = 0; t < times; ++t) {
                scales[t] = scale_at(batch.scales, which, t, f);
            }
            if (!scale_field(stored, marks, field.offset, scales, rows.subspan(f), fields.size())) {
                refuse_field(dataset, field, scales, stored, marks, cases[0]);
            }
        }
    }
}

}  // namespace plumecast
