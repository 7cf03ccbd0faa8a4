#include "inverse/inversion/model_gradient.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "core/random.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/realizations.hpp"
#include "inverse/inversion/rml.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t ring_rows = 4, ring_columns = 10, ring_members = 12;

/// Cases of rings with rocks of their own and the rest alike.
DatasetContent reservoirs(std::int64_t cases, const char* name) {
    const RandomStream stream(5, name);
    DatasetContent content;
    content.z_edges = {0.0, 10.0, 20.0, 30.0, 40.0};
    double radius = 0.1;
    for (std::int64_t column = 0; column <= ring_columns; ++column, radius *= 2.6) {
        content.r_edges.push_back(radius);
    }
    content.times = {10.0, 60.0, 365.0};
    const auto cells = static_cast<std::size_t>(ring_rows * ring_columns);
    std::uint64_t drawn = 0;
    for (std::int64_t which = 0; which < cases; ++which) {
        const double level = stream.normal(drawn++), pores = stream.normal(drawn++);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const double here = 100.0 * std::exp(0.4 * level + 0.3 * stream.normal(drawn++));
            content.arrays["permeability_r"].push_back(static_cast<float>(here));
            content.arrays["permeability_z"].push_back(static_cast<float>(0.1 * here));
            content.arrays["porosity"].push_back(static_cast<float>(0.2 + 0.02 * pores));
            content.arrays["active"].push_back(1.0F);
            content.arrays["perforation"].push_back(cell % ring_columns == 0 ? 1.0F : 0.0F);
        }
        for (const auto& [input, value] :
             std::vector<std::pair<const char*, float>>{{"injection_rate", 0.3F},
                                                        {"initial_pressure", 150.0F},
                                                        {"temperature", 60.0F},
                                                        {"irreducible_water_saturation", 0.2F},
                                                        {"van_genuchten_lambda", 0.5F},
                                                        {"thickness", 40.0F}}) {
            content.arrays[input].push_back(value);
        }
    }
    return content;
}

std::vector<Observation> observations_of(const std::string& rows_of_table) {
    return observations_in("field,r,z,time,value,unit,standard_deviation\n" + rows_of_table, "obs.csv", true);
}

class ModelGradientTest : public ::testing::Test {
   protected:
    DatasetContent known_ = reservoirs(1, "known"), prior_ = reservoirs(ring_members, "prior");
    Dataset grid_{views_of(known_)};
    std::vector<std::string> unknown_{"permeability_r", "permeability_z", "porosity"};
};

/// Derivatives of an objective by four components against differences, through the physics of `grid`.
void expect_slopes(const Dataset& grid, const DatasetContent& prior, const std::vector<std::string>& unknown) {
    const ObservedPlaces places(
        observations_of("pressure_buildup,1,20,60,20,bar,0.5\npressure_buildup,60,20,200,9,bar,0.5\n"
                        "gas_saturation,10,5,365,0.3,1,0.05\n"),
        grid, "obs.csv");
    const Realizations realizations(grid, 0, Dataset(views_of(prior)), unknown, 0);
    const PrincipalComponents components(realizations.parameters(), 4);
    const ModelGradient model(nullptr, places);
    Realizations one = realizations.only(3);
    MemberProblem problem;
    problem.observed = Eigen::Vector3d(20.0, 9.0, 0.3);
    problem.error_factor = Eigen::Vector3d(0.5, 0.5, 0.05).asDiagonal();
    problem.prior = components.coordinates().col(3);
    problem.forward = [&](const Eigen::VectorXd& at, const ModelGradient::Cotangents& cotangents,
                          Eigen::VectorXd& slopes) {
        one.set_parameters(components.parameters(at, std::vector<Eigen::Index>{3}));
        InputDerivatives derivatives{{"permeability_r", {}}, {"permeability_z", {}}, {"porosity", {}}};
        const Eigen::VectorXd predictions = model.at(one.cases(0, 1), cotangents, derivatives);
        slopes = components.pull_back(one.by_parameters(derivatives));
        return predictions;
    };
    const Eigen::VectorXd at = problem.prior + Eigen::VectorXd::Constant(4, 0.1);
    Eigen::VectorXd slopes(4), unused(4);
    objective(problem, at, slopes);
    EXPECT_GT(slopes.norm(), 1.0);
    constexpr double step = 2e-3;  // inputs and fields are float32
    for (Eigen::Index k = 0; k < 4; ++k) {
        const double more = objective(problem, at + step * Eigen::VectorXd::Unit(4, k), unused);
        const double less = objective(problem, at - step * Eigen::VectorXd::Unit(4, k), unused);
        EXPECT_NEAR(slopes[k], (more - less) / (2.0 * step), 0.01 * slopes.norm()) << k;
    }
}

