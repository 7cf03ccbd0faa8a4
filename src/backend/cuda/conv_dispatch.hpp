#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/backend/ops.hpp>
#include <plumecast/core/memory.hpp>

#include "backend/cuda/tuning_cache.hpp"

namespace plumecast::cuda {

/// One way to compute a convolution or a gradient of one into targets; false, with nothing done, where it cannot.
using ConvWay = std::function<bool(std::span<const OutputRef> targets)>;

/// What it takes to time ways.
struct ConvTimer {
    MemoryResource& memory;                                       ///< for results that nobody needs
    std::function<double(const std::function<void()>&)> seconds;  ///< of work that may be done again and again
    bool may_time = true;                                         ///< not while work is recorded
};

/// Convolutions by a library or by tiles of our own, whichever is faster for a shape: both are timed once, into memory
/// of their own, and the choice is kept (TuningCache).
class ConvDispatch {
   public:
    explicit ConvDispatch(TuningCache cache) : ways_(std::move(cache)) {}

    /// `library` takes whatever there is. Where there is no room to time, it is taken.
    void run(const std::string& kind, std::span<const OutputRef> targets, const ConvWay& library, const ConvWay& tiles,
             const ConvTimer& timer);

   private:
    bool prefers_tiles(const std::string& kind, std::span<const OutputRef> targets, const ConvWay& library,
                       const ConvWay& tiles, const ConvTimer& timer);

    FastestWay ways_;
};

/// Names a product of a convolution, "forward" or a gradient, by what its time depends on.
std::string conv_kind(const std::string& product, const std::string& precision, const ConvGeometry& geometry,
                      std::span<const Shape> inputs, const Shape& output);

std::vector<Shape> shapes_of(std::span<const ConstView> fields);

}  // namespace plumecast::cuda
