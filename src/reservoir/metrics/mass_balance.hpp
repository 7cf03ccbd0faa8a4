#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <plumecast/core/tensor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

/// Volumes [Z * R, r fastest] [m3] of radial cells: pi (r2^2 - r1^2) dz from the edges [R + 1] and [Z + 1] [m].
/// Throws InvalidInput when an axis has fewer than two edges, does not grow strictly, or starts below zero in r.
std::vector<double> cell_volumes(std::span<const double> r_edges, std::span<const double> z_edges);

/// Volumes [cells] [m3] of the cells of a data set: radial ones as above, boxes between the edges of a Cartesian grid,
/// or what the file says about them.
std::vector<double> cell_volumes(const Dataset& dataset);

/// Pore volumes [Z * R] [m3]: cell volume times porosity [Z, R] float32, zero where active [Z, R] float32 is zero.
/// Throws InvalidInput when the sizes differ.
std::vector<double> pore_volumes(std::span<const double> volumes, ConstView porosity, ConstView active);

/// Pore volumes [cells] [m3] of a case of a data set, 0 in inactive cells: those that it states, else of cells of these
/// volumes [m3] and porosity, at the sides of a box times the `aquifer_factor` that it states. Throws InvalidInput when
/// sizes differ, InvalidData, IoError.
std::vector<double> pore_volumes(const Dataset& dataset, std::int64_t which, std::span<const double> volumes,
                                 const std::vector<float>& porosity, const std::vector<float>& active);
/// The same with the volumes, porosity and active cells of the data set.
std::vector<double> pore_volumes(const Dataset& dataset, std::int64_t which);

/// Volume of free gas [m3] at a time index: sum of pore volume [Z * R] times gas saturation [Z, R, T] float32.
/// Throws InvalidInput when the sizes differ or the time does not exist.
double gas_volume(ConstView gas_saturation, std::span<const double> pore_volumes, std::int64_t time);

/// CO2 mass error: |V_predicted - V_true| / V_true with V = gas_volume at the last time. It is the relative error of
/// the mass of free CO2 if the gas has one density everywhere; dissolved CO2 is not counted.
/// Without gas in the truth: 0 when the prediction has none either, otherwise 1.
double relative_volume_error(double predicted, double simulated);
/// The same of saturations [Z, R, T] float32 and pore volumes [Z * R] [m3].
double mass_error(ConstView prediction, ConstView truth, std::span<const double> pore_volumes);

}  // namespace plumecast
