#include <plumecast/reservoir/batches/input_gradients.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/batches/derived_inputs.hpp"
#include "reservoir/batches/guided_batch.hpp"
#include "reservoir/batches/series_inputs.hpp"
#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {
namespace {

/// Whether an array is an input of values that have derivatives.
bool has_gradient(const ArraySpec& spec) {
    const bool is_number = spec.role == Role::map || spec.role == Role::scalar || spec.role == Role::series ||
                           spec.role == Role::varying || spec.name() == "schedule_rate";
    return is_number && spec.name() != "active";
}

/// Numbers of an input that has derivatives for one case.
std::size_t values_of_case(const Dataset& dataset, std::string_view name) {
    const std::vector<std::int64_t> extents = gradient_extents(dataset, name);
    return std::accumulate(
        extents.begin() + 1, extents.end(), std::size_t{1},
        [](std::size_t count, std::int64_t extent) { return count * static_cast<std::size_t>(extent); });
}

/// A source value times the factors' inverse, from the value of its channel, and the slope of the channel there.
struct ChannelPoint {
    double value;
    double slope;

    ChannelPoint(const Channel& channel, double normalised, std::size_t cell) {
        const PointConstants& points = channel.points;
        const double scale = points.empty() ? channel.scale : points.scales[cell];
        const double transformed = normalised * scale + (points.empty() ? channel.offset : points.offsets[cell]);
        value = transformed;
        slope = 1.0 / scale;
        if (channel.transform == Transform::log) {
            value = std::exp(transformed);
            slope /= value;
        } else if (channel.transform == Transform::log10) {
            value = std::pow(10.0, transformed);
            slope /= value * std::log(10.0);
        }
    }
};

/// The way back of one case of a batch.
class CaseGradient {
   public:
    CaseGradient(const Dataset& dataset, CasePhysics* physics, const Batch& batch, std::size_t place)
        : dataset_(dataset), batch_(batch), which_(batch.cases[place]), place_(place) {
        if (physics != nullptr) {
            physics_ = physics->load({&which_, 1}).front();
        }
        const auto cells = static_cast<std::size_t>(dataset.cells());
        active_ = std::as_const(batch.active).values<float>().subspan(place * cells, cells);
    }

    void add_channel(const Channel& channel, const InputGroup& group, std::size_t at, const Tensor& cotangents);
    void add_field(const Field& field, std::size_t f, std::size_t fields, const BatchCotangents& cotangents);
    /// The derivatives by the inputs of the data set, but for what goes through physics().
    const CaseCotangents& inputs() const { return inputs_; }
    const PhysicsCotangents& physics() const { return of_physics_; }

   private:
    std::size_t times() const { return static_cast<std::size_t>(dataset_.snapshots()); }
    void add_scalar(const std::string& source, double cotangent);
    /// `cotangents` of the logarithm of the product of the factors, [T], or [1] where none varies in time.
    void add_factors(const std::vector<PowerFactor>& factors, const std::vector<double>& cotangents);
    void add_series(const std::string& source, const std::vector<double>& cotangents);
    std::vector<double>& field_cotangents(const std::string& source);
    void add_source(const Channel& channel, const std::vector<double>& cotangents);
    void add_named(const ArraySpec& input, const std::vector<double>& cotangents);

