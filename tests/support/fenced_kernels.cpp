#include "support/fenced_kernels.hpp"

#include <sys/mman.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "backend/arena.hpp"
#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/verbs.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/transform.hpp"

namespace plumecast::testing {
namespace {

/// A range of addresses that can be opened to reading and writing.
class Fence {
   public:
    Fence() : memory_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (memory_ == MAP_FAILED) {
            throw std::runtime_error("no addresses for fenced memory");
        }
    }
    Fence(const Fence&) = delete;
    Fence& operator=(const Fence&) = delete;
    ~Fence() { munmap(memory_, bytes); }

    void* memory() const { return memory_; }
    /// Open while it lives.
    class Gate {
       public:
        explicit Gate(const Fence& fence) : fence_(&fence) { mprotect(fence.memory_, bytes, PROT_READ | PROT_WRITE); }
        Gate(const Gate&) = delete;
        Gate& operator=(const Gate&) = delete;
        ~Gate() { mprotect(fence_->memory_, bytes, PROT_NONE); }

       private:
        const Fence* fence_;
    };

    static constexpr std::size_t bytes = std::size_t{1} << 30;

   private:
    void* memory_;
};

/// cuda::KernelBackend says what an executor is.
class FencedExecutor {
   public:
    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        const Fence::Gate gate(fence_);
        for (std::int64_t i = 0; i < count; ++i) {
            kernel(i);
        }
    }
    void copy_in(const void* host, void* device, std::size_t bytes) { copy(device, host, bytes); }
    void copy_out(const void* device, void* host, std::size_t bytes) { copy(host, device, bytes); }

    Arena& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return Fence::bytes; }

   private:
    void copy(void* to, const void* from, std::size_t bytes) {
        const Fence::Gate gate(fence_);
        if (bytes > 0) {  // nothing may lie nowhere
            std::memcpy(to, from, bytes);
        }
    }

    Fence fence_;
    Arena arena_{fence_.memory(), Fence::bytes};
};

class FencedKernels final : public cuda::KernelBackend<FencedExecutor> {
   public:
    FencedKernels() : KernelBackend(Precision::fp32) {}

    std::string description() const override { return "kernels of the CUDA backend in fenced host memory"; }
    bool shares_host_memory() const override { return false; }
};

}  // namespace

std::unique_ptr<Backend> make_fenced_kernels() { return std::make_unique<FencedKernels>(); }

}  // namespace plumecast::testing
