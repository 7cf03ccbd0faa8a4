
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/injection_fluids.hpp"
#include "reservoir/physics/radial_cases.hpp"
#include "reservoir/physics/single_phase/front.hpp"
#include "reservoir/physics/single_phase/single_phase.hpp"
#include "reservoir/physics/single_phase/single_phase_flow.hpp"
#include "reservoir/physics/single_phase/single_phase_gradient.hpp"

namespace plumecast {
namespace {

/// A layered case with an inactive row below, a row that the well does not open, and an inactive cell.
RadialCase case_with_inactive_cells() {
    RadialCase radial = layered_radial_case(4, 6, 3);
    std::fill_n(radial.active.begin() + 18, 6, 0);
    radial.active[8] = 0;
    radial.perforation[6] = 0.0;
    return radial;
}

/// Fields and scalars of single_phase() in double precision, solved to rounding.
struct ExactFields {
    std::map<std::string, std::vector<double>> fields;
    std::map<std::string, double> scalars;

    ExactFields(const RadialCase& radial, int substeps) {
        const SinglePhaseFlow flow = single_phase_flow(radial, substeps, "the case", 1e-13, {});
        const std::vector<double> arrival = arrival_times(radial, flow);
        const PoresWithin pores(radial, flow.connections);
        const InjectionFluids fluids = injection_fluids(radial);
        double squares = 0.0, count = 0.0;
        for (std::size_t i = 0; i < flow.pressure_buildup.size(); ++i) {
            const std::size_t cell = i % radial.cells(), column = i % radial.columns();
            const double injected = flow.volume_rate * radial.times[i / radial.cells()];
            const double active = radial.active[cell] != 0 ? 1.0 : 0.0;
            const double filled = (1.0 - radial.irreducible_water_saturation) * pores.middle[column] / injected;
            const double ratio = active > 0.0 ? radial.times[i / radial.cells()] / arrival[cell] : 0.0;
            fields["physics_pressure_buildup"].push_back(flow.pressure_buildup[i]);
            fields["physics_time_over_arrival"].push_back(active * std::clamp(ratio, 1e-3, 1e3));
            fields["physics_injected_over_pore_volume"].push_back(active * injected / pores.edge[column]);
            fields["physics_front_height"].push_back(active * front_height(filled, fluids.viscosity_ratio()));
            squares += flow.pressure_buildup[i] * flow.pressure_buildup[i];
            count += active;
        }
        scalars = {{"physics_buildup_rms", std::sqrt(squares / count)},
                   {"physics_viscosity_ratio", fluids.viscosity_ratio()},
                   {"physics_co2_density", fluids.co2_density}};
    }

    /// The weighted sum, each part after `shape`.
    double sum(
        const PhysicsCotangents& weights, double (*shape)(double) = [](double part) { return part; }) const {
        double total = 0.0;
        for (const auto& [name, values] : weights.fields) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                total += shape(values[i] * fields.at(name)[i]);
            }
        }
        for (const auto& [name, weight] : weights.scalars) {
            total += shape(weight * scalars.at(name));
        }
        return total;
    }
};

