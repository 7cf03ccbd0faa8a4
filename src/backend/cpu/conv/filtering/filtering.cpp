#include "backend/cpu/conv/filtering/filtering.hpp"

#include <array>

#include "backend/cpu/conv/filtering/factors.hpp"

namespace plumecast::cpu {
namespace {

template <class Factors>
constexpr Filtering from(FilteringName name) {
    constexpr std::int64_t tile = std::size(Factors::outputs), kernel = std::size(Factors::weights[0]);
    static_assert(std::size(Factors::inputs) == tile + kernel - 1);
    return {name, tile, kernel, tile + kernel - 1, {&Factors::weights[0][0], (tile + kernel - 1) * kernel}};
}

}  // namespace

const Filtering& filtering(FilteringName name) {
    static constexpr std::array<Filtering, 4> all{
        from<Factors22>(FilteringName::f22), from<Factors23>(FilteringName::f23), from<Factors42>(FilteringName::f42),
        from<Factors43>(FilteringName::f43)};
    return all[static_cast<std::size_t>(name)];
}

}  // namespace plumecast::cpu
