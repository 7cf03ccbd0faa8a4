#include "training/guided/other_grid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <plumecast/training/evaluation.hpp>

#include "data/regridding/regridded_dataset.hpp"

namespace plumecast {
namespace {

std::size_t values_per_case(const Tensor& tensor) {
    return static_cast<std::size_t>(tensor.shape().count(1, tensor.shape().rank()));
}

std::span<const float> of_case(const Tensor& tensor, std::size_t n) {
    const std::size_t each = values_per_case(tensor);
    return tensor.values<float>().subspan(n * each, each);
}

Tensor copy_of(const Tensor& tensor) { return host_tensor<float>(tensor.shape(), tensor.values<float>()); }

/// By cell of an axis whether a part of it lies beyond the last edge of another.
std::vector<char> cells_beyond(const std::vector<double>& edges, const std::vector<double>& known) {
    std::vector<char> result;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        result.push_back(is_beyond(edges[i + 1], known) ? 1 : 0);
    }
    return result;
}

/// Marks [space..., T], 1 where a network says nothing; empty where there is no such place.
std::vector<char> unknown_places(const GridAndTimes& users, const GridAndTimes& own) {
    const std::vector<char> z = cells_beyond(users.z_edges, own.z_edges);
    const std::vector<char> y = users.is_radial() ? std::vector<char>(1) : cells_beyond(users.y_edges, own.y_edges);
    const std::vector<char> x =
        users.is_radial() ? cells_beyond(users.r_edges, own.r_edges) : cells_beyond(users.x_edges, own.x_edges);
    std::vector<char> result;
    for (const char row : z) {
        for (const char line : y) {
            for (const char column : x) {
                for (const double time : users.times) {
                    result.push_back(row != 0 || line != 0 || column != 0 || is_beyond(time, own.times) ? 1 : 0);
                }
            }
        }
    }
    return std::ranges::find(result, 1) == result.end() ? std::vector<char>() : result;
}

}  // namespace

OtherGrid::OtherGrid(const Dataset& dataset, const GridAndTimes& own)
    : users_(&dataset),
      cases_(regridded(dataset, own)),
      transfer_(own, aligned_with(GridAndTimes::of(dataset), own)),
      unknown_(unknown_places(aligned_with(GridAndTimes::of(dataset), own), own)) {}

std::unique_ptr<BatchSource> OtherGrid::source(const NetworkDescription& description, Targets targets,
                                               std::shared_ptr<const CasePhysics> physics,
                                               std::vector<std::string> carried) const {
    return dataset_source(*users_, {}, description.fields, targets, std::move(physics), std::move(carried));
}

std::vector<float> OtherGrid::brought(const Field& field, std::span<const float> values, std::span<const float> active,
                                      const PoreSpace& pores) const {
    const bool fills_pores = field.name != "pressure_buildup";
    return fills_pores ? transfer_.brought_by_volume(values, active, pores) : transfer_.brought(values, active);
}

void OtherGrid::leave_out_unknown(std::vector<float>& values) const {
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
        if (unknown_[i] != 0) {
            values[i] = std::numeric_limits<float>::quiet_NaN();
        }
    }
}

Tensor OtherGrid::joined(const NetworkDescription& description, const Batch& batch, std::span<const Tensor> values,
                         const Tensor& active) const {
    const std::vector<Field>& fields = description.fields;
    const std::size_t step = fields.size();
    const Shape shape = batch.active.shape().append(static_cast<std::int64_t>(transfer_.times()));
    Tensor all = batch.base.empty() ? host_zeros(shape.append(static_cast<std::int64_t>(step))) : copy_of(batch.base);
    Tensor porosity = host_zeros(batch.active.shape());
    users_->read_map("porosity", batch.cases, porosity.values<float>());
    const std::size_t each = values_per_case(all);
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const std::span<float> out = all.values<float>().subspan(n * each, each);
        const std::span<const float> users = of_case(batch.active, n);
        for (std::size_t f = 0; f < step; ++f) {
            std::vector<float> own =
                brought(fields[f], of_case(values[f], n), of_case(active, n), {users, of_case(porosity, n)});
            const bool is_whole = fields[f].base.empty();
            if (is_whole) {
                leave_out_unknown(own);
            }
            const auto scale = static_cast<double>(batch.scales.values<float>()[n * step + f]);
            const double offset = is_whole ? fields[f].offset : 0.0;
            for (std::size_t i = 0; i < own.size(); ++i) {
                if (users[i / transfer_.times()] != 0.0F) {
                    float& value = out[i * step + f];
                    value =
                        static_cast<float>(static_cast<double>(value) + (static_cast<double>(own[i]) - offset) / scale);
                }
            }
        }
    }
    return all;
}

Field as_joined(const Field& field) { return field.base.empty() ? as_it_is(field) : field; }

Tensor physical_part(const Tensor& values, std::size_t field, const Field& described, const Batch& batch) {
    const auto index = static_cast<std::int64_t>(field);
    if (described.base.empty()) {
        return physical_values(values, index, described, batch.scales, batch.limits);
    }
    const Shape& shape = values.shape();
    Tensor result = host_zeros(shape.slice(0, shape.rank() - 1));
    const auto step = static_cast<std::size_t>(shape[-1]);
    const std::size_t each = values_per_case(result);
    const std::span<float> out = result.values<float>();
    const std::span<const float> in = values.values<float>(), base = batch.base.values<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t from = i * step + field;
        const float scale = batch.scales.values<float>()[i / each * step + field];
        out[i] = static_cast<float>((static_cast<double>(in[from]) - static_cast<double>(base[from])) *
                                    static_cast<double>(scale));
    }
    return result;
}

}  // namespace plumecast
