#include "reservoir/batches/guided_batch.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/batches/derived_inputs.hpp"
#include "reservoir/dataset/axis_order.hpp"

namespace plumecast {
namespace {

/// Largest of up to 2 reach + 1 neighbours along an axis of `count` entries `stride` apart.
void spread(std::vector<float>& values, std::size_t begin, std::size_t count, std::size_t stride, int reach) {
    std::vector<float> before(count);
    for (std::size_t i = 0; i < count; ++i) {
        before[i] = values[begin + i * stride];
    }
    const auto far = static_cast<std::size_t>(reach);
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = before.begin() + static_cast<std::ptrdiff_t>(i > far ? i - far : 0);
        const auto last = before.begin() + static_cast<std::ptrdiff_t>(std::min(count, i + far + 1));
        values[begin + i * stride] = *std::max_element(first, last);
    }
}

/// Extents [T, space...] of [space..., T].
Shape times_before_space(const Shape& extents) {
    Shape result{extents[-1]};
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        result = result.append(extents[axis]);
    }
    return result;
}

/// Extents [cases, ...].
Shape of_all(std::int64_t cases, const Shape& extents) {
    Shape result{cases};
    for (const std::int64_t extent : extents.extents()) {
        result = result.append(extent);
    }
    return result;
}

/// Places of one field in arrays [T, cells] and [cells, T, F] of one case.
struct Places {
    std::size_t cells, times, fields, field;

    std::size_t stored(std::size_t cell, std::size_t t) const { return t * cells + cell; }
    std::size_t batch(std::size_t cell, std::size_t t) const { return (cell * times + t) * fields + field; }
};

/// Base and weight of the correction of one field in one case, with its scales [T].
template <class T>
void fill_field(const Field& field, std::span<const double> scales, const PhysicsFields* physics, const Shape& extents,
                const Places& places, std::span<const float> active, std::span<T> base, std::span<T> correction) {
    const std::vector<float>* known = field.base.empty() ? nullptr : &physics->fields.at(field.base);
    const std::vector<float> near = field.confined < 0
                                        ? std::vector<float>()
                                        : near_plume(physics->fields.at("physics_gas_saturation"),
                                                     times_before_space(extents), plume_saturation, field.confined);
    const PointConstants& points = field.points;
    for (std::size_t cell = 0; cell < places.cells; ++cell) {
        for (std::size_t t = 0; active[cell] != 0.0F && t < places.times; ++t) {
            const std::size_t from = places.stored(cell, t), to = places.batch(cell, t);
            if (known != nullptr) {
                base[to] = static_cast<T>((static_cast<double>((*known)[from]) - field.offset) / scales[t]);
            }
            if (!points.empty()) {
                base[to] = static_cast<T>((points.offsets[cell] - field.offset) / scales[t]);
                correction[to] = static_cast<T>(points.scales[cell] / scales[t]);
                continue;
            }
            const float weight = near.empty() ? 1.0F : near[from];
            correction[to] = static_cast<T>(field.residual_scale) * static_cast<T>(weight);
        }
    }
}

}  // namespace

void require_physics(CasePhysics* physics, const std::vector<Channel>& channels, const std::vector<Field>& fields) {
    for (const std::string& source : physics_sources(channels, fields)) {
        if (physics == nullptr) {
            throw InvalidInput("source " + source +
                               " comes from the reduced physics (the network is guided, but no physics was given); "
                               "give the CasePhysics of the data set");
        }
    }
}

std::vector<float> near_plume(std::span<const float> saturation, const Shape& extents, float threshold, int reach) {
    std::vector<float> marks(saturation.size());
    std::ranges::transform(saturation, marks.begin(), [=](float s) { return s > threshold ? 1.0F : 0.0F; });
    for (int axis = 1; axis < extents.rank(); ++axis) {
        const auto count = static_cast<std::size_t>(extents[axis]);
        const auto stride = static_cast<std::size_t>(extents.count(axis + 1, extents.rank()));
        for (std::size_t block = 0; block < marks.size(); block += count * stride) {
            for (std::size_t line = 0; line < stride; ++line) {
                spread(marks, block + line, count, stride, reach);
            }
        }
    }
    return marks;
}

