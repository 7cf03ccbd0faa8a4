#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/architectures/parameters.hpp>
#include <plumecast/core/box.hpp>

namespace plumecast {

/// Everything that fixes a network's shape. Defaults are the published U-FNO (Wen et al. 2022).
struct NetworkConfig {
    std::string architecture = "ufno";            ///< one of architecture_names()
    std::int64_t channels = 12;                   ///< input channels
    std::int64_t fields = 1;                      ///< output fields
    std::int64_t width = 36;                      ///< channels of the hidden fields; cnn: of its first stage
    std::vector<std::int64_t> modes{10, 10, 10};  ///< kept modes per axis, z, r, t; or z, y, x, t
    std::int64_t fourier_blocks = 3;              ///< plain Fourier blocks, first
    std::int64_t extended_blocks = 3;             ///< blocks with a convolution or U-Net branch, after them
    std::int64_t residual_blocks = 7;             ///< cnn only
    std::int64_t hidden = 128;                    ///< width of the projection's hidden layer
    Activation activation = Activation::relu();
    std::vector<std::int64_t> padding{8, 8, 8};  ///< cells added at the high end of each axis
    std::vector<Padding::Edge> edges{Padding::Edge::zero, Padding::Edge::replicate, Padding::Edge::replicate};
    std::int64_t padded_multiple = 8;  ///< padded extents are rounded up to it, that of time only with time_strides
    std::int64_t time_kernel = 3;      ///< cells of convolutions along time, odd; 1 for each time step on its own
    bool time_strides = true;          ///< U-Net and cnn halve time as they halve space

    /// The published depth of an architecture: fno 6 + 0 blocks, conv_fno and ufno 3 + 3.
    static NetworkConfig published(const std::string& architecture);
    /// The like for three axes of space, where nothing is published: narrower, fewer modes along z and time, and
    /// convolutions in space alone.
    static NetworkConfig three_dimensional(const std::string& architecture);
    /// Axes of space.
    int space_axes() const { return static_cast<int>(modes.size()) - 1; }
    /// Throws InvalidInput naming the first entry that cannot be used and what to do.
    void check() const;
    /// Entries that were set though the architecture reads none of them: modes (but for their number, that of the axes)
    /// and the blocks of Fourier networks, of a cnn.
    std::vector<std::string> unread() const;
    /// Space extents and T after padding.
    Shape padded(const Shape& extents) const;
    Padding padding_of(const Shape& extents) const;

    friend bool operator==(const NetworkConfig&, const NetworkConfig&) = default;
};

/// Whether a network is being trained: batch norm then uses the statistics of the batch.
enum class ExecutionMode { evaluation, training };

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

/// Names of architectures.
std::vector<std::string> architecture_names();

/// Whether the weights of a network are more than so many numbers, which is found without memory for them. Throws
/// InvalidInput for an unusable configuration.
bool has_more_weights(const NetworkConfig& config, double numbers);

}  // namespace plumecast
