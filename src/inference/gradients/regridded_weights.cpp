#include "inference/gradients/regridded_weights.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "inference/gradients/limited_values.hpp"

namespace plumecast {
namespace {

/// Fields as joined() makes them.
Tensor joined_fields(const Regrid& regrid, const NetworkDescription& description, const Batch& own,
                     const Batch& regridded, const Tensor& values, Limits limits) {
    std::vector<Tensor> parts;
    for (std::size_t f = 0; f < description.fields.size(); ++f) {
        parts.push_back(physical_part(values, f, description.fields[f], own, limits));
    }
    return regrid.joined(description, regridded, parts, own.active);
}

}  // namespace

RegriddedWeights regridded_weights(const Regrid& regrid, const NetworkDescription& description, const Batch& own,
                                   const Batch& regridded, const Tensor& values, const Tensor& weights, Limits limits) {
    const std::vector<Field>& fields = description.fields;
    const Tensor joined = joined_fields(regrid, description, own, regridded, values, limits);
    const bool has_limits = limits == Limits::apply && !regridded.limits.empty();
    RegriddedWeights result;
    BatchWeights& here = result.on_case_grid;
    here.scales.assign(static_cast<std::size_t>(regridded.scales.shape().count()), 0.0);
    here.limits.assign(has_limits ? regridded.cases.size() * fields.size() : 0, 0.0);
    here.base = regridded.base.empty() ? Tensor() : host_zeros(weights.shape());
    Tensor of_parts = host_zeros(weights.shape());
    const std::span<const float> all = joined.values<float>(), given = weights.values<float>();
    const std::size_t per_case = all.size() / regridded.cases.size();
    const auto scaled_times = static_cast<std::size_t>(regridded.scales.shape()[1]);  // 1 or all
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t n = i / per_case, f = i % fields.size(), entry = n * fields.size() + f;
        const std::size_t scaled = (n * scaled_times + i / fields.size() % scaled_times) * fields.size() + f;
        const double scale = regridded.scales.number(scaled), value = static_cast<double>(all[i]);
        const auto weight = static_cast<double>(given[i]);
        if (std::isnan(value) || weight == 0.0) {
            continue;
        }
        const bool is_limited = limits == Limits::apply && !fields[f].base.empty();
        const double limit =
            has_limits && fields[f].below_irreducible_water ? regridded.limits.number(entry) : HUGE_VAL;
        const Place place = is_limited ? place_of(fields[f], value * scale + fields[f].offset, limit) : Place::free;
        if (place == Place::limited) {
            here.limits[entry] += weight;
        } else if (place == Place::free) {
            of_parts.values<float>()[i] = given[i];
            if (!fields[f].base.empty()) {
                here.base.values<float>()[i] = static_cast<float>(weight * scale);
                here.scales[scaled] += weight * regridded.base.number(i);
            }
        }
    }
    result.on_model_grid = regrid.taken_back(of_parts);
    return result;
}

}  // namespace plumecast
