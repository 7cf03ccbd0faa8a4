#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "backend/cuda/kernels/indexing/positions.hpp"
#include "support/kernels_on_host.hpp"

namespace plumecast::testing {

/// The least count of positions that 32 bits are not used for.
inline constexpr std::int64_t border = std::int64_t{1} << 31;

/// Addresses for elements that are zero, of which only those that are touched take memory.
template <class T>
class Untouched {
   public:
    explicit Untouched(std::int64_t elements)
        : bytes_(static_cast<std::size_t>(elements) * sizeof(T)),
          memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    Untouched(const Untouched&) = delete;
    Untouched& operator=(const Untouched&) = delete;
    ~Untouched() {
        if (exists()) {
            munmap(memory_, bytes_);
        }
    }
    bool exists() const { return memory_ != MAP_FAILED; }
    T* elements() const { return static_cast<T*>(memory_); }

   private:
    std::size_t bytes_;
    void* memory_;
};

/// Runs the last few indices of a kernel only.
class LastIndices : public HostExecutor {
   public:
    LastIndices() : HostExecutor(std::make_unique<CountedMemory>()) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        cuda::with_position_type(count, kernel, [&]<class Position>() {
            counted_narrowly_ = std::is_same_v<Position, cuda::NarrowPosition>;
            for (auto i = static_cast<Position>(std::max<std::int64_t>(count - 3, 0)); i < static_cast<Position>(count);
                 ++i) {
                kernel(i);
            }
        });
    }
    /// Whether the latest kernel counted in 32 bits.
    bool counted_narrowly() const { return counted_narrowly_; }

   private:
    bool counted_narrowly_ = false;
};

/// Counts the indices that kernels are run for.
struct CountedIndices {
    std::int64_t indices = 0;

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        indices += count;
        for (std::int64_t i = 0; i < count; ++i) {
            kernel(i);
        }
    }
};

}  // namespace plumecast::testing
