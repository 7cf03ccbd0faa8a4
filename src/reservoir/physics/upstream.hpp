#pragma once

namespace plumecast {

/// Mobilities of gas and brine of a cell [1/cP].
struct Mobilities {
    double gas, brine;
};

/// Whether gas and brine leave the first of two cells.
struct Upstream {
    bool gas, brine;
};

/// Equation (28) in docs/physics.md: where gas and brine come from whose flows through a face add up to `volume`
/// [m3/day], if a transmissibility times the pressure that drives gas beyond brine is `drive` [m3 cP/day], both counted
/// from the first cell to the second. The phase that the drive favours goes with the flow, the other one turns where
/// the drive is stronger than the flow (Brenier and Jaffre 1991).
constexpr Upstream upstream(const Mobilities& from, const Mobilities& to, double volume, double drive) {
    if (volume >= 0.0) {
        return drive >= 0.0 ? Upstream{true, volume - from.gas * drive >= 0.0}
                            : Upstream{volume + from.brine * drive >= 0.0, true};
    }
    return drive <= 0.0 ? Upstream{false, volume - to.gas * drive > 0.0}
                        : Upstream{volume + to.brine * drive > 0.0, false};
}

}  // namespace plumecast
