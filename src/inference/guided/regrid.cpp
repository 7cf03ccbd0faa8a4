#include "inference/guided/regrid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/dataset/axis_order.hpp"
#include "reservoir/regridding/regridded_dataset.hpp"
#include "reservoir/regridding/rotated_overlap.hpp"

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

/// By column whether a part of it lies beyond the outermost edges of another grid.
std::vector<char> columns_beyond(const GridAndTimes& case_grid, const GridAndTimes& model_grid) {
    std::vector<char> result;
    if (case_grid.is_radial()) {
        std::transform(case_grid.r_edges.begin() + 1, case_grid.r_edges.end(), std::back_inserter(result),
                       [&](double edge) { return is_beyond(edge, model_grid.r_edges) ? 1 : 0; });
        return result;
    }
    const PlanView plan = PlanView::of(case_grid);
    const Turn turn = turn_between(case_grid.place, model_grid.place);
    for (std::size_t line = 0; line < plan.lines(); ++line) {
        for (std::size_t column = 0; column < plan.columns(); ++column) {
            const Rectangle seen = turn.around(plan.cell(line, column));
            const bool is_within =
                !is_beyond(seen.high_x, model_grid.x_edges) && !is_before(seen.low_x, model_grid.x_edges) &&
                !is_beyond(seen.high_y, model_grid.y_edges) && !is_before(seen.low_y, model_grid.y_edges);
            result.push_back(is_within ? 0 : 1);
        }
    }
    return result;
}

/// Marks [space..., T], 1 where a network says nothing; empty where there is no such place.
std::vector<char> unknown_places(const GridAndTimes& case_grid, const GridAndTimes& model_grid) {
    const std::vector<char> columns = columns_beyond(case_grid, model_grid);
    std::vector<char> result;
    for (std::size_t row = 0; row < case_grid.rows(); ++row) {
        const bool is_deeper = is_beyond(case_grid.z_edges[row + 1], model_grid.z_edges);
        for (const char column : columns) {
            for (const double time : case_grid.times) {
                result.push_back(is_deeper || column != 0 || is_beyond(time, model_grid.times) ? 1 : 0);
            }
        }
    }
    return std::ranges::find(result, 1) == result.end() ? std::vector<char>() : result;
}

/// Adds a case to the failures; nothing without any.
std::function<void(std::int64_t, const std::string&)> adding_to(CaseFailures* failures) {
    if (failures == nullptr) {
        return nullptr;
    }
    return [failures](std::int64_t which, const std::string& why) { failures->add(which, why); };
}

}  // namespace

Regrid::Regrid(const Dataset& dataset, const GridAndTimes& model_grid, std::shared_ptr<CaseFailures> failures)
    : failures_(std::move(failures)),
      dataset_(&dataset),
      cases_(regridded(dataset, model_grid, adding_to(failures_.get()))),
      transfer_(model_grid, aligned_with(GridAndTimes::of(dataset), model_grid)),
      unknown_(unknown_places(aligned_with(GridAndTimes::of(dataset), model_grid), model_grid)) {}

std::unique_ptr<BatchSource> Regrid::source(const NetworkDescription& description, Targets targets,
                                            std::shared_ptr<CasePhysics> physics,
                                            std::vector<std::string> physics_fields) const {
    return dataset_source(*dataset_, {}, description.fields, targets, std::move(physics), std::move(physics_fields),
                          DType::float32, failures_);
}

std::vector<float> Regrid::brought(const Field& field, std::span<const float> values, std::span<const float> active,
                                   const PoreSpace& pores) const {
    const bool fills_pores = field.name != "pressure_buildup";
    return fills_pores ? transfer_.brought_by_volume(values, active, pores) : transfer_.brought(values, active);
}

void Regrid::leave_out_unknown(std::vector<float>& values) const {
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
        if (unknown_[i] != 0) {
            values[i] = std::numeric_limits<float>::quiet_NaN();
        }
    }
}

/// Whether a case has no values on the network's grid, of what the network says of it or by what is known here.
bool Regrid::has_failed(std::int64_t which, const Tensor& part, std::size_t n) const {
    return std::isnan(of_case(part, n).front()) || (failures_ != nullptr && failures_->has(which));
}

Tensor Regrid::joined(const NetworkDescription& description, const Batch& batch, std::span<const Tensor> values,
                      const Tensor& active) const {
    const std::vector<Field>& fields = description.fields;
    const std::size_t step = fields.size(), times = transfer_.times();
    const Shape shape = batch.active.shape().append(static_cast<std::int64_t>(times));
    Tensor all = batch.base.empty() ? host_zeros(shape.append(static_cast<std::int64_t>(step))) : copy_of(batch.base);
    Tensor porosity = host_zeros(batch.active.shape());
    dataset_->read_map("porosity", batch.cases, porosity.values<float>());
    const std::size_t each = values_per_case(all);
    for (std::size_t n = 0; n < batch.cases.size(); ++n) {
        const std::span<float> out = all.values<float>().subspan(n * each, each);
        const std::span<const float> is_active = of_case(batch.active, n);
        for (std::size_t f = 0; f < step; ++f) {
            if (has_failed(batch.cases[n], values[f], n)) {
                std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
                continue;
            }
            std::vector<float> on_case_grid =
                brought(fields[f], of_case(values[f], n), of_case(active, n), {is_active, of_case(porosity, n)});
            const bool is_whole = fields[f].base.empty();
            if (is_whole) {
                leave_out_unknown(on_case_grid);
            }
            const double offset = is_whole ? fields[f].offset : 0.0;
            std::vector<double> scales;
            for (std::size_t time = 0; time < times; ++time) {
                scales.push_back(scale_at(batch.scales, n, time, f));
            }
            for (std::size_t cell = 0; cell < is_active.size(); ++cell) {
                for (std::size_t time = 0; is_active[cell] != 0.0F && time < times; ++time) {
                    const std::size_t i = cell * times + time;
                    float& value = out[i * step + f];
                    value = static_cast<float>(static_cast<double>(value) +
                                               (static_cast<double>(on_case_grid[i]) - offset) / scales[time]);
                }
            }
        }
    }
    return all;
}

Tensor Regrid::taken_back(const Tensor& cotangents) const {
    const Shape& shape = cotangents.shape();
    const Shape on_model_grid = shape.slice(0, shape.rank() - 2).append(cases_.snapshots()).append(shape[-1]);
    return host_tensor<float>(on_model_grid,
                              transfer_.taken_back(cotangents.values<float>(), static_cast<std::size_t>(shape[-1])));
}

Field as_joined(const Field& field) { return field.base.empty() ? as_it_is(field) : field; }

Tensor physical_part(const Tensor& values, std::size_t field, const Field& described, const Batch& batch,
                     Limits limiting) {
    const auto index = static_cast<std::int64_t>(field);
    if (described.base.empty()) {
        return physical_values(values, index, described, batch.scales, batch.limits, limiting);
    }
    const Shape& shape = values.shape();
    Tensor result = host_zeros(shape.slice(0, shape.rank() - 1));
    const auto step = static_cast<std::size_t>(shape[-1]);
    const std::size_t each = values_per_case(result);
    const auto times = static_cast<std::size_t>(shape[-2]);
    const std::span<float> out = result.values<float>();
    const std::span<const float> in = values.values<float>(), base = batch.base.values<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t from = i * step + field;
        const double scale = scale_at(batch.scales, i / each, i % times, field);
        out[i] = static_cast<float>((static_cast<double>(in[from]) - static_cast<double>(base[from])) * scale);
    }
    return result;
}

}  // namespace plumecast