/// Derivative by the logarithm of an input from four values around it.
double difference(double& input, double step, const std::function<double()>& sum) {
    const double value = input;
    const auto at = [&](double change) {
        input = value * (1.0 + change);
        const double result = sum();
        input = value;
        return result;
    };
    return (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
}

/// Compares all derivatives by the logarithm of an input with differences, within 1e-6 of the largest of its kind and
/// what rounding does to the differences.
void expect_gradient(RadialCase radial, int substeps, const PhysicsCotangents& weights) {
    const RadialCaseGradient gradient = single_phase_gradient(radial, substeps, weights);
    const auto sum = [&] { return ExactFields(radial, substeps).sum(weights); };
    const double size = ExactFields(radial, substeps).sum(weights, [](double part) { return std::abs(part); });
    const auto expect_near = [&](const std::string& name, std::vector<double*> inputs, std::vector<double> slopes) {
        for (const double step : {1e-3, 4e-4}) {
            std::vector<double> differences;
            double largest = 0.0;
            for (double* input : inputs) {
                differences.push_back(difference(*input, step, sum));
                largest = std::max(largest, std::abs(differences.back()));
            }
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                EXPECT_NEAR(slopes[i] * *inputs[i], differences[i], 1e-6 * largest + 1e-14 * size / step)
                    << name << " " << i;
            }
        }
    };
    const auto expect_map = [&](const std::string& name, std::vector<double>& map, const std::vector<double>& slopes) {
        std::vector<double*> inputs;
        for (double& value : map) {
            inputs.push_back(&value);
        }
        expect_near(name, inputs, slopes);
    };
    expect_map("permeability_r", radial.permeability_r, gradient.permeability_r);
    expect_map("permeability_z", radial.permeability_z, gradient.permeability_z);
    expect_map("porosity", radial.porosity, gradient.porosity);
    expect_map("perforation", radial.perforation, gradient.perforation);
    expect_near("injection_rate", {&radial.injection_rate}, {gradient.injection_rate});
    expect_near("initial_pressure", {&radial.initial_pressure}, {gradient.initial_pressure});
    expect_near("temperature", {&radial.temperature}, {gradient.temperature});
    expect_near("irreducible_water_saturation", {&radial.irreducible_water_saturation},
                {gradient.irreducible_water_saturation});
    expect_near("salinity", {&radial.salinity}, {gradient.salinity});
}

TEST(SinglePhaseGradient, IsThatOfThePressureInOneAndInTwoSteps) {
    const RadialCase radial = layered_radial_case(3, 5, 1);
    for (const int substeps : {1, 2}) {
        expect_gradient(radial, substeps, random_physics_weights(radial, {"physics_pressure_buildup"}));
    }
}

TEST(SinglePhaseGradient, IsThatOfThePressureInBrine) {
    RadialCase radial = layered_radial_case(3, 5, 1);
    radial.salinity = 0.15;
    PhysicsCotangents weights = random_physics_weights(radial, {"physics_pressure_buildup"});
    weights.scalars = {{"physics_viscosity_ratio", 2.0}, {"physics_co2_density", 0.1}};
    expect_gradient(radial, 1, weights);
    EXPECT_NE(single_phase_gradient(radial, 1, weights).salinity, 0.0);
}

TEST(SinglePhaseGradient, IsThatOfTheArrivalTimes) {
    const RadialCase radial = layered_radial_case(3, 5, 2);
    expect_gradient(radial, 1, random_physics_weights(radial, {"physics_time_over_arrival"}));
}

TEST(SinglePhaseGradient, IsThatOfFrontAndInjectedVolume) {
    RadialCase radial = layered_radial_case(2, 12, 4);
    radial.r_edges.back() = 3000.0;
    for (std::size_t i = 0; i < 12; ++i) {
        radial.r_edges[i] = 0.1 * std::pow(1e4, static_cast<double>(i) / 12.0);
    }
    expect_gradient(radial, 1, random_physics_weights(radial, {"physics_injected_over_pore_volume"}));
    const PhysicsCotangents front = random_physics_weights(radial, {"physics_front_height"});
    EXPECT_NE(single_phase_gradient(radial, 1, front).irreducible_water_saturation, 0.0);
    expect_gradient(radial, 1, front);
}

TEST(SinglePhaseGradient, IsThatOfTheScalars) {
    const RadialCase radial = layered_radial_case(2, 4, 5);
    for (const char* name : {"physics_buildup_rms", "physics_viscosity_ratio", "physics_co2_density"}) {
        SCOPED_TRACE(name);
        expect_gradient(radial, 1, {{}, {{name, 1.0}}});
    }
}

