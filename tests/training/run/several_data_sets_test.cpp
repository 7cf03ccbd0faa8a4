#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include <plumecast/inference/predictor.hpp>

#include "reservoir/metrics/trust/trust_record.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/run/run_data.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

/// The values of a 2-D array of rows with one more column, which repeats the last.
std::vector<float> widened(const std::vector<float>& values, std::size_t columns) {
    std::vector<float> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        result.push_back(values[i]);
        if ((i + 1) % columns == 0) {
            result.push_back(values[i]);
        }
    }
    return result;
}

class SeveralDataSetsTest : public ::testing::Test {
   protected:
    /// guided_content() with a column more, at a greater distance.
    std::string wide() const {
        const std::string file = folder_.file("wide.h5");
        if (!fs::exists(file)) {
            DatasetContent content = guided_content();
            const std::size_t columns = content.r_edges.size() - 1;
            content.r_edges.push_back(1.5 * content.r_edges.back());
            for (auto& [name, array] : content.arrays) {
                if (array.size() % columns == 0 && array.size() > 3) {
                    array = widened(array, columns);
                }
            }
            write_dataset(file, content);
        }
        return file;
    }
    std::string narrow() const {
        const std::string file = folder_.file("narrow.h5");
        if (!fs::exists(file)) {
            write_dataset(file, guided_content());
        }
        return file;
    }
    Recipe recipe(const std::string& name, const std::string& architecture = "ufno") const {
        Recipe recipe = tiny_recipe(folder_, architecture);
        recipe.output = folder_.file(name);
        recipe.train_files = {narrow(), wide()};
        recipe.validation_files = recipe.train_files;
        recipe.batch_size = 2;
        recipe.epochs = 2;
        return recipe;
    }
    ScratchFolder folder_;
};

TEST_F(SeveralDataSetsTest, EpochsHaveEveryCaseOnceInBatchesOfOneGrid) {
    const Recipe both = recipe("run");
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, both.network, 0);
    RunData data(both, network);
    EXPECT_EQ(data.cases(), 6);
    EXPECT_EQ(data.batches(), 4);
    StopAfter observer;
    data.prepare_physics(observer);
    std::set<std::vector<std::size_t>> orders;
    for (int epoch = 0; epoch < 8; ++epoch) {
        const std::vector<SetCases> batches = data.epoch(epoch);
        ASSERT_EQ(batches.size(), 4U);
        EXPECT_EQ(cases_of(batches), 6);
        std::set<std::pair<std::size_t, std::int64_t>> seen;
        std::vector<std::size_t> sets;
        CaseStream& stream = data.stream(batches, 0);
        for (const SetCases& batch : batches) {
            sets.push_back(batch.set);
            for (const std::int64_t one : batch.cases) {
                EXPECT_TRUE(seen.emplace(batch.set, one).second);
            }
            EXPECT_EQ(stream.next()->on_model_grid.targets.shape()[2], batch.set == 0 ? 5 : 6);
        }
        EXPECT_EQ(seen.size(), 6U);
        orders.insert(sets);
        EXPECT_EQ(data.epoch(epoch)[1].cases, batches[1].cases) << "the order depends on seed and epoch alone";
    }
    EXPECT_GT(orders.size(), 2U) << "data sets come mixed";
}

TEST_F(SeveralDataSetsTest, ReadsTheInputsOnceForRangesAndCloud) {
    const Recipe both = recipe("run");
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, both.network, 0);
    const RunData data(both, network);
    InputRanges ranges;
    std::vector<CaseFeatures> features;
    for (const RunSet& set : data.train()) {
        ranges.include(InputRanges::over(set.data, set.cases));
        for (const std::int64_t which : set.cases) {
            features.push_back(input_features(set.data, which));
        }
    }
    const InputRecord record = data.inputs();
    EXPECT_EQ(record.ranges, ranges);
    TrustRecord expected, found;
    expected.cloud = TrainingCloud::of(features);
    found.cloud = record.cloud;
    EXPECT_EQ(found.to_json().dump(), expected.to_json().dump());
}

TEST_F(SeveralDataSetsTest, OneOfThemIsTheRunOfItAlone) {
    Recipe one = recipe("one");
    one.train_files = one.validation_files = {narrow()};
    trained(one);
    const Json model = Json::parse(bytes_of(one.output + "/best/model.json"), "model.json");
    EXPECT_EQ(*model.find("training")->find("recipe")->find("data")->find("train")->get_if<std::string>(), "narrow.h5");
}

TEST_F(SeveralDataSetsTest, ResumesBitForBitFromAnyInterruption) {
    // An epoch asks four times in training and four times in validation.
    expect_resumes_bit_for_bit(recipe("run"), {{1, 9}, {2, 3, 10}, {6, 7, 9}});
}

