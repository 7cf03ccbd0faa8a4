#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace plumecast {

inline constexpr double least_well_radius = 1e-3;  ///< of a cylinder, the first of its edges [m]
/// Why a cylinder has a well of a radius.
inline constexpr const char* why_well_radius = "the flow into a point has no finite pressure";

/// Checks the parts of a case; every message begins with the name of the case and ends with a remedy.
class CaseChecks {
   public:
    explicit CaseChecks(const std::string& name) : name_(name) {}

    void size(const char* what, std::size_t found, std::size_t expected) const;
    /// Finite and increasing, at least `fewest` values.
    void increasing(const char* what, const std::vector<double>& values, std::size_t fewest) const;
    void range(const char* what, double value, double low, double high, const std::string& why) const;
    /// Every active cell holds a value above 0 and not above `high`; `place` names a cell.
    void rock(const char* what, const std::vector<double>& values, double high, const std::vector<char>& active,
              const std::function<std::string(std::size_t)>& place) const;
    /// Temperature [degC], salinity [kg/kg] and pressures [bar] at the top and a height [m] below are those that fluids
    /// are known for.
    void state(double initial_pressure, double temperature, double salinity, double height) const;
    /// Of the rock [1/bar].
    void compressibility(double rock) const;
    /// What relative permeabilities and capillary pressure follow from; the entry pressure `entry` in bar.
    void saturation_functions(double irreducible_water, double residual_gas, double lambda, double entry) const;
    /// Periods follow each other from day 0 on, each with an end [day] and a rate [Mt/year].
    void schedule(const std::vector<double>& ends, const std::vector<double>& rates) const;
    /// Of injection [Mt/year]; `what` names it.
    void rate(const char* what, double value) const;

   private:
    const std::string& name_;
};

}  // namespace plumecast