    const Dataset& dataset_;
    const Batch& batch_;
    std::int64_t which_;
    std::size_t place_;
    CasePhysics::Fields physics_;
    std::span<const float> active_;
    CaseCotangents inputs_;
    PhysicsCotangents of_physics_;
};

void CaseGradient::add_scalar(const std::string& source, double cotangent) {
    if (is_physics_source(source)) {
        of_physics_.scalars[source] += cotangent;
    } else {
        add_scalar_cotangent(dataset_, source, which_, cotangent, inputs_);
    }
}

void CaseGradient::add_factors(const std::vector<PowerFactor>& factors, const std::vector<double>& cotangents) {
    for (const PowerFactor& factor : factors) {
        if (variation_of(factor.source) == Variation::series) {
            std::vector<double> by_source = series_input(dataset_, factor.source, which_, physics_.get());
            std::ranges::transform(cotangents, by_source, by_source.begin(),
                                   [&](double cotangent, double value) { return cotangent * factor.exponent / value; });
            add_series(factor.source, by_source);
            continue;
        }
        const double value = scalar_input(dataset_, factor.source, which_, physics_.get());
        const double sum = std::accumulate(cotangents.begin(), cotangents.end(), 0.0);
        add_scalar(factor.source, sum * factor.exponent / value);
    }
}

void CaseGradient::add_series(const std::string& source, const std::vector<double>& cotangents) {
    if (!is_physics_source(source)) {
        add_series_cotangents(dataset_, source, cotangents, inputs_);
        return;
    }
    const BuildupCotangents by = buildup_cotangents(dataset_, which_, cotangents, *physics_);
    std::vector<double>& sum = field_cotangents("physics_pressure_buildup");
    std::ranges::transform(by.field, sum, sum.begin(), std::plus<>());
    add_scalar("physics_buildup_rms", by.rms);
}

std::vector<double>& CaseGradient::field_cotangents(const std::string& source) {
    std::vector<double>& cotangents = of_physics_.fields[source];
    cotangents.resize(times() * active_.size());
    return cotangents;
}

/// Cotangents of the values of an input of generic data, [cells, T] where it varies in time, else [cells] or [1].
void CaseGradient::add_named(const ArraySpec& input, const std::vector<double>& cotangents) {
    std::vector<double>& sum = inputs_[std::string(input.name())];
    sum.resize(values_of_case(dataset_, input.name()));
    for (std::size_t i = 0; i < cotangents.size(); ++i) {
        const std::size_t cell = i / times(), t = i % times();
        sum[input.role == Role::map       ? i
            : input.role == Role::varying ? t * active_.size() + cell
            : input.role == Role::series  ? t
                                          : 0] += cotangents[i];
    }
}

/// Cotangents of the source values of a channel, [cells], [cells, T], [T] or [1] as it varies.
void CaseGradient::add_source(const Channel& channel, const std::vector<double>& cotangents) {
    if (is_path(channel.source)) {
        if (const ArraySpec* input = dataset_.find(channel.source); input != nullptr && has_gradient(*input)) {
            add_named(*input, cotangents);
        }
        return;
    }
    switch (variation_of(channel.source)) {
        case Variation::field: {
            std::vector<double>& sum = field_cotangents(channel.source);
            for (std::size_t i = 0; i < cotangents.size(); ++i) {
                sum[i % times() * active_.size() + i / times()] += cotangents[i];
            }
            break;
        }
        case Variation::scalar:
            add_scalar(channel.source, std::accumulate(cotangents.begin(), cotangents.end(), 0.0));
            break;
        case Variation::series:
            add_series(channel.source, cotangents);
            break;
        case Variation::map:
            if (channel.source == "inflow_share") {
                add_inflow_share_cotangents(dataset_, which_, cotangents, inputs_);
            } else {
                std::vector<double>& sum = inputs_[channel.source];
                sum.resize(cotangents.size());
                std::ranges::transform(cotangents, sum, sum.begin(), std::plus<>());
            }
            break;
        default:
            break;  // the grid and the times stay what they are
    }
}

void CaseGradient::add_channel(const Channel& channel, const InputGroup& group, std::size_t at,
                               const Tensor& cotangents) {
    const Shape& shape = group.values.shape();
    const auto channels = group.channels.size();
    const auto count = static_cast<std::size_t>(shape.count(1, shape.rank())) / channels;
    const std::size_t first = (shape[0] == 1 ? 0 : place_) * count * channels + at;
    const std::size_t per_cell = count / std::min(count, active_.size());
    const std::vector<double> divisors =
        times_factors(1.0, channel.factors, channel.name, dataset_, which_, physics_.get());
    std::vector<double> by_source(count), by_divisor(divisors.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (channel.mask_inactive && active_[i / per_cell] == 0.0F) {
            continue;
        }
        const ChannelPoint point(channel, group.values.number(first + i * channels), i / per_cell);
        const double cotangent = cotangents.number(first + i * channels) * point.slope;
        by_source[i] = cotangent / divisors[i % divisors.size()];  // the last axis is time where they vary in it
        by_divisor[i % divisors.size()] -= cotangent * point.value;
    }
    add_factors(channel.factors, by_divisor);
    add_source(channel, by_source);
}

// base = (physics - offset) / scale in active cells; a limit is 1 - irreducible water.
void CaseGradient::add_field(const Field& field, std::size_t f, std::size_t fields, const BatchCotangents& cotangents) {
    const std::size_t entry = place_ * fields + f;
    const auto scaled_times = static_cast<std::size_t>(batch_.scales.shape()[1]);
    std::vector<double> by_scale(varies_in_time(field.factors) ? scaled_times : 1);
    const auto scale = [&](std::size_t t) { return scale_at(batch_.scales, place_, t, f); };
    for (std::size_t t = 0; t < scaled_times; ++t) {
        by_scale[t % by_scale.size()] += cotangents.scales.at((place_ * scaled_times + t) * fields + f) * scale(t);
    }
    if (!field.base.empty()) {
        std::vector<double>& sum = field_cotangents(field.base);
        const std::size_t each = times() * active_.size(), first = place_ * each * fields + f;
        for (std::size_t i = 0; i < each; ++i) {
            if (active_[i / times()] != 0.0F) {
                const std::size_t t = i % times();
                const double cotangent = cotangents.base.number(first + i * fields);
                sum[t * active_.size() + i / times()] += cotangent / scale(t);
                by_scale[t % by_scale.size()] -= cotangent * batch_.base.number(first + i * fields);
            }
        }
    }
    if (field.points.empty()) {  // else what is predicted does not depend on the scale
        add_factors(field.factors, by_scale);
    }
    if (field.below_irreducible_water && !cotangents.limits.empty()) {
        add_scalar_cotangent(dataset_, "irreducible_water_saturation", which_, -cotangents.limits[entry], inputs_);
    }
}

/// The derivatives by the rates of the wells in the periods [W, P], from that by their mean over the injection.
std::vector<double> by_rates_of_mean(const Dataset& dataset, std::int64_t which, double by_mean) {
    const std::vector<double>& ends = dataset.schedule_ends();
    const InjectionSchedule injection = stated_schedule(dataset, which).joined();
    const double last = injection.ends.empty() ? ends.back() : injection.ends.back();
    std::vector<double> rates(values_of_case(dataset, "schedule_rate"));
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const std::size_t period = i % ends.size();
        const double start = period > 0 ? ends[period - 1] : 0.0;
        rates[i] = start < last ? by_mean * (ends[period] - start) / last : 0.0;
    }
    return rates;
}

