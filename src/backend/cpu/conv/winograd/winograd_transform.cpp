#include "backend/cpu/conv/winograd/winograd_transform.hpp"

#include <array>

#include "backend/cpu/conv/winograd/factors.hpp"

namespace plumecast::cpu {
namespace {

template <class Factors>
constexpr WinogradTransform from(WinogradName name) {
    constexpr std::int64_t tile = std::size(Factors::outputs), kernel = std::size(Factors::weights[0]);
    static_assert(std::size(Factors::inputs) == tile + kernel - 1);
    return {name, tile, kernel, tile + kernel - 1, {&Factors::weights[0][0], (tile + kernel - 1) * kernel}};
}

}  // namespace

const WinogradTransform& winograd_transform(WinogradName name) {
    static constexpr std::array<WinogradTransform, 4> all{
        from<Factors22>(WinogradName::f22), from<Factors23>(WinogradName::f23), from<Factors42>(WinogradName::f42),
        from<Factors43>(WinogradName::f43)};
    return all[static_cast<std::size_t>(name)];
}

}  // namespace plumecast::cpu
