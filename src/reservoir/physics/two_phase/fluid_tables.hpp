#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <plumecast/reservoir/physics/radial_case.hpp>

#include "reservoir/physics/saturation_functions.hpp"
#include "reservoir/physics/scalars/dual.hpp"
#include "reservoir/physics/two_phase/column_kernels.hpp"

namespace plumecast::two_phase {

/// Properties of CO2 and of brine saturated with it at one pressure.
template <typename Number>
struct Co2Properties {
    Number density{};          ///< [kg/m3]
    Number density_slope{};    ///< by pressure [kg/(m3 bar)]
    Number viscosity{};        ///< [cP]
    Number dissolved_limit{};  ///< CO2 that a cubic metre of brine takes up [kg/m3]
};
using Co2State = Co2Properties<double>;

/// Between which rows of an even table a value of any scalar is.
template <typename Number = double>
struct TablePlace {
    /// Of a position in steps of the table; the nearest end outside.
    TablePlace(const Number& position, std::size_t steps) {
        const Number inside = std::clamp(position, Number(0.0), Number(static_cast<double>(steps)));
        below = std::min(static_cast<std::size_t>(value_of(inside)), steps - 1);
        part = inside - static_cast<double>(below);
    }
    /// Of `entry(row)`, by linear interpolation.
    template <typename Entry>
    Number interpolated(const Entry& entry) const {
        return between(entry(below), entry(below + 1), part);
    }

    std::size_t below;
    Number part;  ///< of the step above it
};

/// Over which the compressibility of brine is taken [bar]: build-ups far from wells, where most of it is compressed.
inline constexpr double compressibility_span = 10.0;

/// Properties at the temperature and salinity of a case, by linear interpolation over pressure.
class FluidTable {
   public:
    struct Row {
        double density, viscosity, limit;
    };

    /// Temperature [degC], salinity [kg/kg] and initial pressure at the top [bar], which brine is described at, with
    /// equation (22) in docs/physics.md for the CO2 in it.
    FluidTable(double temperature, double salinity, double initial_pressure);

    /// Properties at a pressure [bar]; those of the nearest end of the table outside 1 to 1000 bar.
    Co2State at(double pressure) const {
        return at(pressure, [this](std::size_t row, double Row::*of) { return rows_[row].*of; });
    }
    /// The same of any scalar, which `entry` has the numbers of a row in.
    template <typename Number, typename Entry>
    static Co2Properties<Number> at(const Number& pressure, const Entry& entry) {
        const TablePlace<Number> there = place(pressure);
        const auto at_place = [&](double Row::*of) {
            return there.interpolated([&](std::size_t row) { return entry(row, of); });
        };
        const Number step = entry(there.below + 1, &Row::density) - entry(there.below, &Row::density);
        return {at_place(&Row::density), step / pressure_step, at_place(&Row::viscosity), at_place(&Row::limit)};
    }

    /// Where a pressure [bar] stands in the table.
    template <typename Number>
    static TablePlace<Number> place(const Number& pressure) {
        return {(pressure - lowest_pressure) / pressure_step, pressure_steps};
    }
    static constexpr double pressure_step = 2.0;  ///< between rows [bar]
    /// Pressure of a row [bar].
    static double pressure_of(std::size_t row) { return lowest_pressure + pressure_step * static_cast<double>(row); }

    const std::vector<Row>& rows() const { return rows_; }
    /// How the slope of the density grows with pressure between the row `below` and the next: by the slopes on either
    /// side [kg/(m3 bar2)].
    double density_curvature(std::size_t below) const {
        const std::size_t low = below > 0 ? below - 1 : 0, high = std::min(below + 1, pressure_steps - 1);
        const auto slope = [&](std::size_t row) {
            return (rows_[row + 1].density - rows_[row].density) / pressure_step;
        };
        return (slope(high) - slope(low)) / (pressure_step * static_cast<double>(high - low));
    }

    double brine_density = 0.0;          ///< [kg/m3]
    double brine_viscosity = 0.0;        ///< [cP]
    double brine_compressibility = 0.0;  ///< [1/bar]
    double dissolved_density = 0.0;      ///< apparent, of CO2 in brine [kg/m3]

   private:
    static constexpr double lowest_pressure = 1.0;  // [bar]
    static constexpr std::size_t pressure_steps = 499;

    std::vector<Row> rows_;
};

/// Fluids of the rows of a case down to its lowest active cell: one table where all of them have one temperature.
class RowFluids {
   public:
    explicit RowFluids(const RadialCase& radial);

    const std::vector<FluidTable>& tables() const { return tables_; }
    /// Whether rows differ.
    bool grow_warmer() const { return grow_warmer_; }
    /// Which of the tables a cell has, counted as those of Reservoir.
    std::size_t table_of(std::size_t cell) const { return grow_warmer_ ? cell % rows_ : 0; }
    const FluidTable& operator[](std::size_t cell) const { return tables_[table_of(cell)]; }
    /// Inverse of the viscosity of brine in each row [1/cP].
    const std::vector<double>& brine_fluidity() const { return brine_fluidity_; }

