#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/batches/series_inputs.hpp"

namespace plumecast {

/// Value of an input without axes in one case, stored or worked out:
/// transmissivity [mD m], what steady radial flow from the well to the outer edge sees,
///     sum_r w / sum_r (w / sum_z k_r dz) with w = ln(r_outer / r_inner) and z over active cells,
/// in a Cartesian grid the mean over columns of sum_z sqrt(k_x k_y) dz;
/// perforated_transmissivity [mD m], sum of k_r dz (or sqrt(k_x k_y) dz) times the perforated fraction.
/// and the scalars of the case's physics, which may be nullptr where none is read. A salinity or a residual gas
/// saturation that the file does not have is 0.
/// Throws InvalidInput for another name, and what Dataset throws.
double scalar_input(const Dataset& dataset, std::string_view name, std::int64_t which,
                    const PhysicsFields* physics = nullptr);

/// inflow_share [Z, R] of a case: the share of each row in the perforated transmissivity, constant along r.
std::vector<double> inflow_share(const Dataset& dataset, std::int64_t which);

/// Whether a factor varies in time.
bool varies_in_time(const std::vector<PowerFactor>& factors);

/// `scale` times the product of source^exponent in one case, at each time where a source is a series [T], else [1].
/// Throws InvalidData naming file, case, source and `name`, of what it scales, when a source is not positive.
std::vector<double> times_factors(double scale, const std::vector<PowerFactor>& factors, const std::string& name,
                                  const Dataset& dataset, std::int64_t which, const PhysicsFields* physics);

/// Scale of a field in one case, [1] or [T]: scale * product of source^exponent. Throws the same.
std::vector<double> field_scales(const Dataset& dataset, const Field& field, std::int64_t which,
                                 const PhysicsFields* physics = nullptr);

/// Adds to `inputs` the derivatives of scalar_input() with a cotangent; those of the physics are not for here.
void add_scalar_cotangent(const Dataset& dataset, std::string_view name, std::int64_t which, double cotangent,
                          CaseCotangents& inputs);

/// The same for the inflow_share of a case with cotangents [Z, R].
void add_inflow_share_cotangents(const Dataset& dataset, std::int64_t which, std::span<const double> cotangents,
                                 CaseCotangents& inputs);

}  // namespace plumecast
