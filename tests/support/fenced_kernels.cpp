#include "support/fenced_kernels.hpp"

#include <sys/mman.h>

#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/arena.hpp"
#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/replay.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "backend/cuda/recordings.hpp"

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

/// cuda::KernelBackend says what an executor is, cuda::RecordedReplay what recording is.
class FencedExecutor {
   public:
    explicit FencedExecutor(LogSink log) : log_(std::move(log)) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        const auto work = [this, count, kernel] {
            const std::lock_guard lock(mutex_);  // one after the other, as on a device
            const Fence::Gate gate(fence_);
            // Counted in 64 bits, as in fields too large for 32; the other kernels on the host count in 32.
            constexpr std::int64_t most_narrow = -1;
            const auto each = [&]<class Position>() {
                for (Position i = 0; i < static_cast<Position>(count); ++i) {
                    kernel(i);
                }
            };
            cuda::with_position_type(count, kernel, each, most_narrow);
        };
        if (Recording* noted = recordings_.of_this_thread()) {
            (*noted)->push_back(work);
        } else {
            work();
        }
    }
    void copy_in(const void* host, void* device, std::size_t bytes) { copy(device, host, bytes); }
    void copy_out(const void* device, void* host, std::size_t bytes) { copy(host, device, bytes); }
    void start_copy_in(const void* host, void* device, std::size_t bytes) { copy(device, host, bytes); }
    std::unique_ptr<PendingDownload> start_copy_out(const void* device, void* host, std::size_t bytes) {
        return std::make_unique<LateDownload>([=, this] { copy(host, device, bytes); });
    }

    using Recording = std::unique_ptr<std::vector<std::function<void()>>>;
    void start_recording() { recordings_.start(std::make_unique<std::vector<std::function<void()>>>()); }
    Recording finish_recording() { return recordings_.finish(); }
    void abandon_recording() { recordings_.finish(); }
    void play(const Recording& recording) {
        for (const std::function<void()>& work : *recording) {
            work();
        }
    }
    bool is_recording() { return recordings_.of_this_thread() != nullptr; }
    const LogSink& log() const { return log_; }

    Arena& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return Fence::bytes; }

   private:
    /// A copy as late as a device may make it: whoever changes too early what is copied is found out.
    class LateDownload final : public PendingDownload {
       public:
        explicit LateDownload(std::function<void()> copy) : copy_(std::move(copy)) {}
        void wait() override { copy_(); }

       private:
        std::function<void()> copy_;
    };
    void copy(void* to, const void* from, std::size_t bytes) {
        if (is_recording()) {
            throw DeviceError("a copy between host and device cannot be recorded (as on a device); copy before");
        }
        const std::lock_guard lock(mutex_);
        const Fence::Gate gate(fence_);
        if (bytes > 0) {  // nothing may lie nowhere
            std::memcpy(to, from, bytes);
        }
    }

    Fence fence_;
    Arena arena_{fence_.memory(), Fence::bytes};
    std::mutex mutex_;  // of the fence
    cuda::Recordings<Recording> recordings_;
    LogSink log_;
};

class FencedKernels final : public cuda::KernelBackend<FencedExecutor> {
   public:
    FencedKernels(LogSink log, AskedOfDevice* asked) : KernelBackend(Precision::fp32, std::move(log)), asked_(asked) {}

    std::string description() const override { return "kernels of the CUDA backend in fenced host memory"; }
    bool shares_host_memory() const override { return false; }

    void download(ConstView device, View host) override {
        if (asked_ != nullptr) {
            ++asked_->downloads;
        }
        KernelBackend::download(device, host);
    }
    void adam(const AdamStep& step, std::span<const AdamParameter> targets) override {
        if (asked_ != nullptr) {
            ++asked_->adam_steps;
        }
        KernelBackend::adam(step, targets);
    }

   private:
    AskedOfDevice* asked_;  // null where nobody counts, as where several threads compute
};

}  // namespace

std::unique_ptr<Backend> make_fenced_kernels(LogSink log, AskedOfDevice* asked) {
    return std::make_unique<FencedKernels>(std::move(log), asked);
}

}  // namespace plumecast::testing
