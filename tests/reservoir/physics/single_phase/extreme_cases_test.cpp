#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "reservoir/physics/single_phase/single_phase.hpp"

namespace plumecast {
namespace {

/// A stream of numbers between 0 and 1.
class Draw {
   public:
    explicit Draw(unsigned seed) : random_(seed) {}
    double operator()() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
    double between_powers(double low, double high) { return std::pow(10.0, low + (high - low) * (*this)()); }

   private:
    std::mt19937 random_;
};

/// Grids of any height and radius, rows from 0.01 to 100 m, snapshots from seconds to thousands of years, permeability
/// that changes by up to 12 orders of magnitude from cell to cell or row to row, and cells that are missing.
RadialCase extreme_case(unsigned seed) {
    Draw draw(seed);
    RadialCase radial;
    const auto rows = 1 + static_cast<std::size_t>(40.0 * draw() * draw());
    const auto columns = 1 + static_cast<std::size_t>(100.0 * draw());
    const double last = draw.between_powers(1.0, 5.0);
    for (std::size_t i = 0; i <= columns; ++i) {
        radial.r_edges.push_back(0.05 * std::pow(last / 0.05, static_cast<double>(i) / static_cast<double>(columns)));
    }
    radial.z_edges = {0.0};
    for (std::size_t i = 0; i < rows; ++i) {
        radial.z_edges.push_back(radial.z_edges.back() + draw.between_powers(-2.0, 2.0));
    }
    const auto times = 1 + static_cast<std::size_t>(20.0 * draw());
    for (double time = draw.between_powers(-4.0, 0.0); radial.times.size() < times;) {
        radial.times.push_back(time);
        time *= 1.0 + draw.between_powers(-4.0, 1.0);
    }
    const double spread = 12.0 * draw(), mean = -3.0 + 6.0 * draw();
    const bool is_layered = draw() < 0.3;
    double row_value = 0.0;
    for (std::size_t cell = 0; cell < rows * columns; ++cell) {
        row_value = cell % columns == 0 ? draw() : row_value;
        const double value = is_layered ? row_value : draw();
        radial.permeability_r.push_back(std::pow(10.0, mean + spread * (value - 0.5)));
        radial.permeability_z.push_back(radial.permeability_r.back() * draw.between_powers(-6.0, 0.0));
        radial.porosity.push_back(0.9 * draw.between_powers(-4.0, 0.0));
        radial.perforation.push_back(draw());
        radial.active.push_back(cell == 0 || draw() > 0.05 * (seed % 3) ? 1 : 0);
    }
    radial.injection_rate = draw() < 0.1 ? 0.0 : 10.0 * draw();
    radial.initial_pressure = 5.0 + 400.0 * draw();
    radial.temperature = 12.5 + 157.0 * draw();
    radial.irreducible_water_saturation = 0.5 * draw();
    radial.van_genuchten_lambda = 0.1 + 0.8 * draw();
    return radial;
}

TEST(SinglePhase, TakesWhateverPassesTheCheck) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const RadialCase radial = extreme_case(seed);
        ASSERT_NO_THROW(radial.check("the case")) << seed;
        const PhysicsFields result = single_phase(radial, 1);
        for (const auto& [name, values] : result.fields) {
            for (const float value : values) {
                ASSERT_TRUE(std::isfinite(value)) << name << ", seed " << seed;
            }
        }
        const SinglePhaseFlow flow = single_phase_flow(radial, 1);
        EXPECT_LE(flow.iterations, 100 * static_cast<int>(radial.times.size())) << seed;
        double stored = 0.0;
        for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
            const double pressure = flow.pressure_buildup[(radial.times.size() - 1) * radial.cells() + cell];
            EXPECT_GE(pressure, -1e-5 * flow.well_buildup.back()) << seed;
            stored += flow.connections.pore_volume[cell] * flow.compressibility * pressure;
        }
        const double injected = flow.volume_rate * radial.times.back();
        EXPECT_NEAR(stored, injected, 1e-10 * injected) << seed;
    }
}

}  // namespace
}  // namespace plumecast
