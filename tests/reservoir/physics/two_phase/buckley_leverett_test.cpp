#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/two_phase/fluid_tables.hpp"
#include "reservoir/physics/two_phase/two_phase.hpp"

namespace plumecast {
namespace {

using two_phase::Co2State;
using two_phase::FlowState;
using two_phase::FluidTable;
using two_phase::SaturationCurves;

/// Buckley and Leverett (1942) around a well, with dissolution: behind the front, brine holds what it can of CO2. With
/// x the pore volume within a radius over the injected volume of CO2, saturations move with x = f'(S), f the share of
/// gas in the flow, behind a front where f' = (f + D) / (S + D). D = c / (rho - c) compares dissolved with free CO2.
class FrontSolution {
   public:
    FrontSolution(const RadialCase& radial, const Co2State& co2, double brine_viscosity) {
        const SaturationCurves curves(radial);
        const double dissolved = co2.dissolved_limit / (co2.density - co2.dissolved_limit);
        const auto share = [&](double saturation) {
            const FlowState state = curves.at(saturation);
            const double gas = state.gas / co2.viscosity;
            return gas / (gas + state.brine / brine_viscosity);
        };
        const double most = 1.0 - radial.irreducible_water_saturation;
        for (int i = 1; i < steps; ++i) {
            const double saturation = most * i / steps;
            const double speed = (share(saturation) + dissolved) / (saturation + dissolved);
            if (speed > front_) {
                front_ = speed;
                front_saturation_ = saturation;
            }
        }
        // Slopes over a step of the curves' own table, so that its kinks do not show.
        constexpr double half = 0.005;
        for (double saturation = front_saturation_; saturation < most - half; saturation += 0.001) {
            const double speed = (share(saturation + half) - share(saturation - half)) / (2.0 * half);
            profile_.push_back({std::min(speed, profile_.empty() ? front_ : profile_.back().speed), saturation});
        }
        profile_.push_back({0.0, most});
    }

    double front() const { return front_; }

    /// Saturation at a pore volume over the injected volume.
    double at(double x) const {
        if (x > front_) {
            return 0.0;
        }
        const auto faster = std::ranges::find_if(profile_, [&](const Point& point) { return point.speed <= x; });
        return faster->saturation;
    }

   private:
    static constexpr int steps = 4000;
    struct Point {
        double speed, saturation;
    };
    std::vector<Point> profile_;  // slower and slower
    double front_ = 0.0, front_saturation_ = 0.0;
};

/// One row of permeable rock without capillarity; pressures stay within 2 bar, so that CO2 has one density.
RadialCase front_case(std::size_t columns) {
    RadialCase radial = uniform_radial_case(1, columns);
    radial.z_edges = {0.0, 50.0};
    radial.permeability_r.assign(columns, 5000.0);
    radial.rock_fluid.entry_pressure = 0.0;
    radial.injection_rate = 1.0;
    radial.times = {100.0, 300.0, 1000.0};
    // Rings from 1 to 1000 m by the root of their number, so that the plume has most of them; one closes at 100 km.
    for (std::size_t i = 0; i < columns; ++i) {
        radial.r_edges[i] = 1.0 + 999.0 * std::sqrt(static_cast<double>(i) / static_cast<double>(columns));
    }
    return radial;
}

TEST(BuckleyLeverett, SaturationsAroundAWellFollowTheAnalyticSolution) {
    for (const double temperature : {60.0, 120.0}) {
        RadialCase radial = front_case(400);
        radial.temperature = temperature;
        const TwoPhaseFields fields = two_phase_fields(radial, 40, "the case");
        const FluidTable fluids(temperature, 0.0, radial.initial_pressure);
        const std::size_t last = (radial.times.size() - 1) * radial.cells();
        const double pressure = radial.initial_pressure + 2.45 + fields.pressure_buildup[last];
        const Co2State co2 = fluids.at(pressure);
        const FrontSolution exact(radial, co2, fluids.brine_viscosity);
        const double injected = radial.injection_rate * 1e9 / 365.25 / co2.density * radial.times.back();
        double error = 0.0, cells = 0.0, front = 0.0;
        for (std::size_t cell = 0; cell + 1 < radial.cells(); ++cell) {
            const double a = radial.r_edges[cell], b = radial.r_edges[cell + 1];
            const double area = 3.14159265358979 * (0.5 * (a * a + b * b) - 1.0);
            const double x = area * 50.0 * radial.porosity[cell] / injected;
            const double found = fields.gas_saturation[last + cell];
            if (x < 1.3 * exact.front()) {
                error += std::abs(found - exact.at(x));
                cells += 1.0;
            }
            front = found > 0.5 * exact.at(exact.front()) ? x : front;
        }
        EXPECT_GT(cells, 100.0);
        EXPECT_LT(error / cells, 0.015) << temperature << " degC";
        EXPECT_NEAR(front, exact.front(), 0.02 * exact.front()) << temperature << " degC";
    }
}

}  // namespace
}  // namespace plumecast
