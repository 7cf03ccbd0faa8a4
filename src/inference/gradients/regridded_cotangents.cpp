#include "inference/gradients/regridded_cotangents.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "inference/gradients/limited_values.hpp"

namespace plumecast {
namespace {

/// Fields as joined() makes them.
Tensor joined_fields(const Regrid& regrid, const NetworkDescription& description, const Batch& on_model_grid,
                     const Batch& regridded, const Tensor& values, Limits limits) {
    std::vector<Tensor> parts;
    for (std::size_t f = 0; f < description.fields.size(); ++f) {
        parts.push_back(physical_part(values, f, description.fields[f], on_model_grid, limits));
    }
    return regrid.joined(description, regridded, parts, on_model_grid.active);
}

}  // namespace

RegriddedCotangents regridded_cotangents(const Regrid& regrid, const NetworkDescription& description,
                                         const Batch& on_model_grid, const Batch& regridded, const Tensor& values,
                                         const Tensor& cotangents, Limits limits) {
    const std::vector<Field>& fields = description.fields;
    const Tensor joined = joined_fields(regrid, description, on_model_grid, regridded, values, limits);
    const bool has_limits = limits == Limits::apply && !regridded.limits.empty();
    RegriddedCotangents result;
    BatchCotangents& here = result.on_case_grid;
    here.scales.assign(static_cast<std::size_t>(regridded.scales.shape().count()), 0.0);
    here.limits.assign(has_limits ? regridded.cases.size() * fields.size() : 0, 0.0);
    here.base = regridded.base.empty() ? Tensor() : host_zeros(cotangents.shape());
    Tensor of_parts = host_zeros(cotangents.shape());
    const std::span<const float> all = joined.values<float>(), given = cotangents.values<float>();
    const std::size_t per_case = all.size() / regridded.cases.size();
    const auto scaled_times = static_cast<std::size_t>(regridded.scales.shape()[1]);  // 1 or all
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t n = i / per_case, f = i % fields.size(), entry = n * fields.size() + f;
        const std::size_t scaled = (n * scaled_times + i / fields.size() % scaled_times) * fields.size() + f;
        const double scale = regridded.scales.number(scaled), value = static_cast<double>(all[i]);
        const auto cotangent = static_cast<double>(given[i]);
        if (std::isnan(value) || cotangent == 0.0) {
            continue;
        }
        const bool is_limited = limits == Limits::apply && !fields[f].base.empty();
        const double limit =
            has_limits && fields[f].below_irreducible_water ? regridded.limits.number(entry) : HUGE_VAL;
        const Place place = is_limited ? place_of(fields[f], value * scale + fields[f].offset, limit) : Place::free;
        if (place == Place::limited) {
            here.limits[entry] += cotangent;
        } else if (place == Place::free) {
            of_parts.values<float>()[i] = given[i];
            if (!fields[f].base.empty()) {
                here.base.values<float>()[i] = static_cast<float>(cotangent * scale);
                here.scales[scaled] += cotangent * regridded.base.number(i);
            }
        }
    }
    result.on_model_grid = regrid.taken_back(of_parts);
    return result;
}

}  // namespace plumecast