/// What a case has of the inputs by their names.
std::map<std::string, std::span<const double>, std::less<>> by_name(const RadialCaseGradient& gradient) {
    return {{"permeability_r", gradient.permeability_r},
            {"permeability_z", gradient.permeability_z},
            {"porosity", gradient.porosity},
            {"perforation", gradient.perforation},
            {"injection_rate", {&gradient.injection_rate, 1}},
            {"schedule_rate", gradient.rates},
            {"initial_pressure", {&gradient.initial_pressure, 1}},
            {"temperature", {&gradient.temperature, 1}},
            {"irreducible_water_saturation", {&gradient.irreducible_water_saturation, 1}},
            {"van_genuchten_lambda", {&gradient.van_genuchten_lambda, 1}},
            {"salinity", {&gradient.salinity, 1}},
            {"residual_gas_saturation", {&gradient.residual_gas_saturation, 1}},
            {"bottom_hole_pressure_limit", {&gradient.bottom_hole_pressure_limit, 1}},
            {"dissolution_rate_limit", {&gradient.dissolution_rate_limit, 1}}};
}

void add_values(std::span<const double> values, std::span<double> sum) {
    expects(values.size() == sum.size(), "as many values");
    std::ranges::transform(values, sum, sum.begin(), std::plus<>());
}

/// Adds the values of a case to those of all, where the input is among them: what is known by the mean rate of a
/// schedule goes to its rates.
void add_case(const Dataset& dataset, std::size_t place, std::string_view name, std::span<const double> values,
              InputGradients& gradients) {
    const bool is_mean = name == "injection_rate" && !dataset.schedule_ends().empty();
    const auto found = gradients.inputs.find(is_mean ? "schedule_rate" : name);
    if (found == gradients.inputs.end()) {
        return;
    }
    const auto add_to = [&](std::span<const double> more) {
        add_values(more, std::span(found->second).subspan(place * more.size(), more.size()));
    };
    is_mean ? add_to(by_rates_of_mean(dataset, gradients.cases[place], values[0])) : add_to(values);
}

void add(const PhysicsCotangents& more, PhysicsCotangents& sum) {
    for (auto part : {&PhysicsCotangents::fields, &PhysicsCotangents::series}) {
        for (const auto& [name, values] : more.*part) {
            std::vector<double>& to = (sum.*part)[name];
            to.resize(values.size());
            add_values(values, to);
        }
    }
    for (const auto& [name, value] : more.scalars) {
        sum.scalars[name] += value;
    }
}

bool is_empty(const PhysicsCotangents& cotangents) {
    return cotangents.fields.empty() && cotangents.scalars.empty() && cotangents.series.empty();
}

/// All inputs that have derivatives, 0.
InputGradients zeros_of(const Dataset& dataset, const std::vector<std::int64_t>& cases) {
    InputGradients gradients{cases, {}, std::vector<PhysicsCotangents>(cases.size())};
    for (const std::string& name : differentiable_inputs(dataset)) {
        gradients.inputs[name].resize(cases.size() * values_of_case(dataset, name));
    }
    return gradients;
}

}  // namespace

