#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reservoir/metrics/case_fields_gradient.hpp"
#include "reservoir/metrics/well_inflow.hpp"

namespace plumecast {

struct CaseFields;

/// The pressure of a well at one time.
struct WellPressure {
    double bottom_hole = 0.0;   ///< at the centre of the uppermost connection [bar]; NaN where it has no value
    std::vector<double> heads;  ///< what the CO2 in the well, or its brine, adds down to each connection [bar]
};

/// CO2 injected per day by all wells of a case at each of the times [T] [kg/day]: the rate of its schedule (of the
/// period that ends where one does), the constant rate, or where the case knows the mass injected until each time
/// alone, the mean since the time before.
std::vector<double> injection_rates(const CaseFields& fields, std::span<const double> times);
/// The same as injected, not as asked for [kg/day]: where a limit of the pressure in the well held the rate down
/// (limited_rate()), the mean since the time before.
std::vector<double> injected_rates(const CaseFields& fields, std::span<const double> times);

/// The pressures of the wells of a case with build-up, after Peaceman (1978, 1983). The pressure of a well solves
///     sum over connections of factor * mobility * density * (bottom hole + head - pressure of gas) = share * rate
/// over those that take CO2 while it injects, with the pressure of the cell and its capillary pressure for that of gas;
/// one at rest, of the rate 0, has the pressure of its cells, beside brine where nothing was injected yet, with the
/// mobility of gas and brine at the saturation of the cell (of brine alone where the case has none) and density and
/// viscosity of CO2 at its pressure.
class WellPressures {
   public:
    /// Of a case and its times [day], which live as long.
    WellPressures(const CaseFields& fields, std::span<const double> times);

    /// At a time index, [wells], while CO2 flows into them at `rate` [kg/day], or each at a rate of its own. NaN where
    /// a pressure is outside 0 to 1000 bar.
    std::vector<WellPressure> at(std::size_t time, double rate) const;

    /// Adjoint of at() with the rates [T], at all times, of a case on rings with its one well: adds the derivatives of
    /// the sum of bottom-hole pressures with cotangents [T]. Whether the well injects, which connections are open and
    /// whether the well holds CO2 is held fixed, so that at a rate of 0 the derivative by the rate is that of one side.
    /// Throws InvalidInput naming case and day where a pressure without a value has a cotangent.
    void pull_back(std::span<const double> rates, std::span<const double> cotangents, CaseFieldsCotangents& sum) const;

   private:
    const CaseFields& fields_;
    std::span<const double> times_;
    std::vector<std::vector<well::Curves<double>>> tables_;  // of the saturation regions, then of cells without one
};

}  // namespace plumecast
