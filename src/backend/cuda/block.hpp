#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

// Only for sources of the CUDA compiler.
namespace plumecast::cuda {

/// A warp of a block as one of its lanes sees it: "each lane" is this one, and what there is per lane is one value.
class RunningWarp {
   public:
    template <class T>
    struct PerLane {
        T value{};
        constexpr T& operator[](int) { return value; }
        constexpr const T& operator[](int) const { return value; }
    };

    __device__ explicit RunningWarp(std::uint32_t shared) : shared_(shared) {}
    __device__ int index() const { return static_cast<int>(threadIdx.x / 32); }

    template <class Use>
    __device__ void each_lane(const Use& use) {
        use(lane());
    }
    /// What lies at an address of shared memory, counted from its start, in one access.
    template <class T, class Address>
    __device__ void load(PerLane<T>& values, const Address& address) {
        static_assert(alignof(T) == sizeof(T), "or the device would load it in pieces");
        values.value = *reinterpret_cast<const T*>(start() + address(lane()));
    }
    template <class Address, class Value>
    __device__ void store(const Address& address, const Value& value) {
        const auto stored = value(lane());
        *reinterpret_cast<std::remove_const_t<decltype(stored)>*>(start() + address(lane())) = stored;
    }
    /// Four matrices of 8 rows of 16 bytes; lanes 8 j to 8 j + 7 give the addresses of matrix j.
    template <class Address>
    __device__ void load_matrices(PerLane<std::array<std::uint32_t, 4>>& words, const Address& address) {
        std::uint32_t* w = words.value.data();
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                     : "r"(shared_ + static_cast<std::uint32_t>(address(lane())))
                     : "memory");
    }
    template <class Address>
    __device__ void load_matrices_transposed(PerLane<std::array<std::uint32_t, 4>>& words, const Address& address) {
        std::uint32_t* w = words.value.data();
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                     : "r"(shared_ + static_cast<std::uint32_t>(address(lane())))
                     : "memory");
    }
    /// sums += a b, of 16 rows, 8 columns and two chunks.
    template <class A, class B>
    __device__ void multiply_bfloat16(PerLane<std::array<float, 4>>& sums, const A& a, const B& b) {
        const auto rows = a(lane());
        const auto columns = b(lane());
        float* c = sums.value.data();
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
    }
    template <class A, class B>
    __device__ void multiply_ten_bits(PerLane<std::array<float, 4>>& sums, const A& a, const B& b) {
        const auto rows = a(lane());
        const auto columns = b(lane());
        float* c = sums.value.data();
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
    }

    __device__ static char* start() {
        extern __shared__ __align__(128) char shared_memory[];
        return shared_memory;
    }

   private:
    __device__ static int lane() { return static_cast<int>(threadIdx.x % 32); }

    std::uint32_t shared_;
};

/// The block of the calling thread: "each thread" and "each warp" are the thread's own.
class RunningBlock {
   public:
    using Warp = RunningWarp;
    template <class T>
    struct PerWarp {
        T value{};
        constexpr T& operator[](int) { return value; }
    };

    __device__ RunningBlock() : shared_(static_cast<std::uint32_t>(__cvta_generic_to_shared(RunningWarp::start()))) {}
    __device__ int index() const { return static_cast<int>(blockIdx.x); }
    __device__ int threads() const { return static_cast<int>(blockDim.x); }
    __device__ void barrier() { __syncthreads(); }

    template <class Use>
    __device__ void each_thread(const Use& use) {
        use(static_cast<int>(threadIdx.x));
    }
    template <class Use>
    __device__ void each_warp(const Use& use) {
        RunningWarp warp(shared_);
        use(warp);
    }

    /// Starts copying 16, 8, 4 or 2 bytes to shared memory, or clears as many without an address.
    __device__ void copy(int to, const char* from, int bytes) {
        const std::uint32_t address = shared_ + static_cast<std::uint32_t>(to);
        if (from == nullptr) {
            clear(address, bytes);
        } else if (bytes == 16) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
        } else if (bytes == 8) {
            asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(address), "l"(from) : "memory");
        } else if (bytes == 4) {
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from) : "memory");
        } else {
            *reinterpret_cast<std::uint16_t*>(RunningWarp::start() + to) =
                *reinterpret_cast<const std::uint16_t*>(from);
        }
    }
    __device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
    template <int left>
    __device__ void wait() {
        asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
    }

    template <class T>
    __device__ T load(int at) const {
        return *reinterpret_cast<const T*>(RunningWarp::start() + at);
    }
    template <class T>
    __device__ void store(int at, const T& value) {
        *reinterpret_cast<T*>(RunningWarp::start() + at) = value;
    }
    template <class T>
    __device__ T read(const T* from) {
        return *from;
    }
    template <class T>
    __device__ void write(T* to, const T& value) {
        *to = value;
    }

   private:
    __device__ static void clear(std::uint32_t address, int bytes) {
        if (bytes == 16) {
            asm volatile("st.shared.v4.b32 [%0], {%1, %1, %1, %1};" ::"r"(address), "r"(0) : "memory");
        } else if (bytes == 8) {
            asm volatile("st.shared.v2.b32 [%0], {%1, %1};" ::"r"(address), "r"(0) : "memory");
        } else if (bytes == 4) {
            asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(0) : "memory");
        } else {
            asm volatile("st.shared.b16 [%0], %1;" ::"r"(address), "h"(static_cast<short>(0)) : "memory");
        }
    }

    std::uint32_t shared_;
};

/// Runs a kernel that is written for whole blocks: kernel(block). So many blocks as it says shall fit on a
/// multiprocessor.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_at_once)
    each_block(const __grid_constant__ Kernel kernel) {
    RunningBlock block;
    kernel(block);
}

}  // namespace plumecast::cuda
