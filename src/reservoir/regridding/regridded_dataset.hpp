#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

namespace plumecast {

/// The inputs of all cases of a data set on another grid of the same kind, for other times, as averaged_rock() and
/// averaged_box() bring them, of boxes as aligned_with() lays them on each other; what is not a map stays as it is, and
/// outputs are left out. The file that holds it lies among the temporary files of the machine and is gone with the data
/// set; messages call it by the name of `dataset`. A case whose wells lie outside the other grid is told to `failed`,
/// with the reason. Throws InvalidData for a damaged file and, without `failed`, for such a case, IoError.
Dataset regridded(const Dataset& dataset, const GridAndTimes& to,
                  const std::function<void(std::int64_t, const std::string&)>& failed = nullptr);

}  // namespace plumecast
