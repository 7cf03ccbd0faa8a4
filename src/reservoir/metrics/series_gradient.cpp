#include "reservoir/metrics/series_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_fields_gradient.hpp"
#include "reservoir/metrics/well_pressure.hpp"
#include "reservoir/physics/fluid_slopes.hpp"
#include "reservoir/physics/scalars/dual.hpp"

namespace plumecast {
namespace {

/// The trapped part of the gas in a cell at one time, as trapped_saturation() has it.
struct TrappedGas {
    double saturation = 0.0;
    double by_now = 0.0, by_peak = 0.0, by_constant = 0.0;  ///< slopes by saturation, its peak and Land's constant
};

TrappedGas trapped_of(const LandTrapping& land, double now, double peak) {
    using Number = Dual<2>;  // by the peak and by Land's constant
    const Number most = land.trapped(Number(peak, {1.0, 0.0}), Number(land.constant(), {0.0, 1.0}));
    if (most.value < now) {
        return {most.value, 0.0, most.by[0], most.by[1]};
    }
    return {now, 1.0, 0.0, 0.0};
}

/// The way back of free and trapped CO2 in a case.
class GasMasses {
   public:
    GasMasses(const Dataset& dataset, const CaseFields& fields, CaseFieldsCotangents& sum)
        : dataset_(dataset), fields_(fields), sum_(sum) {}

    /// Cotangents [T] of both masses [1/Mt].
    void add(const std::vector<double>& by_free, const std::vector<double>& by_trapped) {
        for (std::size_t cell = 0; cell < fields_.active.size(); ++cell) {
            std::size_t peak = cell;  // where the largest saturation so far stands
            for (std::size_t time = 0; fields_.pore_volumes[cell] > 0.0 && time < by_free.size(); ++time) {
                const std::size_t value = time * fields_.active.size() + cell;
                peak = fields_.gas_saturation[value] > fields_.gas_saturation[peak] ? value : peak;
                const bool is_weighted = by_free[time] != 0.0 || by_trapped[time] != 0.0;
                if (is_weighted && fields_.gas_saturation[value] > 0.0F) {
                    add_cell({cell, time, value, peak}, by_free[time], by_trapped[time]);
                }
            }
        }
    }

   private:
    struct Place {
        std::size_t cell, time, value, peak;
    };

    // mass = pore volume * (by_free * S + by_trapped * trapped) * density
    void add_cell(const Place& at, double by_free, double by_trapped) {
        const auto now = static_cast<double>(fields_.gas_saturation[at.value]);
        const TrappedGas trapped =
            trapped_of(fields_.trapping, now, static_cast<double>(fields_.gas_saturation[at.peak]));
        if (by_free == 0.0 && trapped.saturation == 0.0) {
            return;  // whatever the pressure
        }
        const double pressure =
            fields_.initial_pressures[at.cell] + static_cast<double>(fields_.pressure_buildup[at.value]);
        if (!has_co2_density(pressure)) {
            throw InvalidInput(
                fmt::format("{}: case {}: masses of CO2 on day {:g} have no derivatives (a pressure of "
                            "{:g} bar has no known density of CO2); leave their weights 0",
                            dataset_.path(), fields_.number, dataset_.times()[at.time], pressure));
        }
        const double temperature = fields_.temperature_in(at.cell);
        nearby_ = co2_density_near(pressure, temperature, nearby_);
        const double density = nearby_;
        const FluidSlopes slopes = co2_density_slopes_at(density, temperature);
        const double pores = fields_.pore_volumes[at.cell] / kilograms_per_megatonne;
        const double filled = by_free * now + by_trapped * trapped.saturation;
        sum_.gas_saturation[at.value] += pores * density * (by_free + by_trapped * trapped.by_now);
        sum_.gas_saturation[at.peak] += pores * density * by_trapped * trapped.by_peak;
        sum_.land_constant += pores * density * by_trapped * trapped.by_constant;
        sum_.pressure_buildup[at.value] += pores * filled * slopes.pressure;
        sum_.initial_pressures[at.cell] += pores * filled * slopes.pressure;
        sum_.temperature += pores * filled * slopes.temperature;
        sum_.pore_volumes[at.cell] += filled * density / kilograms_per_megatonne;
    }

    const Dataset& dataset_;
    const CaseFields& fields_;
    CaseFieldsCotangents& sum_;
    double nearby_ = std::numeric_limits<double>::quiet_NaN();  // the density that was found before
};

/// Of the pressure in the well.
void add_well_of(const CaseFields& fields, const std::vector<double>& times, const std::vector<double>& cotangents,
                 CaseFieldsCotangents& sum) {
    if (std::ranges::all_of(cotangents, [](double cotangent) { return cotangent == 0.0; })) {
        return;
    }
    if (fields.wells.empty()) {
        throw InvalidInput(fmt::format(
            "case {}: the bottom-hole pressure has no derivatives (no cell is perforated); leave its weights 0",
            fields.number));
    }
    WellPressures(fields, times).pull_back(injection_rates(fields, times), cotangents, sum);
}

}  // namespace

const std::vector<std::string>& differentiable_series() {
    static const std::vector<std::string> names{"bottom_hole_pressure", "mass_free", "mass_trapped"};
    return names;
}

SeriesGradient series_gradient(const Dataset& dataset, const CaseFields& fields, const NamedCotangents& cotangents) {
    require_well_derivatives(dataset);
    const std::vector<double>& times = dataset.times();
    for (const auto& [name, values] : cotangents) {
        if (std::ranges::find(differentiable_series(), name) == differentiable_series().end()) {
            throw InvalidInput(fmt::format("'{}' is no series with derivatives (there are {}); name one of them", name,
                                           fmt::join(differentiable_series(), ", ")));
        }
        expects(values.size() == times.size(), "a cotangent for each time");
    }
    const auto of = [&](const char* name) {
        const auto found = cotangents.find(name);
        return found == cotangents.end() ? std::vector<double>(times.size(), 0.0) : found->second;
    };
    CaseFieldsCotangents sum(fields, times.size());
    add_well_of(fields, times, of("bottom_hole_pressure"), sum);
    GasMasses(dataset, fields, sum).add(of("mass_free"), of("mass_trapped"));
    SeriesGradient gradient{{}, case_fields_gradient(dataset, fields, sum)};
    gradient.fields["pressure_buildup"] = std::move(sum.pressure_buildup);
    gradient.fields["gas_saturation"] = std::move(sum.gas_saturation);
    return gradient;
}

}  // namespace plumecast
