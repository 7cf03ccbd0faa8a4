#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>

#include "backend/cuda/dnn/functions.hpp"
#include "backend/cuda/kernels/conv/part.hpp"
#include "backend/cuda/tuning_cache.hpp"
#include "backend/cuda/vendor/dnn_version.hpp"

namespace plumecast::cuda {

/// The three products of a convolution, after what each gives: the coarse field from the fine field and the weights,
/// the fine field from the coarse field and the weights, and the weights from the coarse and the fine field.
enum class ConvProduct { coarse, fine, weight };

/// What a product of cuDNN is made of.
struct DnnProduct {
    ConvProduct gives;
    ConvPart part;
    /// Element types of both fields, and of weight or its gradient: float32 or bfloat16. Sums are in float32.
    DType fields = DType::float32, weight = DType::float32;
    /// float32 numbers have but ten bits of mantissa, or may be rounded to them.
    bool ten_bits = false;
    const void *first, *second;  ///< in the order of ConvProduct
    void* result;                ///< beta result + the product
    float beta = 0.0f;
};

/// How the fastest of several plans is found on a device.
struct DnnClock {
    std::unique_ptr<FastestWay> ways;
    std::function<double(const std::function<void()>&)> seconds;
    std::function<bool()> may_time;
};

/// Convolutions by cuDNN's graph interface, whose descriptors are made here without cudnn-frontend: three operations
/// take fewer lines than its binding would, and the default build needs no package for it. For cuDNN the fine field is
/// the input, the coarse field the output, and the packed weights of the part (ConvPart::packed()) are the filter, all
/// channels-last. A graph and its plans are made once for a product; heuristic mode A proposes them, then B, then what
/// cuDNN falls back on. Taken is none whose sums depend on the order of threads or are rounded further than asked, that
/// wants more workspace than plans of memory count, or that is known to be wrong. Any number of threads.
class DnnConvolutions {
   public:
    /// Without a clock the first plan is taken that cuDNN proposes.
    DnnConvolutions(std::unique_ptr<DnnFunctions> functions, Precision precision,
                    std::optional<DnnClock> clock = std::nullopt);
    DnnConvolutions(const DnnConvolutions&) = delete;
    DnnConvolutions& operator=(const DnnConvolutions&) = delete;
    ~DnnConvolutions();

    /// False, with nothing done, where cuDNN cannot. The workspace is taken from `memory`. Throws DeviceError when the
    /// device failed.
    bool run(const DnnProduct& product, MemoryResource& memory);
    /// Whether numbers of ten bits may be given to it as such.
    bool takes_ten_bits() const { return version_.convolves_tf32(); }
    /// As DnnVersion says it.
    std::string version() const { return version_.text(); }

   private:
    class Descriptor;
    struct Plan;
    struct Problem;
    using Key = std::vector<std::int64_t>;

    /// False where cuDNN cannot do this; throws DeviceError where the device failed.
    bool accepts(int status) const;
    /// The graph and plans of a product; without plans where cuDNN has none.
    void describe(Problem& problem, const DnnProduct& product);
    void propose(Problem& problem, DnnHeuristic mode, bool matrix_units, std::size_t most_bytes);
    std::optional<Plan> planned(Descriptor configuration, bool matrix_units, std::size_t most_bytes);
    bool execute(const Plan& plan, const DnnProduct& product, MemoryResource& memory);
    /// Brings the fastest plan to the front.
    void tune(Problem& problem, const DnnProduct& product, MemoryResource& memory);

    std::unique_ptr<DnnFunctions> functions_;
    DnnVersion version_;
    bool matrix_units_;  ///< for all float32 products
    std::optional<DnnClock> clock_;
    std::mutex mutex_;
    std::map<Key, Problem> problems_;
};

}  // namespace plumecast::cuda
