#pragma once

#include <cstdint>
#include <string_view>

namespace plumecast {

/// Counter-based random numbers: the value depends on (seed, name, index) alone, never on call order or rank.
/// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
class RandomStream {
   public:
    RandomStream(std::uint64_t seed, std::string_view name);

    /// 64 random bits for an index.
    std::uint64_t bits(std::uint64_t index) const;
    /// Uniform in [0, 1).
    double uniform(std::uint64_t index) const;
    /// Standard normal (Box and Muller 1958).
    double normal(std::uint64_t index) const;

   private:
    std::uint64_t key_;
    std::uint64_t name_;
};

}  // namespace plumecast
