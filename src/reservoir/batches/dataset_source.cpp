#include <algorithm>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "batch_targets.hpp"
#include "channel_value.hpp"
#include "derived_inputs.hpp"
#include "generic_inputs.hpp"
#include "guided_batch.hpp"
#include "reservoir/dataset/cell_geometry.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "series_inputs.hpp"

namespace plumecast {
namespace {

/// T: of what a network computes with.
template <class T>
class DatasetSource : public BatchSource {
   public:
    DatasetSource(const Dataset& dataset, std::vector<Channel> channels, std::vector<Field> fields, Targets targets,
                  std::shared_ptr<CasePhysics> physics, std::vector<std::string> physics_fields,
                  std::shared_ptr<CaseFailures> failures);

    std::int64_t cases() const override { return dataset_->cases(); }
    Shape extents() const override { return dataset_->space().append(dataset_->snapshots()); }
    std::vector<std::string> channels() const override;
    Batch load(std::span<const std::int64_t> cases) const override;

   private:
    std::int64_t cells() const { return dataset_->cells(); }
    Batch loaded(std::span<const std::int64_t> cases) const;
    /// Which cases no network is to be asked for; empty where there is none.
    std::vector<char> set_aside(std::span<const std::int64_t> cases) const;
    /// Loads each case by itself, to learn which of them fail.
    void find_failures(std::span<const std::int64_t> cases) const;
    /// [n, space..., T|1, C]; extent 1 along the axes of space when they are `single`.
    Shape group_shape(std::int64_t cases, std::int64_t times, std::size_t channels, bool single) const;
    void add_maps(Batch& batch, const BatchPhysics& physics) const;
    void add_scalars(Batch& batch, const BatchPhysics& physics) const;
    void add_times(Batch& batch) const;
    void add_series(Batch& batch, const BatchPhysics& physics) const;
    void add_varying(Batch& batch, const BatchPhysics& physics) const;
    std::vector<T> map_values(const Channel& channel, const Batch& batch, const BatchPhysics& physics) const;
    /// What the values of a channel are divided by in the n-th case of a batch, [1] or [T].
    std::vector<double> divisors(const Channel& channel, const Batch& batch, const BatchPhysics& physics,
                                 std::size_t n) const;
    /// Of the n-th case of a batch.
    T checked(const Channel& channel, double value, const Batch& batch, std::size_t n, std::int64_t cell) const {
        return batch.is_set_aside(n) ? T(0)
                                     : static_cast<T>(channel_value(*dataset_, channel, value, batch.cases[n], cell));
    }

