#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <plumecast/core/error.hpp>
#include <plumecast/core/number_text.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "derived_inputs.hpp"
#include "guided_batch.hpp"
#include "reservoir/dataset/cell_geometry.hpp"
#include "reservoir/dataset/dataset_layout.hpp"

namespace plumecast {
namespace {

using Values = std::vector<float>;

double transformed(const Channel& channel, double value) {
    switch (channel.transform) {
        case Transform::log:
            value = std::log(value);
            break;
        case Transform::log10:
            value = std::log10(value);
            break;
        case Transform::identity:
            break;
    }
    return (value - channel.offset) / channel.scale;
}

/// Scales the values [T, cells] of a case to (value - offset) / scale, 0 in inactive cells, and puts them at every
/// `step`-th place of `out` [cells, T, step]. False when one is not finite. A block of cells at a time, so that both
/// sides of the transposition stay in the cache.
bool scale_field(std::span<const float> stored, std::span<const float> active, double offset, double scale,
                 std::span<float> out, std::size_t step) {
    constexpr std::size_t block = 64;
    const std::size_t cells = active.size();
    const std::size_t times = stored.size() / cells;
    bool is_finite = true;
    for (std::size_t begin = 0; begin < cells; begin += block) {
        const std::size_t end = std::min(begin + block, cells);
        for (std::size_t t = 0; t < times; ++t) {
            for (std::size_t cell = begin; cell < end; ++cell) {
                const auto scaled =
                    static_cast<float>((static_cast<double>(stored[t * cells + cell]) - offset) / scale);
                const float value = active[cell] == 0.0F ? 0.0F : scaled;
                is_finite = is_finite && std::isfinite(value);
                out[(cell * times + t) * step] = value;
            }
        }
    }
    return is_finite;
}

class DatasetSource : public BatchSource {
   public:
    DatasetSource(const Dataset& dataset, std::vector<Channel> channels, std::vector<Field> fields, Targets targets,
                  std::shared_ptr<CasePhysics> physics, std::vector<std::string> carried);

    std::int64_t cases() const override { return dataset_->cases(); }
    Shape extents() const override { return dataset_->space().append(dataset_->snapshots()); }
    std::vector<std::string> channels() const override;
    Batch load(std::span<const std::int64_t> cases) const override;

   private:
    std::int64_t cells() const { return dataset_->cells(); }
    /// [n, space..., T|1, C]; extent 1 along the axes of space when they are `single`.
    Shape group_shape(std::int64_t cases, std::int64_t times, std::size_t channels, bool single) const;
    void add_maps(Batch& batch, const BatchPhysics& physics) const;
    void add_scalars(Batch& batch, const BatchPhysics& physics) const;
    void add_times(Batch& batch) const;
    void add_varying(Batch& batch, const BatchPhysics& physics) const;
    void add_scales(Batch& batch, const BatchPhysics& physics) const;
    void add_targets(Batch& batch) const;
    Values map_values(const Channel& channel, const Batch& batch, const BatchPhysics& physics) const;
    /// What the values of a channel are divided by in the n-th case of a batch.
    double divisor(const Channel& channel, const Batch& batch, const BatchPhysics& physics, std::size_t n) const;
    float checked(const Channel& channel, double value, std::int64_t which, std::int64_t cell) const;
    /// Throws for the first value of a case that scale_field() found not to be finite.
    void refuse_field(const Field& field, double scale, const Values& stored, std::span<const float> active,
                      std::int64_t which) const;

