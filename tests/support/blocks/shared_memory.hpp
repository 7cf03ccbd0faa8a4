#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast::testing {

/// What blocks did.
struct BlockCounts {
    std::int64_t read = 0, written = 0;                        ///< bytes of global memory
    std::int64_t wavefronts = 0;                               ///< of the shared memory, in collective accesses
    std::int64_t least_wavefronts = 0;                         ///< the same without any conflict of banks
    std::int64_t bfloat16_products = 0, ten_bit_products = 0;  ///< of 16 x 8 sums
    std::int64_t barriers = 0;
};

/// Shared memory as collective accesses see it; every access must lie within and be aligned.
class SharedMemory {
   public:
    SharedMemory(std::size_t bytes, BlockCounts& counts) : data_(bytes, 0xff), counts_(&counts) {}

    template <class T>
    T load(int at) const {
        T value;
        std::memcpy(&value, place(at, sizeof(T)), sizeof(T));
        return value;
    }
    template <class T>
    void store(int at, const T& value) {
        std::memcpy(const_cast<unsigned char*>(place(at, sizeof(T))), &value, sizeof(T));
    }
    void clear(int at, std::size_t bytes) { std::memset(const_cast<unsigned char*>(place(at, bytes)), 0, bytes); }
    BlockCounts& counts() { return *counts_; }
    /// Notes an access of `bytes` at each address, done in groups of as many lanes as move 128 bytes.
    void count(const std::vector<int>& addresses, int bytes) {
        const std::size_t lanes = bytes < 4 ? 32 : static_cast<std::size_t>(128 / bytes);
        for (std::size_t first = 0; first < addresses.size(); first += lanes) {
            std::array<std::vector<int>, 32> words;  // of each bank, without repetition
            std::size_t most = 1;
            for (std::size_t i = first; i < std::min(first + lanes, addresses.size()); ++i) {
                for (int word = addresses[i] / 4; word < (addresses[i] + bytes + 3) / 4; ++word) {
                    std::vector<int>& bank = words[static_cast<std::size_t>(word % 32)];
                    if (std::find(bank.begin(), bank.end(), word) == bank.end()) {
                        bank.push_back(word);
                    }
                    most = std::max(most, bank.size());
                }
            }
            counts_->wavefronts += static_cast<std::int64_t>(most);
            ++counts_->least_wavefronts;
        }
    }

   private:
    const unsigned char* place(int at, std::size_t bytes) const {
        expects(at >= 0 && static_cast<std::size_t>(at) + bytes <= data_.size(), "an access within shared memory");
        expects(static_cast<std::size_t>(at) % std::min<std::size_t>(bytes, 16) == 0, "an aligned access");
        return data_.data() + at;
    }

    std::vector<unsigned char> data_;
    BlockCounts* counts_;
};

}  // namespace plumecast::testing
