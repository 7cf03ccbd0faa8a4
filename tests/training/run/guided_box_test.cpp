#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/h5/file.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "support/comparison.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

/// Networks that correct the reduced physics of boxes with two wells.
class GuidedBoxTest : public ::testing::Test {
   protected:
    Recipe recipe(const std::string& name) const {
        Recipe result = tiny_recipe(folder_, "fno");
        result.network = tiny_guided_network_3d("fno");
        result.train_files = result.validation_files = {data_};
        result.output = folder_.file(name);
        return result;
    }
    std::vector<float> output(const std::string& file, const std::string& name) const {
        const Dataset dataset(file);
        std::vector<float> values(static_cast<std::size_t>(2 * dataset.cells() * dataset.snapshots()));
        dataset.read_output(name, std::vector<std::int64_t>{0, 1}, values);
        return values;
    }
    /// The same cases on half as wide cells along x.
    std::string finer() const {
        DatasetContent content = guided_cartesian_content();
        content.x_edges = {-100.0, -50.0, 0.0, 50.0, 100.0, 200.0, 300.0, 500.0, 700.0};
        for (auto& [name, values] : content.arrays) {
            std::vector<float> twice;
            for (const float value : values) {
                twice.insert(twice.end(), 2, name == "cell_injection_rate" ? 0.5F * value : value);
            }
            values = values.size() > 2 ? twice : values;
        }
        content.arrays.erase("gas_saturation");
        content.arrays.erase("pressure_buildup");
        write_dataset(folder_.file("finer.h5"), content);
        return folder_.file("finer.h5");
    }

    ScratchFolder folder_;
    std::string data_ = write_guided_cartesian_sample(folder_);
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(GuidedBoxTest, LearnsWhatThePhysicsLeavesAndPredictsWithAClosedBalance) {
    Recipe guided = recipe("run");
    guided.epochs = 12;
    guided.schedule.learning_rate = 1e-2;
    const StopAfter heard = trained(guided);
    ASSERT_EQ(heard.epochs().size(), 12U);
    EXPECT_LT(heard.epochs().back().train_loss, 0.8 * heard.epochs().front().train_loss);
    EXPECT_THAT(heard.messages()[0], HasSubstr("computing the physics of 2 of 2 cases"));
    EXPECT_THAT(heard.messages()[1], HasSubstr("reading the physics of 2 cases"));
    const std::string fields = folder_.file("fields.h5");
    Predictor(guided.output + "/best", *backend_).predict(data_, fields, {});
    const CaseReader reader(fields);
    for (std::int64_t which = 0; which < 2; ++which) {
        const auto series = case_series(reader.read(which), reader.times(), {});
        for (const double found : find_series(series, "mass_balance")->values) {
            EXPECT_NEAR(found, 1.0, 1e-5) << "case " << which;
        }
    }
}

TEST_F(GuidedBoxTest, SaysThePhysicsOfAnyBoxWhereItsNetworkSaysNothing) {
    const FieldNetwork network(*backend_, tiny_guided_network_3d("fno"), 3);
    for (const Parameter& parameter : network.parameters().all()) {
        if (parameter.name.starts_with("projection.second")) {
            backend_->fill(parameter.weight.mutable_value(), 0.0);
        }
    }
    const std::string bundle = folder_.file("bundle"), fields = folder_.file("fields.h5");
    write_bundle(bundle, {"tiny", {{"fields", &network}}, grid_record(Dataset(data_)), "A tiny model.\n"});
    for (const std::string& input : {data_, finer()}) {
        Predictor(bundle, *backend_).predict(input, fields, {});
        const Dataset dataset(input);
        const std::vector<std::int64_t> both{0, 1};
        const auto physics = CasePhysics(dataset, {2}).load(both);
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            const std::vector<float> found = output(fields, name);
            const std::size_t each = found.size() / 2;
            int counted = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const float known = physics[i / each]->fields.at("physics_" + std::string(name))[i % each];
                if (!std::isnan(found[i])) {
                    EXPECT_NEAR(found[i], known < 0.005F && name[0] == 'g' ? 0.0F : known, 1e-4F) << input << name << i;
                    ++counted;
                }
            }
            EXPECT_GT(counted, 60);
        }
    }
}

TEST_F(GuidedBoxTest, TrainsAndPredictsOnAGridOfRanksLikeOneRank) {
    const Recipe alone = recipe("alone");
    trained(alone);
    Predictor(alone.output + "/best", *backend_).predict(data_, folder_.file("alone.h5"), {});
    for (const GridShape& shape : {GridShape{1, 2, 1}, GridShape{1, 1, 2}, GridShape{2, 1, 1}}) {
        Recipe shared = alone;
        shared.output = folder_.file("shared" + shape.text());
        on_ranks(2, [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const ProcessGrid grid(world, shape);
            StopAfter observer;
            Trainer trainer(shared, *backend, observer, &grid);
            EXPECT_EQ(trainer.run(), TrainingOutcome::finished);
            Predictor(alone.output + "/best", *backend, &grid).predict(data_, shared.output + ".h5", {});
        });
        const Bundle a = Bundle::load(alone.output + "/best", *backend_),
                     b = Bundle::load(shared.output + "/best", *backend_);
        for (const Parameter& parameter : a.networks[0].network->parameters().all()) {
            const Parameter& other = b.networks[0].network->parameters().at(parameter.name);
            expect_close(other.weight.value(), parameter.weight.value(), 2e-3, parameter.name);
        }
        for (const char* name : {"gas_saturation", "pressure_buildup"}) {
            const std::vector<float> found = output(shared.output + ".h5", name),
                                     expected = output(folder_.file("alone.h5"), name);
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_TRUE(std::abs(found[i] - expected[i]) <= 1e-6F * std::max(1.0F, std::abs(expected[i])) ||
                            (std::isnan(found[i]) && std::isnan(expected[i])))
                    << name << i;
            }
        }
    }
}

TEST_F(GuidedBoxTest, HasNoDerivativesThroughThePhysics) {
    write_tiny_model(folder_.file("bundle"), *backend_, tiny_guided_network_3d("fno"), 3, grid_record(Dataset(data_)));
    const Predictor predictor(folder_.file("bundle"), *backend_);
    const DatasetContent content = guided_cartesian_content();
    try {
        predictor.record(views_of(content), {});
        FAIL() << "derivatives of a box were begun";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("derivatives of the reduced physics need a radial grid"));
    }
}

}  // namespace
}  // namespace plumecast::testing