    const Dataset* dataset_;
    std::vector<Channel> maps_;
    std::vector<Channel> scalars_;
    std::vector<Channel> times_;
    std::vector<Channel> varying_;
    std::vector<std::string> carried_;
    std::vector<Field> fields_;
    bool has_targets_;
    std::shared_ptr<CasePhysics> physics_;  // nothing where nothing comes from it
    std::map<std::string, Values> geometry_;
};

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
    std::vector<std::string> names(channels.size());
    std::transform(channels.begin(), channels.end(), names.begin(),
                   [](const Channel& channel) { return channel.name; });
    return names;
}

/// The n-th case's physics, where there is any.
const PhysicsFields* physics_of(const BatchPhysics& physics, std::size_t n) {
    return physics.empty() ? nullptr : physics[n].get();
}

DatasetSource::DatasetSource(const Dataset& dataset, std::vector<Channel> channels, std::vector<Field> fields,
                             Targets targets, std::shared_ptr<CasePhysics> physics, std::vector<std::string> carried)
    : dataset_(&dataset),
      carried_(std::move(carried)),
      fields_(std::move(fields)),
      has_targets_(targets == Targets::read && dataset.has_outputs() && !fields_.empty()) {
    check_channels(channels);
    require_physics(physics.get(), channels, fields_);
    if (!carried_.empty() || !physics_sources(channels, fields_).empty()) {
        physics_ = std::move(physics);
    }
    for (Channel& channel : channels) {
        const Variation variation = variation_of(channel.source);
        const bool is_plain_scalar = variation == Variation::scalar && !channel.mask_inactive;
        auto& group = variation == Variation::time    ? times_
                      : variation == Variation::field ? varying_
                      : is_plain_scalar               ? scalars_
                                                      : maps_;
        group.push_back(std::move(channel));
    }
    for (const Channel& channel : maps_) {
        const Variation variation = variation_of(channel.source);
        if (variation != Variation::map && variation != Variation::scalar) {
            geometry_.emplace(channel.source, cell_geometry(dataset, channel.source));
        }
    }
    for (const Field& field : fields_) {
        check_field(field);
        if (!has_targets_) {
            continue;
        }
        const auto& outputs = dataset.outputs();
        if (std::find(outputs.begin(), outputs.end(), field.name) == outputs.end()) {
            throw InvalidData(dataset.path() + ": no output " + field.name +
                              " (the network's output is compared with it); use a file that has it");
        }
        const std::string& unit = find_array(field.name)->unit;
        if (field.unit != unit) {
            throw InvalidData(dataset.path() + ": output " + field.name + " is in " + unit + " (the network's is in " +
                              field.unit + "); correct the unit and constants of the field");
        }
    }
}

Shape DatasetSource::group_shape(std::int64_t cases, std::int64_t times, std::size_t channels, bool single) const {
    const Shape space = dataset_->space();  // outlives the loop over its extents
    Shape shape{cases};
    for (const std::int64_t extent : space.extents()) {
        shape = shape.append(single ? 1 : extent);
    }
    return shape.append(times).append(static_cast<std::int64_t>(channels));
}

std::vector<std::string> DatasetSource::channels() const {
    std::vector<std::string> names;
    for (const auto* group : {&maps_, &scalars_, &times_, &varying_}) {
        const std::vector<std::string> part = names_of(*group);
        names.insert(names.end(), part.begin(), part.end());
    }
    return names;
}

Batch DatasetSource::load(std::span<const std::int64_t> cases) const {
    Batch batch;
    batch.cases.assign(cases.begin(), cases.end());
    const auto count = static_cast<std::int64_t>(cases.size());
    batch.active =
        Tensor(host_memory(), group_shape(count, 1, 1, false).slice(0, dataset_->space().rank() + 1), DType::float32);
    dataset_->read_map("active", cases, batch.active.values<float>());
    const BatchPhysics physics = physics_ ? physics_->load(cases) : BatchPhysics();
    add_maps(batch, physics);
    add_scalars(batch, physics);
    add_times(batch);
    add_varying(batch, physics);
    add_scales(batch, physics);
    add_limits(batch, fields_, *dataset_);
    add_base(batch, fields_, physics, extents());
    carry(batch, carried_, physics, extents());
    add_targets(batch);
    return batch;
}

double DatasetSource::divisor(const Channel& channel, const Batch& batch, const BatchPhysics& physics,
                              std::size_t n) const {
    return times_factors(1.0, channel.factors, channel.name, *dataset_, batch.cases[n], physics_of(physics, n));
}

float DatasetSource::checked(const Channel& channel, double value, std::int64_t which, std::int64_t cell) const {
    const auto result = static_cast<float>(transformed(channel, value));
    if (!std::isfinite(result)) {
        const std::string place = cell < 0 ? "" : ", cell " + cell_text(dataset_->space(), cell);
        throw InvalidData(dataset_->path() + ": " + channel.source + " is " + number_text(value) + " " + channel.unit +
                          " in case " + std::to_string(which) + place + " (channel " + channel.name +
                          " cannot take it); correct the value or mark the cell inactive");
    }
    return result;
}

// The physical values a channel of the map group starts from [B, space...].
Values DatasetSource::map_values(const Channel& channel, const Batch& batch, const BatchPhysics& physics) const {
    const auto size = static_cast<std::size_t>(cells());
    Values values(batch.cases.size() * size);
    const Variation variation = variation_of(channel.source);
    if (variation == Variation::map) {
        if (channel.source == "inflow_share") {
            read_inflow_share(*dataset_, batch.cases, values);
        } else {
            dataset_->read_map(channel.source, batch.cases, values);
        }
        return values;
    }
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(n * size);
        if (variation == Variation::scalar) {
            const PhysicsFields* own = physics_of(physics, n);
            std::fill_n(begin, size, static_cast<float>(scalar_input(*dataset_, channel.source, batch.cases[n], own)));
        } else {
            std::ranges::copy(geometry_.at(channel.source), begin);
        }
    }
    return values;
}

