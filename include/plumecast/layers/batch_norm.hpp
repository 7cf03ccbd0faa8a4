#pragma once

#include <plumecast/layers/conv.hpp>
#include <plumecast/layers/parameters.hpp>

namespace plumecast {

/// Batch normalisation over all axes but the channels (Ioffe and Szegedy 2015), then a piecewise linear activation.
/// Training uses the statistics of the batch and moves the running ones towards them by `momentum`, the variance
/// unbiased as in PyTorch; evaluation uses the running ones. Where ranks hold the field in boxes, the statistics are
/// those of the whole, merged in rank order, and gradients of weight and bias are this rank's partial sums. A norm
/// whose weight and bias are frozen uses the running statistics in training too and leaves them as they are.
struct BatchNorm {
    Variable weight, bias, running_mean, running_variance;
    Communicator* ranks = nullptr;  ///< that hold the batch, in cases or boxes; nullptr for one alone
    double momentum = 0.1;
    double epsilon = 1e-5;

    BatchNorm(const Scope& scope, std::int64_t channels);
    /// y = f(normalised x), x [..., C].
    Variable operator()(Variable x, Activation f, ExecutionMode mode) const;
    /// The convolution followed by this norm with its running statistics, as one convolution. Its weights are made anew
    /// with every call, in memory of their own, and take no gradient.
    Conv folded_into(const Conv& conv) const;
    /// Whether folded_into() is right and cheaper than a pass over a result of so many cells: none of the weights wants
    /// a gradient, and the weights are not large beside the field, as they are on the coarse levels of wide networks.
    bool folds_into(const Conv& conv, std::int64_t cells) const;
};

}  // namespace plumecast
