#include "inverse/inversion/model_gradient.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "core/random.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/realizations.hpp"
#include "inverse/inversion/rml.hpp"
#include "support/samples/sample_dataset.hpp"
#include "support/samples/tiny_run.hpp"

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
        Eigen::VectorXd predictions = model.at(one.cases(0, 1), cotangents, derivatives);
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

/// Bottom-hole pressures of a case by a model, and their misfit.
class WellMisfit {
   public:
    WellMisfit(DatasetContent content, const Predictor* predictor)
        : content_(std::move(content)),
          grid_(views_of(content_)),
          places_(observations_of("bottom_hole_pressure,,,60,172,bar,0.5\nbottom_hole_pressure,,,200,168,bar,0.5\n"
                                  "bottom_hole_pressure,,,0,149,bar,1\npressure_buildup,60,20,200,9,bar,0.5\n"),
                  grid_, "obs.csv"),
          model_(predictor, places_) {}

    /// Of the case as it is, with its derivatives.
    double at(InputDerivatives& derivatives) const {
        double misfit = 0.0;
        const auto cotangents = [&](const Eigen::VectorXd& predictions) {
            const Eigen::Vector4d residual =
                (predictions - Eigen::Vector4d(172.0, 168.0, 149.0, 9.0)).cwiseQuotient(deviations_);
            misfit = residual.squaredNorm();
            return Eigen::VectorXd(2.0 * residual.cwiseQuotient(deviations_));
        };
        model_.at(views_of(content_), cotangents, derivatives);
        return misfit;
    }
    /// Compares derivatives along a small change of an input with differences.
    void expect_slope(const std::string& input, double tolerance) {
        InputDerivatives derivatives{{input, {}}}, unused = derivatives;
        at(derivatives);
        const std::vector<float> values = content_.arrays.at(input);
        const RandomStream stream(7, "direction of " + input);
        const auto moved = [&](double step) {
            std::vector<float>& changed = content_.arrays.at(input);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double part = values.size() == 1 ? 1.0 : stream.normal(i);
                changed[i] = static_cast<float>(static_cast<double>(values[i]) * (1.0 + step * part));
            }
            return changed;
        };
        constexpr double step = 8e-3;  // pressures of the physics are known to 5e-4 bar
        const std::vector<float> high = moved(step);
        const double more = at(unused);
        const std::vector<float> low = moved(-step);
        const double less = at(unused);
        content_.arrays.at(input) = values;
        double along = 0.0, size = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double change = static_cast<double>(high[i]) - static_cast<double>(low[i]);
            along += derivatives.at(input)[i] * change;
            size += std::abs(derivatives.at(input)[i] * change);
        }
        EXPECT_GT(size, 0.0) << input;
        EXPECT_NEAR(along, more - less, tolerance * size + 1e-3) << input;
    }

   private:
    DatasetContent content_;
    Dataset grid_;
    ObservedPlaces places_;
    ModelGradient model_;
    Eigen::Vector4d deviations_{0.5, 0.5, 1.0, 0.5};
};

const std::vector<std::string> inputs_of_wells{"permeability_r",   "permeability_z", "porosity",
                                               "initial_pressure", "temperature",    "irreducible_water_saturation",
                                               "salinity",         "injection_rate", "van_genuchten_lambda"};

TEST_F(ModelGradientTest, MakesThoseOfBottomHolePressuresThroughPhysics) {
    known_.arrays["salinity"] = {0.14F};
    WellMisfit misfit(known_, nullptr);
    for (const std::string& input : inputs_of_wells) {
        misfit.expect_slope(input, 0.01);
    }
}

TEST_F(ModelGradientTest, MakesThoseOfBottomHolePressuresThroughAModelThatCorrectsPhysics) {
    known_.arrays["salinity"] = {0.14F};
    const testing::ScratchFolder folder;
    const auto backend = make_cpu_backend({.threads = 1});
    NetworkDescription description = testing::tiny_guided_network("fno");
    description.network.activation = {Activation::Kind::gelu};  // has a slope everywhere
    testing::write_tiny_model(folder.file("model"), *backend, description, 5, testing::grid_record(grid_));
    const Predictor predictor(folder.file("model"), *backend);
    WellMisfit misfit(known_, &predictor);
    for (const std::string& input : inputs_of_wells) {
        misfit.expect_slope(input, 0.01);
    }
}

/// A model at one observation of a box.
void expect_refused(const DatasetContent& box, const Predictor* predictor, const std::string& observed,
                    const std::string& says) {
    const Dataset grid(views_of(box));
    const ObservedPlaces places(
        observations_in("field,x,y,z,time,value,unit,standard_deviation\n" + observed, "obs.csv", false), grid,
        "obs.csv");
    const ModelGradient model(predictor, places);
    InputDerivatives derivatives{{"porosity", {}}};
    int predicted = 0;
    const auto itself = [&](const Eigen::VectorXd& values) {
        ++predicted;
        return values;
    };
    EXPECT_THAT([&] { model.at(views_of(box), itself, derivatives); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr(says)));
    EXPECT_EQ(predicted, 0);
}

TEST_F(ModelGradientTest, RefusesWhatHasNoDerivativesBeforeItPredicts) {
    DatasetContent box = testing::guided_cartesian_content();
    box.arrays.erase("gas_saturation");
    box.arrays.erase("pressure_buildup");
    const testing::ScratchFolder folder;
    const auto backend = make_cpu_backend({.threads = 1});
    testing::write_tiny_model(folder.file("model"), *backend, testing::tiny_network_3d("fno"), 5,
                              testing::grid_record(Dataset(views_of(box))));
    const Predictor predictor(folder.file("model"), *backend);
    const std::string of_well = "bottom_hole_pressure,,,,100,170,bar,0.5\n",
                      says = "bottom-hole pressures in boxes have no derivatives (those on rings have); state them as";
    expect_refused(box, &predictor, of_well, says);
    expect_refused(box, nullptr, of_well, says);
    expect_refused(box, nullptr, "pressure_buildup,50,25,10,100,5,bar,0.5\n", "reduced physics of boxes");
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
