#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>

#include "core/random.hpp"
#include "inverse/inversion/lbfgs.hpp"
#include "inverse/inversion/model_gradient.hpp"
#include "inverse/inversion/principal_components.hpp"
#include "inverse/inversion/realizations.hpp"
#include "inverse/inversion/rml.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast {
namespace {

constexpr std::int64_t well_test_columns = 8, well_test_cells = 3 * well_test_columns;

/// Cylinders of one rock each: their permeability and the pressure before injection differ.
DatasetContent cylinders(const std::vector<std::pair<float, float>>& permeability_and_pressure) {
    DatasetContent content;
    content.z_edges = {0.0, 10.0, 20.0, 30.0};
    double radius = 0.1;
    for (std::int64_t column = 0; column <= well_test_columns; ++column, radius *= 3.0) {
        content.r_edges.push_back(radius);
    }
    content.times = {5.0, 60.0, 365.0};
    for (const auto& [permeability, pressure] : permeability_and_pressure) {
        for (std::int64_t cell = 0; cell < well_test_cells; ++cell) {
            content.arrays["permeability_r"].push_back(permeability);
            content.arrays["permeability_z"].push_back(10.0F);
            content.arrays["porosity"].push_back(0.2F);
            content.arrays["active"].push_back(1.0F);
            content.arrays["perforation"].push_back(cell % well_test_columns == 0 ? 1.0F : 0.0F);
        }
        for (const auto& [input, value] :
             std::vector<std::pair<const char*, float>>{{"injection_rate", 0.2F},
                                                        {"initial_pressure", pressure},
                                                        {"temperature", 60.0F},
                                                        {"irreducible_water_saturation", 0.2F},
                                                        {"van_genuchten_lambda", 0.5F},
                                                        {"thickness", 30.0F}}) {
            content.arrays[input].push_back(value);
        }
    }
    return content;
}

/// Seeks permeability and initial pressure of a cylinder from the bottom-hole pressures that a model gives it.
void expect_recovered(const Predictor* predictor) {
    constexpr float permeability = 130.0F, pressure = 151.3F;
    const DatasetContent truth = cylinders({{permeability, pressure}}), known = cylinders({{100.0F, 150.0F}});
    std::vector<std::pair<float, float>> drawn;
    const RandomStream stream(3, "cylinders");
    for (std::uint64_t member = 0; member < 12; ++member) {
        drawn.emplace_back(static_cast<float>(100.0 * std::exp(0.4 * stream.normal(2 * member))),
                           static_cast<float>(150.0 + 2.0 * stream.normal(2 * member + 1)));
    }
    const DatasetContent prior = cylinders(drawn);
    const Dataset grid(views_of(known));
    const ObservedPlaces places(
        observations_in("field,r,z,time,value,unit,standard_deviation\nbottom_hole_pressure,,,5,150,bar,0.01\n"
                        "bottom_hole_pressure,,,60,150,bar,0.01\nbottom_hole_pressure,,,365,150,bar,0.01\n",
                        "obs.csv", true),
        grid, "obs.csv");
    const ModelGradient model(predictor, places);
    InputDerivatives derivatives{{"permeability_r", {}}, {"initial_pressure", {}}};
    const auto nothing = [](const Eigen::VectorXd& values) {
        return Eigen::VectorXd(Eigen::VectorXd::Zero(values.size()));
    };
    MemberProblem problem;
    problem.observed = model.at(views_of(truth), nothing, derivatives);
    problem.error_factor = 0.01 * Eigen::Matrix3d::Identity();
    Realizations one = Realizations(grid, 0, Dataset(views_of(prior)), {"permeability_r", "initial_pressure"}, 0);
    const PrincipalComponents components(one.parameters(), 2);
    one = one.only(0);
    problem.prior = Eigen::Vector2d::Zero();
    problem.forward = [&](const Eigen::VectorXd& at, const ModelGradient::Cotangents& cotangents,
                          Eigen::VectorXd& slopes) {
        one.set_parameters(components.parameters(at, std::vector<Eigen::Index>{-1}));
        Eigen::VectorXd predictions = model.at(one.cases(0, 1), cotangents, derivatives);
        slopes = components.pull_back(one.by_parameters(derivatives));
        return predictions;
    };
    const Minimum found =
        minimised([&](const Eigen::VectorXd& at, Eigen::VectorXd& slopes) { return objective(problem, at, slopes); },
                  problem.prior, {});
    Eigen::VectorXd unused(2);
    objective(problem, found.at, unused);  // leaves the reservoir that was found in `one`
    EXPECT_LT(found.evaluations, 60);
    EXPECT_NEAR(one.values().at("permeability_r")[0] / permeability, 1.0, 0.01);
    EXPECT_NEAR(one.values().at("initial_pressure")[0], pressure, 0.05);
}

TEST(WellInversion, RecoversWhatMadeBottomHolePressuresByPhysics) { expect_recovered(nullptr); }

TEST(WellInversion, RecoversWhatMadeBottomHolePressuresByAModelThatCorrectsPhysics) {
    const testing::ScratchFolder folder;
    const auto backend = make_cpu_backend({.threads = 1});
    const DatasetContent content = cylinders({{100.0F, 150.0F}});
    testing::write_tiny_model(folder.file("model"), *backend, testing::tiny_guided_network("fno"), 5,
                              testing::grid_record(Dataset(views_of(content))));
    const Predictor predictor(folder.file("model"), *backend);
    expect_recovered(&predictor);
}

}  // namespace
}  // namespace plumecast
