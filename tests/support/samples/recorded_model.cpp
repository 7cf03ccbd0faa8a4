#include "support/samples/recorded_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

#include "support/comparison.hpp"
#include "support/samples/network_pass.hpp"

namespace plumecast::testing {
namespace {

/// Wells that are open in part, so that every input can change a little, and values of twelve bits, so that it can
/// change by as much to either side in float32.
DatasetContent partly_open(DatasetContent content) {
    for (float& share : content.arrays.at("perforation")) {
        share *= 0.6F;
    }
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    for (auto& [name, values] : content.arrays) {
        for (float& value : values) {
            int exponent = 0;
            const float fraction = std::frexp(value, &exponent);
            value = std::ldexp(std::round(std::ldexp(fraction, 12)), exponent - 12);
        }
    }
    return content;
}

NetworkDescription with_fields(NetworkDescription description, std::vector<Field> fields) {
    description.fields = std::move(fields);
    description.network.fields = static_cast<std::int64_t>(description.fields.size());
    description.network.channels = static_cast<std::int64_t>(description.channels.size());
    description.network.activation = {Activation::Kind::gelu};  // has a slope everywhere
    return description;
}

}  // namespace

RecordedModel::RecordedModel(NetworkDescription description, DatasetContent content)
    : description_(std::move(description)), content_(std::move(content)) {
    write_tiny_model(path(), *make_cpu_backend({.threads = 1}), description_, 5);
    const Dataset dataset(views_of(content_));
    Shape shape{dataset.cases() * dataset.snapshots() * dataset.cells()};
    for (const Field& field : description_.fields) {
        const Tensor values = random_tensor(shape, DType::float32, "weights of " + field.name);
        weights_[field.name].assign(values.values<float>().begin(), values.values<float>().end());
    }
}

RecordedModel RecordedModel::radial(std::vector<Field> fields, std::int64_t members) {
    NetworkDescription description = with_fields(tiny_network("fno"), std::move(fields));
    description.network.members = members;
    return {std::move(description), partly_open(guided_content())};
}

RecordedModel RecordedModel::scheduled() {
    DatasetContent content = guided_content();
    content.arrays.erase("injection_rate");
    content.schedule_ends = {20.0, 60.0, 400.0, 900.0};
    content.arrays["schedule_rate"] = {0.05F, 0.1F, 0.15F, 0.0F, 0.1F, 0.0F, 0.2F, 0.0F, 0.05F, 0.3F, 0.0F, 0.1F};
    NetworkDescription description = tiny_network("fno");
    Channel share = make_channel("share_of_rate", "current_injection_rate", Transform::identity, 0.5, 0.5);
    share.factors = {{"injection_rate", 1.0}};
    description.channels.push_back(std::move(share));
    description.channels.push_back(make_channel("injected", "injected_co2", Transform::log, -4.0, 2.0));
    description.channels.push_back(make_channel("since", "time_since_rate_change", Transform::log, 4.0, 2.0));
    std::vector<Field> fields = default_fields();
    fields[1].factors = {{"injected_co2", 0.5}};
    return {with_fields(std::move(description), std::move(fields)), partly_open(std::move(content))};
}

RecordedModel RecordedModel::cartesian() {
    NetworkDescription description = tiny_network_3d("fno");
    description.channels.push_back(
        make_channel("log_perforated_transmissivity", "perforated_transmissivity", Transform::log10, 3.5, 0.6));
    return {with_fields(std::move(description), default_fields_3d()), partly_open(cartesian_content())};
}

RecordedModel RecordedModel::guided() {
    NetworkDescription description = tiny_guided_network("fno");
    std::vector<Field> fields = description.fields;
    fields[0].confined = -1;
    return {with_fields(std::move(description), std::move(fields)), partly_open(dissolving_content())};
}

std::vector<std::string> RecordedModel::inputs() const { return differentiable_inputs(Dataset(views_of(content_))); }

std::vector<std::int64_t> RecordedModel::extents() const {
    const Dataset dataset(views_of(content_));
    std::vector<std::int64_t> extents = {dataset.cases(), dataset.snapshots()};
    const Shape space = dataset.space();
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    return extents;
}

std::vector<std::int64_t> RecordedModel::extents_of(const std::string& input) const {
    std::vector<std::int64_t> extents_of_map = extents();
    extents_of_map.erase(extents_of_map.begin() + 1);
    const auto values = static_cast<std::int64_t>(content_.arrays.at(input).size());
    if (input == "schedule_rate") {
        return {extents_of_map[0], 1, values / extents_of_map[0]};
    }
    const bool is_scalar = values == extents_of_map[0];
    return is_scalar ? std::vector<std::int64_t>{extents_of_map[0]} : extents_of_map;
}

FieldCotangents RecordedModel::weights() const {
    FieldCotangents weights;
    for (const auto& [name, values] : weights_) {
        weights[name] = view_of(values.data(), extents(), "");
    }
    return weights;
}

GradientArrays gradient_arrays(const RecordedModel& model, const std::vector<std::string>& inputs,
                               std::map<std::string, std::vector<double>>& values) {
    GradientArrays arrays;
    for (const std::string& name : inputs) {
        values[name].assign(model.content().arrays.at(name).size(), -7.0);
        arrays[name] = output_to(values[name].data(), model.extents_of(name));
    }
    return arrays;
}

std::map<std::string, std::vector<double>> RecordedModel::gradients(const Predictor& predictor, Limits limits) const {
    std::map<std::string, std::vector<double>> values;
    PredictionOptions options;
    options.limits = limits;
    options.batch = 2;
    const MemoryCases cases = views_of(content_);
    predictor.record(cases, options).pull_back(weights(), gradient_arrays(*this, inputs(), values));
    return values;
}

std::vector<double> RecordedModel::sums(const FieldNetwork& network, const DatasetContent& content) const {
    const Dataset dataset(views_of(content));
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    std::iota(all.begin(), all.end(), 0);
    const Batch batch =
        cases_for(description_, dataset, Targets::skip, nullptr, {}, network.backend().compute_type())->load(all);
    const Tensor prediction = described_fields(network, batch);
    const double* values = prediction.view().as<double>();
    const auto cells = static_cast<std::size_t>(dataset.cells()), times = static_cast<std::size_t>(dataset.snapshots());
    const std::size_t count = description_.fields.size();
    const std::span<const float> active = batch.active.values<float>();
    std::vector<double> sums(all.size());
    for (std::size_t f = 0; f < count; ++f) {
        const Field& field = description_.fields[f];
        for (std::size_t i = 0; i < all.size() * cells * times; ++i) {
            const std::size_t n = i / (cells * times), t = i / cells % times, cell = i % cells;
            if (active[n * cells + cell] != 0.0F) {
                const double value =
                    values[((n * cells + cell) * times + t) * count + f] * scale_at(batch.scales, n, t, f) +
                    field.offset;
                sums[n] += static_cast<double>(weights_.at(field.name)[i]) * value;
            }
        }
    }
    return sums;
}

}  // namespace plumecast::testing
