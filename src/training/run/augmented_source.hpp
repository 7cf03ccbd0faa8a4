#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/batches/channels.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/training/recipe.hpp>

namespace plumecast {

/// The moves of the cases of a run, and noise: how a case lies in an epoch depends on seed, epoch, data set and case
/// alone.
struct Augmentation {
    AugmentOptions options;
    std::uint64_t seed = 0;
    double noise = 0.0;                ///< deviation of what is added to normalised channels
    std::set<std::string> noisy = {};  ///< the sources of these
    std::atomic<int> epoch = 0;        ///< that is read; not to be set while batches are loaded
};

/// Throws InvalidInput naming what of the data contradicts such moves: no such axis, points that do not lie alike from
/// both ends or along both axes, radial data, z or quarter turns of reservoirs, cells of their own shape, names that no
/// channel or field has, a sign where a logarithm is taken.
void check_augmentation(const AugmentOptions& options, const Dataset& dataset, const std::vector<Channel>& channels,
                        const std::vector<Field>& fields);

/// The batches of another source of a data set with its cases moved; `name` tells data sets of a run apart. What it
/// refers to must outlive it. float32 alone.
std::unique_ptr<BatchSource> augmented_source(std::unique_ptr<BatchSource> whole,
                                              std::shared_ptr<const Augmentation> augmentation,
                                              const std::vector<Channel>& channels, const std::vector<Field>& fields,
                                              const std::string& name);

}  // namespace plumecast