void DatasetSource::add_maps(Batch& batch, const BatchPhysics& physics) const {
    if (maps_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    const auto size = static_cast<std::size_t>(cells());
    Tensor values(host_memory(), group_shape(count, 1, maps_.size(), false), DType::float32);
    const auto out = values.values<float>();
    const auto active = std::as_const(batch.active).values<float>();
    for (std::size_t c = 0; c < maps_.size(); ++c) {
        const Channel& channel = maps_[c];
        const Values source = map_values(channel, batch, physics);
        double divided_by = 1.0;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (i % size == 0) {
                divided_by = divisor(channel, batch, physics, i / size);
            }
            const bool is_masked = channel.mask_inactive && active[i] == 0.0F;
            const double value = static_cast<double>(source[i]) / divided_by;
            out[i * maps_.size() + c] =
                is_masked ? 0.0F : checked(channel, value, batch.cases[i / size], static_cast<std::int64_t>(i % size));
        }
    }
    batch.inputs.push_back({names_of(maps_), std::move(values)});
}

void DatasetSource::add_scalars(Batch& batch, const BatchPhysics& physics) const {
    if (scalars_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    Tensor values(host_memory(), group_shape(count, 1, scalars_.size(), true), DType::float32);
    auto out = values.values<float>().begin();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const std::int64_t which = batch.cases[n];
        for (const Channel& channel : scalars_) {
            const double value = scalar_input(*dataset_, channel.source, which, physics_of(physics, n));
            *out++ = checked(channel, value / divisor(channel, batch, physics, n), which, -1);
        }
    }
    batch.inputs.push_back({names_of(scalars_), std::move(values)});
}

void DatasetSource::add_times(Batch& batch) const {
    if (times_.empty()) {
        return;
    }
    Tensor values(host_memory(), group_shape(1, dataset_->snapshots(), times_.size(), true), DType::float32);
    auto out = values.values<float>().begin();
    for (const double time : dataset_->times()) {
        for (const Channel& channel : times_) {
            if (time == 0.0 && channel.transform != Transform::identity) {
                throw InvalidData(
                    dataset_->path() + ": /grid/times begins at day 0 (channel " + channel.name +
                    " is a logarithm, which 0 has none of); leave out day 0, when nothing has changed yet");
            }
            *out++ = checked(channel, time, 0, -1);
        }
    }
    batch.inputs.push_back({names_of(times_), std::move(values)});
}

