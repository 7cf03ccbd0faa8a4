#include <plumecast/inference/predictor.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/prediction/physical_values.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/comparison.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// A bundle of two trained networks, one per field, on the sample.
class PredictorTest : public ::testing::Test {
   protected:
    PredictorTest() {
        Recipe recipe = tiny_recipe(folder_, "fno");
        recipe.epochs = 1;
        trained(recipe);
        const FieldNetwork pressure(*backend_, pressure_network(), 9);
        const Bundle saturation = Bundle::load(recipe.output + "/best", *backend_);
        write_bundle(path_, {"tiny",
                             {{"gas_saturation", saturation.networks[0].network.get()}, {"pressure", &pressure}},
                             saturation.training,
                             "A tiny model.\n"});
    }
    static NetworkDescription pressure_network() {
        NetworkDescription description = tiny_network("ufno");
        description.fields = {default_fields()[1]};
        return description;
    }
    std::string input() const { return folder_.file("sample.h5"); }
    std::string output() const { return folder_.file("fields.h5"); }

    ScratchFolder folder_;
    std::string path_ = folder_.file("bundle");
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(PredictorTest, WritesAllFieldsInPhysicalUnits) {
    const Predictor predictor(path_, *backend_);
    PredictionOptions options;
    options.batch = 2;
    const PredictionReport report = predictor.predict(input(), output(), options);
    EXPECT_EQ(report.cases, 3);
    EXPECT_GE(report.seconds, report.compute_seconds);
    const Dataset data(input()), fields(output());
    ASSERT_EQ(fields.cases(), 3);
    EXPECT_EQ(fields.attribute("model_hash"), predictor.bundle().hash());
    for (const BundleNetwork& network : predictor.bundle().networks) {
        const NetworkDescription& description = network.network->description();
        const std::int64_t one = 2;
        const Batch batch = dataset_source(data, description.channels, description.fields)->load({&one, 1});
        const Tensor values =
            physical_values(predictor.predict(network, batch), 0, description.fields[0], batch.scales);
        std::vector<float> written(3 * 4 * 5);
        fields.read_output(description.fields[0].name, {&one, 1}, written);  // [T, Z, R]
        for (std::size_t at = 0; at < written.size(); ++at) {
            const std::size_t t = at / 20, cell = at % 20;
            if (cell >= 15) {
                EXPECT_TRUE(std::isnan(written[at])) << "inactive cell " << cell;
            } else {
                const float value = values.values<float>()[cell * 3 + t];
                EXPECT_NEAR(written[at], value, 1e-5 * (1.0 + std::abs(value)));
            }
        }
    }
}

TEST_F(PredictorTest, WarnsOfInputsOutsideTheTrainingRanges) {
    DatasetContent content = sample_content();
    content.arrays["temperature"][1] = 95.0F;
    content.arrays["van_genuchten_lambda"][2] = 0.99F;
    write_dataset(folder_.file("hot.h5"), content);
    std::vector<std::string> warnings;
    PredictionOptions options;
    options.log = [&](Severity, std::string_view text) { warnings.emplace_back(text); };
    const Predictor predictor(path_, *backend_);
    predictor.predict(input(), output(), options);
    EXPECT_TRUE(warnings.empty());
    const PredictionReport report = predictor.predict(folder_.file("hot.h5"), output(), options);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_THAT(warnings[0], HasSubstr("case 1: temperature = 95 degC lies 5 degC outside"));
    EXPECT_THAT(warnings[1], HasSubstr("case 2: van_genuchten_lambda = 0.99 lies "));
    ASSERT_EQ(report.out_of_range.size(), 2u);
    EXPECT_EQ(report.out_of_range[0].which, 1);
}

TEST_F(PredictorTest, TellsProgressOverAllNetworks) {
    std::vector<std::int64_t> done;
    PredictionOptions options;
    options.batch = 2;
    options.progress = [&](std::int64_t cases, std::int64_t all) {
        done.push_back(cases);
        EXPECT_EQ(all, 6);
    };
    Predictor(path_, *backend_).predict(input(), output(), options);
    EXPECT_EQ(done, (std::vector<std::int64_t>{2, 3, 5, 6}));
}

TEST_F(PredictorTest, LeavesNoFileWhenStoppedOrFailing) {
    const Predictor predictor(path_, *backend_);
    PredictionOptions options;
    options.batch = 1;
    int asked = 0;
    options.stop_requested = [&] { return ++asked == 4; };
    EXPECT_THROW(predictor.predict(input(), output(), options), Interrupted);
    EXPECT_FALSE(std::filesystem::exists(output()));
    write_bytes(folder_.file("broken.h5"), bytes_of(input()).substr(0, 3000));
    EXPECT_ANY_THROW(predictor.predict(folder_.file("broken.h5"), output(), {}));
    EXPECT_FALSE(std::filesystem::exists(output()));
}

TEST_F(PredictorTest, PredictsItsOwnInputsAgain) {
    const Predictor predictor(path_, *backend_);
    predictor.predict(input(), output(), {});
    predictor.predict(output(), folder_.file("again.h5"), {});
    const std::int64_t none = 0;
    std::vector<float> once(60), twice(60);
    Dataset(output()).read_output("pressure_buildup", {&none, 1}, once);
    Dataset(folder_.file("again.h5")).read_output("pressure_buildup", {&none, 1}, twice);
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_TRUE(once[i] == twice[i] || (std::isnan(once[i]) && std::isnan(twice[i]))) << i;
    }
}

TEST_F(PredictorTest, EvaluatesEveryNetwork) {
    const Predictor predictor(path_, *backend_);
    const std::vector<Evaluation> evaluations = predictor.evaluate(Dataset(input()), {});
    ASSERT_EQ(evaluations.size(), 2u);
    EXPECT_EQ(evaluations[0].fields[0].field.name, "gas_saturation");
    EXPECT_EQ(evaluations[1].fields[0].field.name, "pressure_buildup");
    EXPECT_EQ(evaluations[1].fields[0].errors.cases().size(), 3u);
}

TEST_F(PredictorTest, RefusesWhatIsNoBundle) {
    EXPECT_THROW(Predictor(folder_.file("nothing"), *backend_), InvalidModel);
}

}  // namespace
}  // namespace plumecast::testing