TEST_F(ModelGradientTest, MakesTheDerivativesOfAnObjectiveThroughComponentsAndPhysics) {
    expect_slopes(grid_, prior_, unknown_);
}

TEST_F(ModelGradientTest, MakesThoseOfCasesWithASchedule) {
    known_.arrays["schedule_rate"] = {0.4F, 0.2F};
    known_.schedule_ends = {100.0, 365.0};
    known_.arrays.erase("injection_rate");
    const Dataset grid(views_of(known_));
    ASSERT_FALSE(grid.schedule_ends().empty());
    expect_slopes(grid, prior_, unknown_);
}

TEST_F(ModelGradientTest, RefusesWhatHasNoDerivatives) {
    const ObservedPlaces places(observations_of("bottom_hole_pressure,,,60,170,bar,0.5\n"), grid_, "obs.csv");
    const ModelGradient model(nullptr, places);
    InputDerivatives derivatives{{"porosity", {}}};
    const auto itself = [](const Eigen::VectorXd& values) { return values; };
    EXPECT_THAT([&] { model.at(views_of(known_), itself, derivatives); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("pressure_buildup in the cell")));
}

TEST_F(ModelGradientTest, ValuesAtAnEndOfTheirRangeHaveNoSlope) {
    const Realizations realizations(grid_, 0, Dataset(views_of(prior_)), unknown_, 0);
    Realizations one = realizations.only(0);
    Eigen::MatrixXd parameters = one.parameters();
    parameters(0, 0) = std::log(1e12);  // beyond what the format admits
    EXPECT_EQ(one.set_parameters(parameters), 1);
    const std::vector<double> ones(static_cast<std::size_t>(ring_rows * ring_columns), 1.0);
    const Eigen::VectorXd slopes =
        one.by_parameters({{"permeability_r", ones}, {"permeability_z", ones}, {"porosity", ones}});
    EXPECT_EQ(slopes[0], 0.0);
    EXPECT_NEAR(slopes[1], std::exp(parameters(1, 0)), 1e-4 * slopes[1]);  // of the logarithm
    EXPECT_EQ(slopes[slopes.size() - 1], 1.0);
}

TEST_F(ModelGradientTest, RealizationsAreRepeatedAndRestored) {
    Realizations realizations(grid_, 0, Dataset(views_of(prior_)), unknown_, 0);
    const Eigen::MatrixXd before = realizations.parameters();
    const auto values = realizations.values();
    realizations.resize(2 * ring_members + 1);
    EXPECT_EQ(realizations.parameters().col(2 * ring_members), before.col(0));
    EXPECT_EQ(realizations.parameters().col(ring_members + 3), before.col(3));
    EXPECT_EQ(realizations.only(ring_members + 3).parameters().col(0), before.col(3));
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < ring_members; ++i) {
        numbers.push_back(i);
    }
    realizations.restore(values, numbers);
    EXPECT_EQ(realizations.parameters(), before);
    EXPECT_EQ(realizations.numbers(), numbers);
}

}  // namespace
}  // namespace plumecast