    const Dataset* dataset_;
    std::vector<Channel> maps_;
    std::vector<Channel> scalars_;
    std::vector<Channel> times_;
    std::vector<Channel> series_;
    std::vector<Channel> varying_;
    std::vector<std::string> physics_fields_;
    std::vector<Field> fields_;
    bool has_targets_;
    std::shared_ptr<CasePhysics> physics_;    // nothing where nothing comes from it
    std::shared_ptr<CaseFailures> failures_;  // nothing where a failure ends it all
    std::map<std::string, std::vector<float>> geometry_;
};

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
    std::vector<std::string> names(channels.size());
    std::transform(channels.begin(), channels.end(), names.begin(),
                   [](const Channel& channel) { return channel.name; });
    return names;
}

template <class T>
DatasetSource<T>::DatasetSource(const Dataset& dataset, std::vector<Channel> channels, std::vector<Field> fields,
                                Targets targets, std::shared_ptr<CasePhysics> physics,
                                std::vector<std::string> physics_fields, std::shared_ptr<CaseFailures> failures)
    : dataset_(&dataset),
      physics_fields_(std::move(physics_fields)),
      fields_(std::move(fields)),
      has_targets_(targets == Targets::read && dataset.has_outputs() && !fields_.empty()),
      failures_(std::move(failures)) {
    check_channels(channels);
    require_physics(physics.get(), channels, fields_);
    if (!physics_fields_.empty() || !physics_sources(channels, fields_).empty()) {
        physics_ = std::move(physics);
    }
    for (Channel& channel : channels) {
        require_unit(dataset, channel);
        const Variation variation = variation_in(dataset, channel.source);
        const bool is_plain_scalar = variation == Variation::scalar && !channel.mask_inactive;
        require_points(dataset, channel.points, "channel " + channel.name,
                       variation == Variation::map || variation == Variation::field);
        auto& group = variation == Variation::time     ? times_
                      : variation == Variation::series ? series_
                      : variation == Variation::field  ? varying_
                      : is_plain_scalar                ? scalars_
                                                       : maps_;
        group.push_back(std::move(channel));
    }
    for (const Channel& channel : maps_) {
        const Variation variation = variation_in(dataset, channel.source);
        if (variation != Variation::map && variation != Variation::scalar) {
            geometry_.emplace(channel.source, cell_geometry(dataset, channel.source));
        }
    }
    for (const Field& field : fields_) {
        check_field(field);
        require_points(dataset, field.points, "field " + field.name, true);
        if (has_targets_) {
            require_output(dataset, field);
        }
    }
}

template <class T>
Shape DatasetSource<T>::group_shape(std::int64_t cases, std::int64_t times, std::size_t channels, bool single) const {
    const Shape space = dataset_->space();  // outlives the loop over its extents
    Shape shape{cases};
    for (const std::int64_t extent : space.extents()) {
        shape = shape.append(single ? 1 : extent);
    }
    return shape.append(times).append(static_cast<std::int64_t>(channels));
}

template <class T>
std::vector<std::string> DatasetSource<T>::channels() const {
    std::vector<std::string> names;
    for (const auto* group : {&maps_, &scalars_, &times_, &series_, &varying_}) {
        const std::vector<std::string> part = names_of(*group);
        names.insert(names.end(), part.begin(), part.end());
    }
    return names;
}

template <class T>
Batch DatasetSource<T>::load(std::span<const std::int64_t> cases) const {
    if (failures_ == nullptr) {
        return loaded(cases);
    }
    try {
        return loaded(cases);
    } catch (const InvalidInput&) {
        find_failures(cases);
    }
    return loaded(cases);
}

template <class T>
void DatasetSource<T>::find_failures(std::span<const std::int64_t> cases) const {
    for (const std::int64_t which : cases) {
        try {
            loaded({&which, 1});
        } catch (const InvalidInput& error) {
            failures_->add(which, error.what());
        }
    }
}

template <class T>
std::vector<char> DatasetSource<T>::set_aside(std::span<const std::int64_t> cases) const {
    std::vector<char> marks;
    if (failures_ == nullptr) {
        return marks;
    }
    for (const std::int64_t which : cases) {
        marks.push_back(failures_->has(which) || dataset_->injects_nothing(which) ? 1 : 0);
    }
    return std::ranges::find(marks, 1) == marks.end() ? std::vector<char>() : marks;
}

template <class T>
Batch DatasetSource<T>::loaded(std::span<const std::int64_t> cases) const {
    Batch batch;
    batch.cases.assign(cases.begin(), cases.end());
    batch.extents = extents();
    const auto count = static_cast<std::int64_t>(cases.size());
    batch.active =
        Tensor(host_memory(), group_shape(count, 1, 1, false).slice(0, dataset_->space().rank() + 1), DType::float32);
    dataset_->read_map("active", cases, batch.active.values<float>());
    const BatchPhysics physics = physics_ ? physics_->load(cases) : BatchPhysics();
    batch.set_aside = set_aside(cases);  // after the physics, which may fail
    add_maps(batch, physics);
    add_scalars(batch, physics);
    add_times(batch);
    add_series(batch, physics);
    add_varying(batch, physics);
    add_scales<T>(batch, fields_, *dataset_, physics);
    add_limits<T>(batch, fields_, *dataset_);
    add_base<T>(batch, fields_, physics, extents());
    add_physics_fields(batch, physics_fields_, physics, extents());
    const auto is_limited = [](const CasePhysics::Fields& one) { return one && !one->injected_mass.empty(); };
    for (std::size_t n = 0; n < physics.size() && std::ranges::any_of(physics, is_limited); ++n) {
        batch.injected.push_back(physics[n] ? physics[n]->injected_mass : std::vector<float>());
    }
    if (has_targets_) {
        add_targets(batch, fields_, *dataset_);
    }
    return batch;
}

template <class T>
std::vector<double> DatasetSource<T>::divisors(const Channel& channel, const Batch& batch, const BatchPhysics& physics,
                                               std::size_t n) const {
    if (batch.is_set_aside(n)) {
        return {1.0};
    }
    return times_factors(1.0, channel.factors, channel.name, *dataset_, batch.cases[n], physics_of(physics, n));
}

// The physical values a channel of the map group starts from [B, space...].
template <class T>
std::vector<T> DatasetSource<T>::map_values(const Channel& channel, const Batch& batch,
                                            const BatchPhysics& physics) const {
    const auto size = static_cast<std::size_t>(cells());
    const Variation variation = variation_in(*dataset_, channel.source);
    if (variation == Variation::map && channel.source != "inflow_share") {
        std::vector<float> stored(batch.cases.size() * size);
        dataset_->read_map(channel.source, batch.cases, stored);
        if constexpr (std::is_same_v<T, float>) {
            return stored;
        } else {
            return {stored.begin(), stored.end()};
        }
    }
    std::vector<T> values(batch.cases.size() * size);
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(n * size);
        if (variation == Variation::map) {
            std::ranges::transform(inflow_share(*dataset_, batch.cases[n]), begin,
                                   [](double share) { return static_cast<T>(share); });
        } else if (variation == Variation::scalar) {
            const PhysicsFields* own = physics_of(physics, n);
            std::fill_n(begin, size, static_cast<T>(scalar_input(*dataset_, channel.source, batch.cases[n], own)));
        } else {
            std::ranges::copy(geometry_.at(channel.source), begin);
        }
    }
    return values;
}

