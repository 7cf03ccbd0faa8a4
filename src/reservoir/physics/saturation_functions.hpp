#pragma once

#include <algorithm>
#include <vector>

namespace plumecast {

/// One row of the table of relative permeabilities and capillary pressure.
struct SaturationRow {
    double gas_saturation = 0.0;
    double gas_permeability = 0.0;    ///< relative, 0 to 1
    double water_permeability = 0.0;  ///< relative, 0 to 1
    double capillary_pressure = 0.0;  ///< of rock with the entry pressure `entry_pressure` [bar]
};

/// Gas saturation that stays behind when brine returns.
inline constexpr double residual_gas_saturation = 0.05;
/// Capillary entry pressure of rock of 100 mD and porosity 0.2 [bar].
inline constexpr double entry_pressure = 0.1961;
/// Largest capillary pressure over the entry pressure.
inline constexpr double capillary_limit = 30.0;

/// Water after van Genuchten (1980) and Mualem (1976), gas after Corey (1954), capillary pressure after van Genuchten
/// with the same exponent; from no gas to all water but the irreducible share.
std::vector<SaturationRow> saturation_table(double irreducible_water, double lambda,
                                            double residual_gas = residual_gas_saturation,
                                            double entry = entry_pressure);

/// Trapping of gas by the brine that returns, after Land (1968): how much stays depends on the largest saturation that
/// there ever was. Without trapping beyond the critical saturation of drainage, what drainage leaves stays.
class LandTrapping {
   public:
    LandTrapping() = default;
    /// `critical`: saturation up to which gas does not flow in drainage; `residual`: what stays where gas once filled
    /// the pores up to `largest`.
    LandTrapping(double critical, double residual, double largest);

    bool is_active() const { return constant_ > 0.0; }
    /// Land's constant C.
    double constant() const { return constant_; }
    double critical() const { return critical_; }
    /// Saturation that stays behind where there were `peak` of it.
    double trapped(double peak) const { return trapped(peak, constant_); }
    /// The same of any scalar, with Land's constant as one.
    template <typename Number>
    Number trapped(const Number& peak, const Number& constant) const {
        const Number mobile = peak - critical_;
        if (!(mobile > 0.0)) {
            return peak;
        }
        return is_active() ? critical_ + mobile / (1.0 + constant * mobile) : Number(critical_);
    }

   private:
    double critical_ = 0.0, constant_ = 0.0;
};

/// The table of brine that returns where gas had filled all but the irreducible water: gas flows as in drainage at the
/// saturation that is not trapped (Land 1968), water and capillary pressure are those of saturation_table().
/// `residual`: gas that is left in the end, above `residual_gas`.
std::vector<SaturationRow> imbibition_table(double irreducible_water, double lambda, double residual,
                                            double residual_gas = residual_gas_saturation,
                                            double entry = entry_pressure);

/// Largest gas saturation of a table at which gas does not flow.
double critical_gas_saturation(const std::vector<SaturationRow>& drainage);

/// As above, for any table of drainage whose gas flows above `land.critical()`; `land` traps more than drainage leaves.
std::vector<SaturationRow> imbibition_table(const std::vector<SaturationRow>& drainage, const LandTrapping& land);

/// Capillary pressure of rock of that permeability [mD] and porosity over that of the table (Leverett 1941).
double leverett_factor(double permeability, double porosity);

}  // namespace plumecast
