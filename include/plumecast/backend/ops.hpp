#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <plumecast/core/tensor.hpp>

/// Value types that the ops of a Backend take.
namespace plumecast {

/// Pointwise nonlinearity y = f(x). leaky_relu multiplies negative values by `slope`.
struct Activation {
    enum class Kind { identity, relu, leaky_relu, tanh, gelu };
    Kind kind = Kind::identity;
    double slope = 0.1;

    static Activation identity() { return {}; }
    static Activation relu() { return {Kind::relu}; }
    static Activation leaky_relu(double slope) { return {Kind::leaky_relu, slope}; }
    /// True when the derivative follows from the output alone, so that the input need not be kept.
    bool known_from_output() const { return kind != Kind::gelu; }
    bool is_identity() const { return kind == Kind::identity; }

    friend bool operator==(const Activation&, const Activation&) = default;
};

/// Where an op writes: destination = beta * destination + result; beta 0 overwrites whatever was there.
struct OutputRef {
    View view;
    double beta = 0.0;
};

/// A truncated Fourier transform of real fields [..., space..., T, C] over their last axes before the channels: forward
/// e^{-2 pi i k n / N}. See docs/conventions.md.
struct FourierGeometry {
    Shape extents;  ///< [space..., T]: one to three axes
    Shape modes;  ///< m of each axis of space, which keeps the frequencies 0..m-1, -m..-1, and mt, which keeps 0..mt-1
    bool by_multiplicity = false;  ///< each mode times how often it counts in a real field: twice but for 0 and Nyquist
    double scale = 1.0;            ///< of all modes

    /// Kept modes [2 m..., 2 mt]: along time the real parts, then the imaginary parts.
    Shape spectrum() const;

    friend bool operator==(const FourierGeometry&, const FourierGeometry&) = default;
};

/// Geometry of a convolution over three axes, one entry each, and over one more before them where `outer` has a kernel.
/// The ops of a backend take three axes; convolve() of backend/convolve.hpp takes either.
struct ConvGeometry {
    using Axes = std::array<std::int64_t, 3>;
    /// One axis; a kernel of 0 means that there is none.
    struct OuterAxis {
        std::int64_t kernel = 0;
        std::int64_t stride = 1;
        std::int64_t padding_low = 0;
        std::int64_t padding_high = 0;
    };
    Axes kernel{3, 3, 3};
    Axes stride{1, 1, 1};
    Axes padding_low{1, 1, 1};
    Axes padding_high{1, 1, 1};
    /// Transposed: the adjoint of the convolution with these numbers.
    bool transposed = false;
    OuterAxis outer{};

    bool has_outer() const { return outer.kernel > 0; }
    /// Spatial extents of the output for an input [B, s1, s2, s3, C]. Throws InvalidInput when one would be empty.
    Axes output_extents(const Shape& input) const;
    /// Shape of the output [B, (s0,) s1, s2, s3, channels] for an input of as many axes. Throws the same.
    Shape output_shape(const Shape& input, std::int64_t channels) const;
    /// Shape of the weight: [O, (k0,) k1, k2, k3, I], transposed [I, (k0,) k1, k2, k3, O].
    Shape weight_shape(std::int64_t inputs, std::int64_t outputs) const;
};

/// Which op reads the weight of a convolution: Backend::conv() or conv_data_gradient().
enum class WeightReader { conv, data_gradient };

/// How a field of unpadded extents is continued beyond the high end of each axis of [B, axes..., C].
struct Padding {
    enum class Edge { replicate, zero };
    /// What one axis is continued by.
    struct Axis {
        std::int64_t inside = 0;  ///< cells before padding
        Edge edge = Edge::replicate;
    };
    std::vector<Axis> axes;
};

/// One step of Adam (Kingma and Ba 2015) with coupled weight decay: g += weight_decay * w before the moments; or
/// decoupled (Loshchilov and Hutter 2019): w -= learning_rate * weight_decay * w beside what the moments say.
struct AdamStep {
    double learning_rate = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 1e-4;
    std::int64_t step = 1;        ///< counts from 1
    double gradient_scale = 1.0;  ///< multiplies the gradient first
    double clip_norm = 0.0;       ///< if not 0, the gradient is also multiplied by min(1, clip_norm / its norm)
    ConstView squared_norm{};     ///< [1] float64, for clipping: of the gradient of all parameters
    bool decoupled_decay = false;
};

/// The arrays of one parameter that a step of Adam reads and moves, of equal counts.
struct AdamParameter {
    ConstView gradient;
    View weight, first, second;
};

/// Batch statistics of channels: moments [2, C] float64 hold mean and sum of squared deviations over `count` rows.
struct BatchNormStatistics {
    ConstView moments;
    double count = 1.0;
    double epsilon = 1e-5;
};

}  // namespace plumecast