template <class T>
void add_base(Batch& batch, const std::vector<Field>& fields, const BatchPhysics& physics, const Shape& extents) {
    if (std::ranges::none_of(fields, &Field::has_base)) {
        return;
    }
    const Shape shape =
        of_all(static_cast<std::int64_t>(batch.cases.size()), extents).append(static_cast<std::int64_t>(fields.size()));
    batch.base = host_zeros(shape, dtype_of<T>());
    batch.correction = host_zeros(shape, dtype_of<T>());
    const auto times = static_cast<std::size_t>(extents[-1]), cells = static_cast<std::size_t>(extents.count()) / times;
    const std::size_t each = cells * times * fields.size();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        if (batch.is_set_aside(n)) {
            continue;
        }
        for (std::size_t f = 0; f < fields.size(); ++f) {
            std::vector<double> scales(times);
            for (std::size_t t = 0; t < times; ++t) {
                scales[t] = scale_at(batch.scales, n, t, f);
            }
            fill_field<T>(
                fields[f], scales, physics.empty() ? nullptr : physics[n].get(), extents,
                {cells, times, fields.size(), f}, std::as_const(batch.active).values<float>().subspan(n * cells, cells),
                batch.base.values<T>().subspan(n * each, each), batch.correction.values<T>().subspan(n * each, each));
        }
    }
}

template <class T>
void add_scales(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset, const BatchPhysics& physics) {
    if (fields.empty()) {
        return;
    }
    const bool over_time =
        std::ranges::any_of(fields, [](const Field& field) { return varies_in_time(field.factors); });
    const std::int64_t times = over_time ? dataset.snapshots() : 1;
    const auto each = static_cast<std::size_t>(times);
    batch.scales = Tensor(
        host_memory(), {static_cast<std::int64_t>(batch.cases.size()), times, static_cast<std::int64_t>(fields.size())},
        dtype_of<T>());
    const auto out = batch.scales.values<T>();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        for (std::size_t f = 0; f < fields.size(); ++f) {
            const std::vector<double> scales =
                batch.is_set_aside(n) ? std::vector<double>{std::numeric_limits<double>::quiet_NaN()}
                                      : field_scales(dataset, fields[f], batch.cases[n], physics_of(physics, n));
            for (std::size_t t = 0; t < each; ++t) {
                out[(n * each + t) * fields.size() + f] = static_cast<T>(scales[scales.size() == 1 ? 0 : t]);
            }
        }
    }
}

template <class T>
void add_limits(Batch& batch, const std::vector<Field>& fields, const Dataset& dataset) {
    if (std::ranges::none_of(fields, &Field::below_irreducible_water)) {
        return;
    }
    const std::vector<float>& water = dataset.scalar("irreducible_water_saturation");
    batch.limits =
        Tensor(host_memory(), {static_cast<std::int64_t>(batch.cases.size()), static_cast<std::int64_t>(fields.size())},
               dtype_of<T>());
    auto out = batch.limits.values<T>().begin();
    for (const std::int64_t which : batch.cases) {
        for (const Field& field : fields) {
            *out++ = field.below_irreducible_water ? T(1) - static_cast<T>(water[static_cast<std::size_t>(which)])
                                                   : std::numeric_limits<T>::infinity();
        }
    }
}

template void add_base<float>(Batch&, const std::vector<Field>&, const BatchPhysics&, const Shape&);
template void add_base<double>(Batch&, const std::vector<Field>&, const BatchPhysics&, const Shape&);
template void add_scales<float>(Batch&, const std::vector<Field>&, const Dataset&, const BatchPhysics&);
template void add_scales<double>(Batch&, const std::vector<Field>&, const Dataset&, const BatchPhysics&);
template void add_limits<float>(Batch&, const std::vector<Field>&, const Dataset&);
template void add_limits<double>(Batch&, const std::vector<Field>&, const Dataset&);

void add_physics_fields(Batch& batch, const std::vector<std::string>& names, const BatchPhysics& physics,
                        const Shape& extents) {
    const std::int64_t cells = extents.count(0, extents.rank() - 1);
    for (const std::string& name : names) {
        Tensor all(host_memory(), of_all(static_cast<std::int64_t>(physics.size()), extents), DType::float32);
        auto out = all.values<float>().begin();
        for (const CasePhysics::Fields& one : physics) {
            out = std::ranges::copy(times_last(one->fields.find(name)->second, cells), out).out;
        }
        batch.physics_fields.emplace(name, std::move(all));
    }
}

double scale_at(const Tensor& scales, std::size_t n, std::size_t t, std::size_t f) {
    const auto times = static_cast<std::size_t>(scales.shape()[1]),
               fields = static_cast<std::size_t>(scales.shape()[2]);
    return scales.number((n * times + std::min(t, times - 1)) * fields + f);
}

}  // namespace plumecast
