#include <plumecast/reservoir/batches/input_gradients.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

class InputGradientsTest : public ::testing::Test {
   protected:
    /// What two cases leave to the fields and scalars of the physics, and to the inputs.
    InputGradients drawn(double factor) const {
        InputGradients gradients{cases_, {}, std::vector<PhysicsCotangents>(cases_.size())};
        gradients.inputs["porosity"].assign(cases_.size() * 20, 0.5 * factor);
        gradients.inputs["temperature"].assign(cases_.size(), factor);
        for (std::size_t n = 0; n < cases_.size(); ++n) {
            std::vector<double>& weights = gradients.physics[n].fields["physics_pressure_buildup"];
            for (std::size_t i = 0; i < data_.times().size() * 20; ++i) {
                weights.push_back(factor * static_cast<double>((i + n) % 7));
            }
            gradients.physics[n].scalars["physics_co2_density"] = 2.0 * factor;
        }
        return gradients;
    }

    ScratchFolder folder_;
    Dataset data_{write_guided_sample(folder_)};
    CasePhysics physics_{data_, {2}};
    std::vector<std::int64_t> cases_{2, 0};
};

TEST_F(InputGradientsTest, GainWhatThePhysicsOfEachCaseHasOfThem) {
    InputGradients found = drawn(1.0);
    add_physics_gradients(data_, physics_, found);
    for (std::size_t n = 0; n < cases_.size(); ++n) {
        const RadialCaseGradient expected = physics_.gradient(cases_[n], drawn(1.0).physics[n]);
        EXPECT_NE(expected.temperature, 0.0);
        EXPECT_EQ(found.inputs.at("temperature")[n], 1.0 + expected.temperature);
        for (std::size_t cell = 0; cell < 20; ++cell) {
            EXPECT_EQ(found.inputs.at("porosity")[n * 20 + cell], 0.5 + expected.porosity[cell]) << cell;
        }
    }
    EXPECT_EQ(found.inputs.size(), 2U);  // no others than the data set's, as they were given
    const InputGradients before = found;
    add_physics_gradients(data_, physics_, found);
    EXPECT_EQ(found.inputs, before.inputs);
}

TEST_F(InputGradientsTest, OfSeveralNetworksGoThroughTheirPhysicsTogether) {
    InputGradients sum, apart[] = {drawn(1.0), drawn(-0.25)};
    for (InputGradients& one : apart) {
        add(one, sum);
        add_physics_gradients(data_, physics_, one);
    }
    add({}, sum);
    EXPECT_EQ(sum.cases, cases_);
    add_physics_gradients(data_, physics_, sum);
    for (const auto& [name, values] : sum.inputs) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double expected = apart[0].inputs.at(name)[i] + apart[1].inputs.at(name)[i];
            EXPECT_NEAR(values[i], expected, 1e-9 * (1.0 + std::abs(expected))) << name << ' ' << i;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