TEST_F(SeveralDataSetsTest, ValidatesByTheMeanOverAllCases) {
    Recipe both = recipe("run");
    both.validation_files = {wide(), folder_.file("two.h5")};
    both.epochs = 1;
    DatasetContent two = guided_content();
    for (auto& [name, array] : two.arrays) {
        array.resize(array.size() / 3 * 2);
    }
    write_dataset(both.validation_files[1], two);
    const StopAfter heard = trained(both);
    double loss = 0.0, mpe = 0.0;
    EvaluationOptions options;
    options.batch = 2;
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor best(both.output + "/best", *backend);
    for (const std::string& file : both.validation_files) {
        const Dataset data(file);
        const Evaluation one = best.evaluate(data, options).front();
        const double share = static_cast<double>(data.cases()) / 5.0;
        loss += share * one.loss;
        mpe += share * one.fields.front().errors.mean().mpe;
    }
    EXPECT_NEAR(*heard.epochs().front().validation_loss, loss, 1e-6);
    EXPECT_NEAR(heard.epochs().front().fields.front().mpe, mpe, 1e-6);
}

TEST_F(SeveralDataSetsTest, RecordsWhatItLearnedFrom) {
    Recipe three = recipe("run");
    three.train_files.push_back(folder_.file("more.h5"));  // of a grid that is there already
    write_dataset(three.train_files.back(), guided_content());
    trained(three);
    const std::string card = bytes_of(three.output + "/best/README.md");
    EXPECT_THAT(card,
                AllOf(HasSubstr("a 4 x 5 grid at 3 times or a 4 x 6 grid at 3 times"),
                      Not(HasSubstr("at 3 times or a 4 x 6 grid at 3 times or")), HasSubstr("3 cases of narrow.h5"),
                      HasSubstr("3 cases of wide.h5"), HasSubstr("3 cases of more.h5")));
    const Json model = Json::parse(bytes_of(three.output + "/best/model.json"), "model.json");
    EXPECT_EQ(*model.find("training")->find("cases")->get_if<std::int64_t>(), 9);
}

TEST_F(SeveralDataSetsTest, KeepsThePhysicsOfEachBesideItAndKnowsBothGrids) {
    Recipe guided = recipe("guided");
    guided.network = tiny_guided_network("fno");
    const StopAfter heard = trained(guided);
    EXPECT_EQ(heard.epochs().size(), 2U);
    for (const std::string& file : guided.train_files) {
        EXPECT_TRUE(fs::exists(file + ".physics-two_phase-2_substeps.h5"));
    }
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor best(guided.output + "/best", *backend);
    for (const std::string& file : guided.train_files) {
        std::string said;
        EvaluationOptions options;
        options.batch = 2;
        options.log = [&said](Severity, std::string_view text) { said += text; };
        const Dataset data(file);
        best.evaluate(data, options);
        EXPECT_THAT(said, ::testing::Not(HasSubstr("of the model"))) << "both grids are its own";
    }
    Json model = Json::parse(bytes_of(guided.output + "/best/model.json"), "model.json");
    const Json::Array* more = model.find("training")->find("more_grids")->get_if<Json::Array>();
    ASSERT_NE(more, nullptr);
    EXPECT_EQ(more->size(), 1U);
    EXPECT_EQ(more->front().find("r_edges")->get_if<Json::Array>()->size(), 7U);
}

TEST_F(SeveralDataSetsTest, RefusesThoseThatDoNotFitTogether) {
    Recipe both = recipe("run");
    both.train_files = {narrow(), write_cartesian_sample(folder_)};
    EXPECT_THAT(refusal_to_train(both), AllOf(HasSubstr("is Cartesian"), HasSubstr("one kind")));
    both = recipe("run");
    DatasetContent content = guided_content();
    content.arrays.erase("temperature");
    write_dataset(folder_.file("cold.h5"), content);
    both.train_files = {narrow(), folder_.file("cold.h5")};
    EXPECT_THAT(refusal_to_train(both), AllOf(HasSubstr("cold.h5"), HasSubstr("temperature")));
    both = recipe("run");
    both.train_files = {narrow(), narrow()};
    EXPECT_THAT(refusal_to_train(both), HasSubstr("appears twice"));
    both.train_files = {narrow(), folder_.file("missing.h5")};
    EXPECT_THAT(refusal_to_train(both), HasSubstr("missing.h5"));
}

TEST_F(SeveralDataSetsTest, TrainsOnAGridOfRanksLikeOnOne) {
    Recipe alone = recipe("alone", "fno");
    alone.network.network.padding = {8, 2, 2};
    const auto train_on = [](const Recipe& recipe, const GridShape& shape) {
        on_ranks(shape.ranks(), [&](Communicator& world) {
            const auto backend = make_oracle_backend();
            const ProcessGrid grid(world, shape);
            StopAfter observer;
            EXPECT_EQ(Trainer(recipe, *backend, observer, &grid).run(), TrainingOutcome::finished);
        });
    };
    train_on(alone, {});
    Recipe shared = alone;
    shared.output = folder_.file("shared");
    train_on(shared, {2, 2});
    const auto expected = weights_in(alone.output + "/checkpoint");
    for (const auto& [name, values] : weights_in(shared.output + "/checkpoint")) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_NEAR(values[i], expected.at(name)[i], 1e-6F) << name;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