TEST(SinglePhaseGradient, IsThatOfAllTogetherWithInactiveCells) {
    const RadialCase radial = case_with_inactive_cells();
    PhysicsCotangents weights =
        random_physics_weights(radial, {"physics_pressure_buildup", "physics_time_over_arrival",
                                        "physics_injected_over_pore_volume", "physics_front_height"});
    weights.scalars = {{"physics_buildup_rms", 3.0}, {"physics_viscosity_ratio", -2.0}, {"physics_co2_density", 0.05}};
    expect_gradient(radial, 2, weights);
    const RadialCaseGradient gradient = single_phase_gradient(radial, 2, weights);
    for (const std::size_t cell : {8U, 18U, 23U}) {
        EXPECT_EQ(gradient.permeability_r[cell], 0.0) << cell;
        EXPECT_EQ(gradient.permeability_z[cell], 0.0) << cell;
        EXPECT_EQ(gradient.porosity[cell], 0.0) << cell;
    }
}

TEST(SinglePhaseGradient, IsThatOfTheFieldsOfThePhysics) {
    const RadialCase radial = case_with_inactive_cells();
    const PhysicsFields found = single_phase(radial, 2);
    const ExactFields exact(radial, 2);
    for (const auto& [name, values] : found.fields) {
        const std::vector<double>& expected = exact.fields.at(name);
        ASSERT_EQ(values.size(), expected.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_NEAR(static_cast<double>(values[i]), expected[i], 1e-4 * std::abs(expected[i])) << name << " " << i;
        }
    }
    for (const auto& [name, value] : found.scalars) {
        EXPECT_NEAR(value, exact.scalars.at(name), 1e-4 * std::abs(value)) << name;
    }
}

TEST(SinglePhaseGradient, ConvergesForContrastsOfPermeabilityOfAMillion) {
    RadialCase radial = uniform_radial_case(9, 40);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> uniform(-3.0, 3.0);
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        radial.permeability_r[cell] = std::pow(10.0, uniform(random));
        radial.permeability_z[cell] = std::pow(10.0, uniform(random));
    }
    PhysicsCotangents weights =
        random_physics_weights(radial, {"physics_pressure_buildup", "physics_time_over_arrival"});
    const RadialCaseGradient gradient = single_phase_gradient(radial, 2, weights);
    // Build-up and time over arrival depend on rate over permeability: the pressure is homogeneous of degree 0 in
    // rate, permeability, and porosity together, as is the arrival.
    double scaled = radial.injection_rate * gradient.injection_rate;
    double largest = std::abs(scaled);
    for (std::size_t cell = 0; cell < radial.cells(); ++cell) {
        for (const double part : {radial.permeability_r[cell] * gradient.permeability_r[cell],
                                  radial.permeability_z[cell] * gradient.permeability_z[cell],
                                  radial.porosity[cell] * gradient.porosity[cell]}) {
            scaled += part;
            largest = std::max(largest, std::abs(part));
        }
    }
    EXPECT_NEAR(scaled, 0.0, 1e-7 * largest);
}

TEST(SinglePhaseGradient, IsZeroByAllButTheRateWithoutInjection) {
    RadialCase radial = layered_radial_case(2, 4, 6);
    radial.injection_rate = 0.0;
    const RadialCaseGradient gradient =
        single_phase_gradient(radial, 1, random_physics_weights(radial, {"physics_pressure_buildup"}));
    EXPECT_NE(gradient.injection_rate, 0.0);
    EXPECT_EQ(gradient.temperature, 0.0);
    EXPECT_THAT(gradient.permeability_r, ::testing::Each(0.0));
}

TEST(SinglePhaseGradient, RefusesWeightsOfOtherFields) {
    const RadialCase radial = layered_radial_case(2, 4, 7);
    EXPECT_THROW(single_phase_gradient(radial, 1, random_physics_weights(radial, {"physics_gas_saturation"})),
                 InvalidInput);
    EXPECT_THROW(single_phase_gradient(radial, 1, {{{"physics_front_height", {1.0}}}, {}}), InvalidInput);
    EXPECT_THROW(single_phase_gradient(radial, 1, {{}, {{"temperature", 1.0}}}), InvalidInput);
}

}  // namespace
}  // namespace plumecast
