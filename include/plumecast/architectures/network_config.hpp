#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <plumecast/backend/ops.hpp>

namespace plumecast {

/// Everything that fixes a network's shape. Defaults are the published U-FNO (Wen et al. 2022).
struct NetworkConfig {
    std::string architecture = "ufno";            ///< one of architecture_names()
    std::int64_t channels = 12;                   ///< input channels
    std::int64_t fields = 1;                      ///< output fields
    std::int64_t width = 36;                      ///< channels of the hidden fields; cnn: of its first stage
    std::vector<std::int64_t> modes{10, 10, 10};  ///< kept per axis, z, r, t or z, y, x, t; 0 along one point alone
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
    std::int64_t lifting = 0;          ///< width of a hidden layer of the lift; 0 for a linear lift
    std::int64_t spectral_mlp = 0;     ///< that of an MLP after each spectral convolution of a plain block; 0 for none
    std::int64_t channel_mlp = 0;      ///< that of an MLP, with a skip, after each plain block; 0 for none
    bool last_activation = true;       ///< the last block ends with the activation, as the others do
    bool pad_lifted = false;           ///< edges of zeros are those of the lifted field, not those of its inputs
    std::int64_t members = 1;          ///< networks of this shape, whose mean is the prediction

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

/// Names of architectures.
std::vector<std::string> architecture_names();

}  // namespace plumecast