template <class T>
void DatasetSource<T>::add_maps(Batch& batch, const BatchPhysics& physics) const {
    if (maps_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    const auto size = static_cast<std::size_t>(cells());
    Tensor values(host_memory(), group_shape(count, 1, maps_.size(), false), dtype_of<T>());
    const auto out = values.template values<T>();
    const auto active = std::as_const(batch.active).values<float>();
    for (std::size_t c = 0; c < maps_.size(); ++c) {
        const Channel& channel = maps_[c];
        const std::vector<T> source = map_values(channel, batch, physics);
        double divided_by = 1.0;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (i % size == 0) {
                divided_by = divisors(channel, batch, physics, i / size).front();
            }
            const bool is_masked = channel.mask_inactive && active[i] == 0.0F;
            const double value = static_cast<double>(source[i]) / divided_by;
            out[i * maps_.size() + c] =
                is_masked ? T(0) : checked(channel, value, batch, i / size, static_cast<std::int64_t>(i % size));
        }
    }
    batch.inputs.push_back({names_of(maps_), std::move(values)});
}

template <class T>
void DatasetSource<T>::add_scalars(Batch& batch, const BatchPhysics& physics) const {
    if (scalars_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    Tensor values(host_memory(), group_shape(count, 1, scalars_.size(), true), dtype_of<T>());
    auto out = values.template values<T>().begin();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const std::int64_t which = batch.cases[n];
        for (const Channel& channel : scalars_) {
            const double value = scalar_input(*dataset_, channel.source, which, physics_of(physics, n));
            *out++ = checked(channel, value / divisors(channel, batch, physics, n).front(), batch, n, -1);
        }
    }
    batch.inputs.push_back({names_of(scalars_), std::move(values)});
}

template <class T>
void DatasetSource<T>::add_times(Batch& batch) const {
    if (times_.empty()) {
        return;
    }
    Tensor values(host_memory(), group_shape(1, dataset_->snapshots(), times_.size(), true), dtype_of<T>());
    auto out = values.template values<T>().begin();
    for (const double time : dataset_->times()) {
        for (const Channel& channel : times_) {
            if (time == 0.0 && channel.transform != Transform::identity) {
                throw InvalidData(
                    dataset_->path() + ": /grid/times begins at day 0 (channel " + channel.name +
                    " is a logarithm, which 0 has none of); leave out day 0, when nothing has changed yet");
            }
            *out++ = static_cast<T>(channel_value(*dataset_, channel, time, 0, -1));
        }
    }
    batch.inputs.push_back({names_of(times_), std::move(values), true});
}