   private:
    std::size_t rows_;
    bool grow_warmer_;
    std::vector<FluidTable> tables_;
    std::vector<double> brine_fluidity_;
};

/// CO2 that a cubic metre of brine takes up [kg/m3], where all pressures are between two: of the rows of a FluidTable
/// that these need alone.
class DissolvedLimits {
   public:
    /// As FluidTable, but of brine at a usual build-up [bar] and with Garcia's density of dissolved CO2, as verdicts
    /// were calibrated; with the least and the largest of the pressures [bar].
    DissolvedLimits(double temperature, double salinity, double initial_pressure, double usual_buildup, double least,
                    double largest);
    double at(double pressure) const {
        const auto [below, part] = FluidTable::place(pressure);
        const double low = limits_[below - first_];
        return low + part * (limits_[below - first_ + 1] - low);
    }

   private:
    std::size_t first_;
    std::vector<double> limits_;
};

/// Relative permeabilities and capillary pressure at a gas saturation, with their slopes.
struct FlowState {
    double gas = 0.0, gas_slope = 0.0;
    double brine = 0.0, brine_slope = 0.0;
    double capillary = 0.0, capillary_slope = 0.0;  ///< of rock with the entry pressure of the case [bar]
};

/// Gas saturation of a cell now, and the largest that a step before ended with.
struct GasSaturation {
    double now = 0.0, peak = 0.0;
};

/// Where gas stands on a scanning curve, equation (19) in docs/physics.md: `u` between the saturation that is trapped
/// of the largest one and that itself.
template <typename Number>
Number scanning_place(const Number& now, const Number& peak, const Number& trapped) {
    return (now - trapped) / (peak - trapped);
}

/// Relative permeability of gas on a scanning curve, and its slope by the saturation.
struct ScannedGas {
    double permeability = 0.0, slope = 0.0;
};

/// Saturation functions of a case, by linear interpolation on even steps of saturation.
class SaturationCurves {
   public:
    explicit SaturationCurves(const RadialCase& radial);
    /// Of the rows of saturation_table().
    explicit SaturationCurves(const std::vector<SaturationRow>& table);
    /// The same, and the rows of imbibition_table() where `land` traps more than drainage leaves.
    SaturationCurves(const std::vector<SaturationRow>& drainage, const LandTrapping& land,
                     const std::vector<SaturationRow>& imbibition);
    FlowState at(double saturation) const {
        constexpr auto steps = static_cast<double>(saturation_steps);
        const auto [below, part] = place(saturation);
        const Row& low = rows_[below];
        const Row& high = rows_[below + 1];
        const double gas = high.gas - low.gas, brine = high.brine - low.brine;
        const double capillary = high.capillary - low.capillary;
        return {low.gas + part * gas,
                gas * steps,
                low.brine + part * brine,
                brine * steps,
                low.capillary + part * capillary,
                capillary * steps};
    }

    /// Whether brine that returns traps gas.
    bool has_hysteresis() const { return land_.is_active(); }
    const LandTrapping& land() const { return land_; }
    /// Part of a saturation that stays behind if brine returns; without hysteresis what drainage leaves.
    double trapped(const GasSaturation& gas) const {
        return std::min(gas.now, land_.trapped(std::max(gas.now, gas.peak)));
    }
    /// Whether gas is on a scanning curve, on which it flows less than in drainage.
    bool is_scanning(const GasSaturation& gas) const { return gas.now < gas.peak && gas.peak > land_.critical(); }
    /// Of gas that is_scanning(): the permeability of drainage at the largest saturation, times the shape of the
    /// imbibition curve at scanning_place().
    ScannedGas scan(const GasSaturation& gas) const;
    /// As at(saturation), with hysteresis.
    FlowState at(const GasSaturation& gas) const {
        FlowState flow = at(gas.now);
        if (is_scanning(gas)) {
            const ScannedGas scanned = scan(gas);
            flow.gas = scanned.permeability;
            flow.gas_slope = scanned.slope;
        }
        return flow;
    }
    /// Shape of the imbibition curve from 0 at the trapped to 1 at the largest saturation; empty without hysteresis.
    const std::vector<double>& shape() const { return shape_; }

    /// Where a saturation, or a place on the shape, stands in the table.
    template <typename Number>
    static TablePlace<Number> place(const Number& saturation) {
        return {saturation * static_cast<double>(saturation_steps), saturation_steps};
    }

    struct Row {
        double gas, brine, capillary;
    };
    const std::vector<Row>& rows() const { return rows_; }
    /// The same rows, an array for each function.
    CurveRows arrays() const { return {gas_.data(), brine_.data(), capillary_.data(), saturation_steps}; }

   private:
    static constexpr std::size_t saturation_steps = 800;

    std::vector<Row> rows_;
    std::vector<double> gas_, brine_, capillary_;  // of the rows
    LandTrapping land_;
    std::vector<double> shape_;
};

}  // namespace plumecast::two_phase
