#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include <plumecast/core/error.hpp>

#include "support/blocks/shared_memory.hpp"
#include "support/blocks/tensor_cores.hpp"

/// Blocks of a kernel on the host: 32 lanes of a warp one after the other between collective instructions, warps one
/// after the other between barriers. backend/cuda/block.hpp is the same on the device.
namespace plumecast::testing {

/// A warp of a block: its lanes' values are arrays, its collective instructions loops.
class HostWarp {
   public:
    template <class T>
    struct PerLane {
        std::array<T, 32> values{};
        T& operator[](int lane) { return values[static_cast<std::size_t>(lane)]; }
        const T& operator[](int lane) const { return values[static_cast<std::size_t>(lane)]; }
    };

    HostWarp(int index, SharedMemory& shared) : index_(index), shared_(&shared) {}
    int index() const { return index_; }

    template <class Use>
    void each_lane(const Use& use) {
        for (int lane = 0; lane < 32; ++lane) {
            use(lane);
        }
    }
    template <class T, class Address>
    void load(PerLane<T>& values, const Address& address) {
        static_assert(alignof(T) == sizeof(T), "or the device would load it in pieces");
        shared_->count(all(address), static_cast<int>(sizeof(T)));
        each_lane([&](int lane) { values[lane] = shared_->load<T>(address(lane)); });
    }
    template <class Address, class Value>
    void store(const Address& address, const Value& value) {
        shared_->count(all(address), static_cast<int>(sizeof(value(0))));
        each_lane([&](int lane) { shared_->store(address(lane), value(lane)); });
    }
    /// ldmatrix.x4: lanes 8 j to 8 j + 7 give the rows of matrix j, 16 bytes each.
    template <class Address>
    void load_matrices(PerLane<std::array<std::uint32_t, 4>>& words, const Address& address) {
        const MatrixRows rows = matrix_rows(address);
        each_lane([&](int lane) { words[lane] = matrix_words(rows, lane); });
    }
    template <class Address>
    void load_matrices_transposed(PerLane<std::array<std::uint32_t, 4>>& words, const Address& address) {
        const MatrixRows rows = matrix_rows(address);
        each_lane([&](int lane) { words[lane] = transposed_matrix_words(rows, lane); });
    }
    template <class A, class B>
    void multiply_bfloat16(PerLane<std::array<float, 4>>& sums, const A& a, const B& b) {
        ++shared_->counts().bfloat16_products;
        multiply(sums, a, b, multiply_bfloat16_lanes);
    }
    template <class A, class B>
    void multiply_ten_bits(PerLane<std::array<float, 4>>& sums, const A& a, const B& b) {
        ++shared_->counts().ten_bit_products;
        multiply(sums, a, b, multiply_ten_bit_lanes);
    }

   private:
    template <class Address>
    static std::vector<int> all(const Address& address) {
        std::vector<int> addresses;
        for (int lane = 0; lane < 32; ++lane) {
            addresses.push_back(address(lane));
        }
        return addresses;
    }
    template <class Address>
    MatrixRows matrix_rows(const Address& address) {
        shared_->count(all(address), 16);
        MatrixRows rows;
        each_lane([&](int lane) {
            rows[static_cast<std::size_t>(lane)] = shared_->load<std::array<std::uint16_t, 8>>(address(lane));
        });
        return rows;
    }
    template <class A, class B, class Multiply>
    void multiply(PerLane<std::array<float, 4>>& sums, const A& a, const B& b, const Multiply& product) {
        LaneRows rows;
        LaneColumns columns;
        each_lane([&](int lane) {
            rows[static_cast<std::size_t>(lane)] = a(lane);
            columns[static_cast<std::size_t>(lane)] = b(lane);
        });
        product(sums.values, rows, columns);
    }

    int index_;
    SharedMemory* shared_;
};

/// A block of a grid. Copies into shared memory are done as late as the waits allow.
class HostBlock {
   public:
    using Warp = HostWarp;
    template <class T>
    struct PerWarp {
        std::vector<T> values = std::vector<T>(32);
        T& operator[](int warp) { return values[static_cast<std::size_t>(warp)]; }
    };

    HostBlock(int index, int threads, int shared_bytes, BlockCounts& counts)
        : index_(index), threads_(threads), shared_(static_cast<std::size_t>(shared_bytes), counts) {}

    int index() const { return index_; }
    int threads() const { return threads_; }
    void barrier() { ++shared_.counts().barriers; }

    template <class Use>
    void each_thread(const Use& use) {
        for (int thread = 0; thread < threads_; ++thread) {
            use(thread);
        }
    }
    template <class Use>
    void each_warp(const Use& use) {
        for (int index = 0; index < threads_ / 32; ++index) {
            HostWarp warp(index, shared_);
            use(warp);
        }
    }

    /// Copies 16, 8, 4 or 2 bytes to shared memory, or clears as many without an address, by the time that wait() says.
    void copy(int to, const char* from, int bytes) {
        expects(bytes == 16 || bytes == 8 || bytes == 4 || bytes == 2, "a size that copies have");
        expects(reinterpret_cast<std::uintptr_t>(from) % static_cast<unsigned>(bytes) == 0, "an aligned copy");
        started_.push_back({to, from, bytes});
    }
    void commit() {
        groups_.push_back(std::move(started_));
        started_.clear();
    }
    /// Until at most `left` of the groups that were committed are on their way.
    template <int left>
    void wait() {
        while (groups_.size() > left) {
            for (const Copy& one : groups_.front()) {
                finish(one);
            }
            groups_.pop_front();
        }
    }

    template <class T>
    T load(int at) const {
        return shared_.load<T>(at);
    }
    template <class T>
    void store(int at, const T& value) {
        shared_.store(at, value);
    }
    template <class T>
    T read(const T* from) {
        expects(reinterpret_cast<std::uintptr_t>(from) % alignof(T) == 0, "an aligned access");
        shared_.counts().read += static_cast<std::int64_t>(sizeof(T));
        return *from;
    }
    template <class T>
    void write(T* to, const T& value) {
        expects(reinterpret_cast<std::uintptr_t>(to) % alignof(T) == 0, "an aligned access");
        shared_.counts().written += static_cast<std::int64_t>(sizeof(T));
        *to = value;
    }

   private:
    struct Copy {
        int to;
        const char* from;
        int bytes;
    };
    void finish(const Copy& one) {
        if (one.from == nullptr) {
            shared_.clear(one.to, static_cast<std::size_t>(one.bytes));
            return;
        }
        for (int at = 0; at < one.bytes; at += 2) {
            std::uint16_t word = 0;
            std::memcpy(&word, one.from + at, 2);
            shared_.store(one.to + at, word);
        }
        shared_.counts().read += one.bytes;
    }

    int index_, threads_;
    SharedMemory shared_;
    std::vector<Copy> started_;
    std::deque<std::vector<Copy>> groups_;
};

}  // namespace plumecast::testing