// Channels of space and time [B, Z, R, T, C] from the physics [T, Z, R].
void DatasetSource::add_varying(Batch& batch, const BatchPhysics& physics) const {
    if (varying_.empty()) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size()), times = dataset_->snapshots();
    Tensor values(host_memory(), group_shape(count, times, varying_.size(), false), DType::float32);
    auto out = values.values<float>().begin();
    const auto active = std::as_const(batch.active).values<float>();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        std::vector<double> divisors;
        std::vector<const Values*> sources;
        for (const Channel& channel : varying_) {
            divisors.push_back(divisor(channel, batch, physics, n));
            sources.push_back(&physics[n]->fields.at(channel.source));
        }
        for (std::int64_t i = 0; i < cells() * times; ++i) {
            const std::int64_t cell = i / times, at = i % times * cells() + cell;
            const bool is_active =
                active[n * static_cast<std::size_t>(cells()) + static_cast<std::size_t>(cell)] != 0.0F;
            for (std::size_t c = 0; c < varying_.size(); ++c) {
                const double value = static_cast<double>((*sources[c])[static_cast<std::size_t>(at)]) / divisors[c];
                *out++ =
                    is_active || !varying_[c].mask_inactive ? checked(varying_[c], value, batch.cases[n], cell) : 0.0F;
            }
        }
    }
    batch.inputs.push_back({names_of(varying_), std::move(values)});
}

void DatasetSource::add_scales(Batch& batch, const BatchPhysics& physics) const {
    if (fields_.empty()) {
        return;
    }
    batch.scales = Tensor(host_memory(),
                          {static_cast<std::int64_t>(batch.cases.size()), static_cast<std::int64_t>(fields_.size())},
                          DType::float32);
    auto out = batch.scales.values<float>().begin();
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        for (const Field& field : fields_) {
            *out++ = static_cast<float>(field_scale(*dataset_, field, batch.cases[n], physics_of(physics, n)));
        }
    }
}

void DatasetSource::add_targets(Batch& batch) const {
    if (!has_targets_) {
        return;
    }
    const auto count = static_cast<std::int64_t>(batch.cases.size());
    const auto times = static_cast<std::size_t>(dataset_->snapshots());
    const auto size = static_cast<std::size_t>(cells());
    batch.targets =
        Tensor(host_memory(), group_shape(count, dataset_->snapshots(), fields_.size(), false), DType::float32);
    const auto out = batch.targets.values<float>();
    const auto active = std::as_const(batch.active).values<float>();
    const auto scales = std::as_const(batch.scales).values<float>();
    Values stored(times * size);
    for (std::size_t which = 0; which < batch.cases.size(); ++which) {
        const auto marks = active.subspan(which * size, size);
        const auto rows = out.subspan(which * size * times * fields_.size(), size * times * fields_.size());
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            const Field& field = fields_[f];
            const std::int64_t cases[] = {batch.cases[which]};
            dataset_->read_output(field.name, cases, stored);
            const double scale = static_cast<double>(scales[which * fields_.size() + f]);
            if (!scale_field(stored, marks, field.offset, scale, rows.subspan(f), fields_.size())) {
                refuse_field(field, scale, stored, marks, cases[0]);
            }
        }
    }
}

void DatasetSource::refuse_field(const Field& field, double scale, const Values& stored, std::span<const float> active,
                                 std::int64_t which) const {
    const Channel scaling{field.name, field.name, field.unit, Transform::identity, field.offset, scale, true};
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::size_t cell = i % active.size();
        if (active[cell] != 0.0F) {
            checked(scaling, stored[i], which, static_cast<std::int64_t>(cell));
        }
    }
}

}  // namespace

std::unique_ptr<BatchSource> dataset_source(const Dataset& dataset, std::vector<Channel> channels,
                                            std::vector<Field> fields, Targets targets,
                                            std::shared_ptr<CasePhysics> physics, std::vector<std::string> carried) {
    return std::make_unique<DatasetSource>(dataset, std::move(channels), std::move(fields), targets, std::move(physics),
                                           std::move(carried));
}

}  // namespace plumecast
