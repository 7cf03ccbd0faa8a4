#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <plumecast/architectures/network_config.hpp>
#include <plumecast/architectures/parameters.hpp>
#include <plumecast/core/box.hpp>

namespace plumecast {

/// Input channels that vary along the same axes: values [B|1, space|1..., T|1, C] with extent 1 along the others.
struct InputChannels {
    std::vector<std::int64_t> channels;  ///< rows of the lift's weight, one per channel of `values`
    Tensor values;
};

/// What a network sees of a batch. Where ranks share the work, the groups hold this rank's cases and the cells of
/// Network::input_box().
struct NetworkInput {
    std::vector<InputChannels> groups;
    std::int64_t batch = 1;
    Shape extents;  ///< space extents and T of a whole case, before padding
};

/// A neural operator on channels-last fields, [B, space..., T, channels] -> [B, space..., T, fields]: its
/// configuration, and the weights of the graph that describe() makes of it.
class Network {
   public:
    /// Initial weights that depend on the seed alone, zeros without one; the backend must outlive it, and so must the
    /// grid of the ranks that work on it together (nullptr for one alone). Throws InvalidInput for an unknown
    /// architecture (naming the nearest) or an unusable configuration.
    Network(Backend& backend, NetworkConfig config, std::optional<std::uint64_t> seed,
            const ProcessGrid* grid = nullptr);

    /// The space cells of a case of extents [space..., T] that this rank reads: those it holds, and where it holds
    /// padding only, the last ones, which the padding may repeat. Never empty.
    Box input_box(const Shape& extents) const;
    /// The space cells that a rank of the group predicts; may be empty. All of them where one rank is alone.
    Box output_box(const Shape& extents, int place) const;
    Box output_box(const Shape& extents) const;
    const NetworkConfig& config() const { return config_; }
    const Parameters& parameters() const { return parameters_; }

   private:
    NetworkConfig config_;
    Parameters parameters_;
};

/// Whether the weights of a network are more than so many numbers, which is found without memory for them. Throws
/// InvalidInput for an unusable configuration.
bool has_more_weights(const NetworkConfig& config, double numbers);

}  // namespace plumecast