// What a schedule says at each time [B, 1, 1, T, C].
template <class T>
void DatasetSource<T>::add_series(Batch& batch, const BatchPhysics& physics) const {
    if (series_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    const auto times = static_cast<std::size_t>(dataset_->snapshots());
    Tensor values(host_memory(), group_shape(count, dataset_->snapshots(), series_.size(), true), dtype_of<T>());
    const auto out = values.template values<T>();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        for (std::size_t c = 0; c < series_.size(); ++c) {
            const std::vector<double> source =
                batch.is_set_aside(n)
                    ? std::vector<double>(times)
                    : series_input(*dataset_, series_[c].source, batch.cases[n], physics_of(physics, n));
            const std::vector<double> over = divisors(series_[c], batch, physics, n);
            for (std::size_t t = 0; t < times; ++t) {
                out[(n * times + t) * series_.size() + c] =
                    checked(series_[c], source[t] / over[over.size() == 1 ? 0 : t], batch, n, -1);
            }
        }
    }
    batch.inputs.push_back({names_of(series_), std::move(values)});
}

// Channels of space and time [B, Z, R, T, C] from the physics or generic data [T, Z, R].
template <class T>
void DatasetSource<T>::add_varying(Batch& batch, const BatchPhysics& physics) const {
    if (varying_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    const auto size = static_cast<std::size_t>(cells()), times = static_cast<std::size_t>(dataset_->snapshots());
    Tensor values(host_memory(), group_shape(count, dataset_->snapshots(), varying_.size(), false), dtype_of<T>());
    auto out = values.template values<T>().begin();
    const auto active = std::as_const(batch.active).values<float>();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        std::vector<std::vector<double>> over;
        std::vector<const std::vector<float>*> sources;
        std::vector<std::vector<float>> stored(varying_.size());
        for (std::size_t c = 0; c < varying_.size(); ++c) {
            const Channel& channel = varying_[c];
            over.push_back(divisors(channel, batch, physics, n));
            if (is_path(channel.source)) {
                stored[c] = varying_input(*dataset_, channel.source, batch.cases[n]);
                sources.push_back(&stored[c]);
            } else {
                sources.push_back(&physics[n]->fields.at(channel.source));
            }
        }
        const auto value_at = [&](std::size_t c, std::size_t cell, std::size_t time) {
            if (varying_[c].mask_inactive && active[n * size + cell] == 0.0F) {
                return T(0);
            }
            const double by = over[c][over[c].size() == 1 ? 0 : time];
            const double value = static_cast<double>((*sources[c])[time * size + cell]) / by;
            return checked(varying_[c], value, batch, n, static_cast<std::int64_t>(cell));
        };
        for (std::size_t cell = 0; cell < size; ++cell) {
            for (std::size_t time = 0; time < times; ++time) {
                for (std::size_t c = 0; c < varying_.size(); ++c) {
                    *out++ = value_at(c, cell, time);
                }
            }
        }
    }
    batch.inputs.push_back({names_of(varying_), std::move(values)});
}

}  // namespace

std::unique_ptr<BatchSource> dataset_source(const Dataset& dataset, std::vector<Channel> channels,
                                            std::vector<Field> fields, Targets targets,
                                            std::shared_ptr<CasePhysics> physics,
                                            std::vector<std::string> physics_fields, DType type,
                                            std::shared_ptr<CaseFailures> failures) {
    const auto made = [&]<class T>(T) -> std::unique_ptr<BatchSource> {
        return std::make_unique<DatasetSource<T>>(dataset, std::move(channels), std::move(fields), targets,
                                                  std::move(physics), std::move(physics_fields), std::move(failures));
    };
    return type == DType::float64 ? made(double{}) : made(float{});
}

}  // namespace plumecast
