#include "training/guided/other_grid.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "data/regridding/regridded_dataset.hpp"

namespace plumecast {
namespace {

constexpr const char* plume_source = "physics_gas_saturation";

bool is_confined(const Field& field) { return field.confined >= 0; }

std::size_t values_per_case(const Tensor& tensor) {
    return static_cast<std::size_t>(tensor.shape().count(1, tensor.shape().rank()));
}

std::span<const float> of_case(const Tensor& tensor, std::size_t n) {
    const std::size_t each = values_per_case(tensor);
    return tensor.values<float>().subspan(n * each, each);
}

/// The plume of the physics [B, Z, R, T, 1], which source() adds to the inputs.
const Tensor& plume_of(const Batch& batch) {
    const auto found = std::ranges::find_if(
        batch.inputs, [](const InputGroup& group) { return group.channels == std::vector<std::string>{plume_source}; });
    expects(found != batch.inputs.end(), "a batch with the plume of the physics");
    return found->values;
}

Tensor copy_of(const Tensor& tensor) { return host_tensor<float>(tensor.shape(), tensor.values<float>()); }

void multiply(std::vector<float>& values, const std::vector<float>& factors) {
    std::ranges::transform(values, factors, values.begin(), std::multiplies<>());
}

}  // namespace

OtherGrid::OtherGrid(const Dataset& dataset, const GridAndTimes& own)
    : users_(&dataset), cases_(regridded(dataset, own)), transfer_(own, GridAndTimes::of(dataset)) {}

std::unique_ptr<BatchSource> OtherGrid::source(const NetworkDescription& description, Targets targets,
                                               std::shared_ptr<const CasePhysics> physics,
                                               std::vector<std::string> carried) const {
    std::vector<Channel> channels;
    if (std::ranges::any_of(description.fields, is_confined)) {
        channels.push_back(make_channel(plume_source, plume_source));
    }
    return dataset_source(*users_, std::move(channels), description.fields, targets, std::move(physics),
                          std::move(carried));
}

Tensor OtherGrid::joined(const NetworkDescription& description, const Batch& batch, std::span<const Tensor> corrections,
                         const Tensor& active) const {
    const std::vector<Field>& fields = description.fields;
    const std::size_t step = fields.size();
    const Shape shape = batch.active.shape().append(static_cast<std::int64_t>(transfer_.times()));
    Tensor all = batch.base.empty() ? host_zeros(shape.append(static_cast<std::int64_t>(step))) : copy_of(batch.base);
    const std::size_t each = values_per_case(all);
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const std::span<float> out = all.values<float>().subspan(n * each, each);
        const std::span<const float> users = of_case(batch.active, n);
        for (std::size_t f = 0; f < step; ++f) {
            std::vector<float> correction = transfer_.brought(of_case(corrections[f], n), of_case(active, n));
            if (is_confined(fields[f])) {
                multiply(correction,
                         transfer_.near_plume(of_case(plume_of(batch), n), plume_saturation, fields[f].confined));
            }
            const auto scale = static_cast<double>(batch.scales.values<float>()[n * step + f]);
            for (std::size_t i = 0; i < correction.size(); ++i) {
                if (users[i / transfer_.times()] != 0.0F) {
                    float& value = out[i * step + f];
                    value = static_cast<float>(static_cast<double>(value) + static_cast<double>(correction[i]) / scale);
                }
            }
        }
    }
    return all;
}

Tensor physical_correction(const Tensor& values, std::size_t field, const Batch& batch) {
    const Shape& shape = values.shape();
    Tensor result = host_zeros(shape.slice(0, shape.rank() - 1));
    const auto step = static_cast<std::size_t>(shape[-1]);
    const std::size_t each = values_per_case(result);
    const std::span<float> out = result.values<float>();
    const std::span<const float> in = values.values<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t from = i * step + field;
        const float base = batch.base.empty() ? 0.0F : batch.base.values<float>()[from];
        const float scale = batch.scales.values<float>()[i / each * step + field];
        out[i] = static_cast<float>((static_cast<double>(in[from]) - static_cast<double>(base)) *
                                    static_cast<double>(scale));
    }
    return result;
}

}  // namespace plumecast