std::vector<std::string> differentiable_inputs(const Dataset& dataset) {
    std::vector<std::string> names;
    for (const ArraySpec& spec : dataset.arrays()) {
        const bool is_mean = spec.name() == "injection_rate" && !dataset.schedule_ends().empty();  // of a schedule
        if (has_gradient(spec) && !is_mean && dataset.has(spec.name())) {
            names.emplace_back(spec.name());
        }
    }
    return names;
}

std::vector<std::int64_t> gradient_extents(const Dataset& dataset, std::string_view name) {
    const ArraySpec& spec = *dataset.find(name);
    if (spec.role == Role::schedule) {
        const auto periods = static_cast<std::int64_t>(dataset.schedule_ends().size());
        const auto rates = static_cast<std::int64_t>(dataset.schedule_rates().size());
        return {dataset.cases(), rates / (dataset.cases() * periods), periods};
    }
    std::vector<std::int64_t> extents{dataset.cases()};
    const Shape space = dataset.space();
    const auto axes = static_cast<int>(spec.axes.size());
    for (int axis = 1; axis < axes; ++axis) {  // of space the last ones: a line has no others
        const bool is_time = spec.axes[static_cast<std::size_t>(axis)] == Axis::times;
        extents.push_back(is_time ? dataset.snapshots() : space[space.rank() - axes + axis]);
    }
    return extents;
}

InputGradients input_gradients(const Dataset& dataset, const std::vector<Channel>& channels,
                               const std::vector<Field>& fields, CasePhysics* physics, const Batch& batch,
                               const BatchCotangents& cotangents) {
    const Shape cells = batch.active.shape();
    if (batch.extents.rank() > 0 && cells.slice(1, cells.rank()) != batch.extents.slice(0, cells.rank() - 1)) {
        throw InvalidInput("derivatives by the inputs of a box of a case (they need all of it); load whole cases");
    }
    require_physics(physics, channels, fields);
    const bool is_guided = !physics_sources(channels, fields).empty();
    CasePhysics* own = is_guided ? physics : nullptr;
    InputGradients gradients = zeros_of(dataset, batch.cases);
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        CaseGradient one(dataset, own, batch, n);
        for (std::size_t g = 0; g < batch.inputs.size(); ++g) {
            const InputGroup& group = batch.inputs[g];
            for (std::size_t c = 0; c < group.channels.size(); ++c) {
                one.add_channel(*std::ranges::find(channels, group.channels[c], &Channel::name), group, c,
                                cotangents.inputs.at(g));
            }
        }
        for (std::size_t f = 0; f < fields.size(); ++f) {
            one.add_field(fields[f], f, fields.size(), cotangents);
        }
        for (const auto& [name, values] : one.inputs()) {
            add_case(dataset, n, name, values, gradients);
        }
        gradients.physics[n] = one.physics();
    }
    return gradients;
}

void add(const InputGradients& more, InputGradients& sum) {
    if (sum.cases.empty()) {
        sum = more;
        return;
    }
    if (more.cases.empty()) {
        return;
    }
    expects(more.cases == sum.cases, "gradients by the same cases");
    for (const auto& [name, values] : more.inputs) {
        add_values(values, sum.inputs.at(name));
    }
    for (std::size_t n = 0; n < sum.physics.size(); ++n) {
        add(more.physics[n], sum.physics[n]);
    }
    sum.retaken_steps.resize(std::max(sum.retaken_steps.size(), more.retaken_steps.size()));
    for (std::size_t n = 0; n < more.retaken_steps.size(); ++n) {
        sum.retaken_steps[n] = std::max(sum.retaken_steps[n], more.retaken_steps[n]);
    }
}

void add(const Dataset& dataset, std::size_t place, const RadialCaseGradient& more, InputGradients& sum) {
    for (const auto& [name, values] : by_name(more)) {
        add_case(dataset, place, name, values, sum);
    }
}

void add_physics_gradients(const Dataset& dataset, const CasePhysics& physics, InputGradients& gradients) {
    if (std::ranges::all_of(gradients.physics, is_empty)) {
        return;
    }
    const std::vector<RadialCaseGradient> found = physics.gradients(gradients.cases, gradients.physics);
    gradients.retaken_steps.resize(found.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
        add(dataset, n, found[n], gradients);
        gradients.retaken_steps[n] = std::max(gradients.retaken_steps[n], found[n].retaken_steps);
        gradients.physics[n] = {};
    }
}

}  // namespace plumecast
