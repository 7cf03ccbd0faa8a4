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

/// Numbers that are at least 0 where gas and brine go from the first of two cells to the second.
struct PhaseDirections {
    double gas, brine;
};

/// Equation (6) in docs/physics.md: where gas and brine go whose flows through a face add up to `volume` [m3/day], if
/// a transmissibility times the pressure that drives gas beyond brine is `drive` [m3 cP/day], both counted from the
/// first cell to the second. The phase that the drive favours goes with the flow, the other one turns where the drive
/// is stronger than the flow (Brenier and Jaffre 1991). A phase that stands still counts as going with the flow.
[[gnu::always_inline]] constexpr PhaseDirections phase_directions(const Mobilities& from, const Mobilities& to,
                                                                  double volume, double drive) {
    const double gas = volume >= 0.0 ? from.gas : to.gas, brine = volume >= 0.0 ? from.brine : to.brine;
    const double along = volume >= 0.0 ? drive : -drive;  // at least 0 where the drive favours gas
    const double of_brine = volume - gas * drive, of_gas = volume + brine * drive;
    const double turned = along >= 0.0 ? of_brine : of_gas, other = turned == 0.0 ? volume : turned;
    return {along >= 0.0 ? volume : other, along >= 0.0 ? other : volume};
}

/// The cells that gas and brine come from, of phase_directions().
constexpr Upstream upstream(const Mobilities& from, const Mobilities& to, double volume, double drive) {
    const PhaseDirections directions = phase_directions(from, to, volume, drive);
    return {directions.gas >= 0.0, directions.brine >= 0.0};
}

}  // namespace plumecast
