#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Cases on a grid that a tiny network knows, and on another.
class OtherGridTest : public ::testing::Test {
   protected:
    OtherGridTest() { write_guided_sample(folder_); }

    /// A bundle of a guided network, which says 0 where it `is_zero`; `record` as its training.
    std::string bundle(const std::string& name, const Json& record, bool is_zero = false) const {
        const FieldNetwork network(*backend_, tiny_guided_network("fno"), 3);
        for (const Parameter& parameter : network.parameters().all()) {
            if (is_zero && parameter.name.starts_with("projection.second")) {
                backend_->fill(parameter.weight.mutable_value(), 0.0);
            }
        }
        write_bundle(folder_.file(name), {"tiny", {{"fields", &network}}, record, "A tiny model.\n"});
        return folder_.file(name);
    }
    Json own_grid() const { return grid_record(Dataset(folder_.file("guided.h5"))); }
    /// The cases of the sample on 6 x 8 cells at 2 times, with made-up outputs.
    std::string other_sample(const std::vector<double>& times = {30.0, 800.0}) const {
        DatasetContent content = guided_content();
        content.r_edges = {0.1, 10.0, 30.0, 80.0, 200.0, 700.0, 3000.0, 20000.0, 100000.0};
        content.z_edges = {0.0, 5.0, 12.0, 18.0, 25.0, 30.0, 40.0};
        content.times = times;
        const auto fill = [&](const char* name, std::size_t each, const std::function<double(std::size_t)>& value) {
            std::vector<float>& values = content.arrays[name];
            values.clear();
            for (std::size_t i = 0; i < 3 * each; ++i) {
                values.push_back(static_cast<float>(value(i % each)));
            }
        };
        fill("permeability_r", 48,
             [](std::size_t cell) { return cell < 40 ? 100.0 + static_cast<double>(cell % 7) : 0.0; });
        fill("permeability_z", 48,
             [](std::size_t cell) { return cell < 40 ? 10.0 + static_cast<double>(cell % 3) : 0.0; });
        fill("porosity", 48, [](std::size_t cell) { return cell < 40 ? 0.2 : 0.0; });
        fill("active", 48, [](std::size_t cell) { return cell < 40 ? 1.0 : 0.0; });
        fill("perforation", 48, [](std::size_t cell) { return cell % 8 == 0 && cell < 40 ? 1.0 : 0.0; });
        fill("gas_saturation", 96, [](std::size_t i) { return i % 8 == 0 ? 0.3 : 0.0; });
        fill("pressure_buildup", 96, [](std::size_t i) { return 1.0 + static_cast<double>(8 - i % 8); });
        write_dataset(folder_.file("other.h5"), content);
        return folder_.file("other.h5");
    }
    std::vector<std::string> predict(const std::string& model, const std::string& input, const std::string& output) {
        std::vector<std::string> messages;
        PredictionOptions options;
        options.log = [&](Severity severity, std::string_view text) {
            messages.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
        };
        Predictor(model, *backend_).predict(input, folder_.file(output), options);
        return messages;
    }
    std::vector<float> field(const std::string& file, const std::string& name) const {
        const Dataset data(folder_.file(file));
        std::vector<float> values(static_cast<std::size_t>(3 * data.cells() * data.snapshots()));
        data.read_output(name, std::vector<std::int64_t>{0, 1, 2}, values);
        return values;
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

void expect_equal(const std::vector<float>& a, const std::vector<float>& b, float tolerance = 0.0F) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_TRUE(std::isnan(a[i]) ? std::isnan(b[i]) : std::abs(a[i] - b[i]) <= tolerance)
            << i << ": " << a[i] << " and " << b[i];
    }
}

TEST_F(OtherGridTest, ChangesNothingOnTheGridOfTheTraining) {
    const auto known = predict(bundle("known", own_grid()), folder_.file("guided.h5"), "known.h5");
    const auto unknown = predict(bundle("unknown", Json::Object{}), folder_.file("guided.h5"), "unknown.h5");
    for (const char* name : {"gas_saturation", "pressure_buildup"}) {
        expect_equal(field("known.h5", name), field("unknown.h5", name));
    }
    EXPECT_THAT(known, Not(Contains(HasSubstr("grid"))));
    EXPECT_THAT(unknown, Contains(HasSubstr("warning: the model does not say on which grid")));
}

TEST_F(OtherGridTest, GivesThePhysicsOfTheOwnGridWhereTheNetworkAddsNothing) {
    const std::string input = other_sample({10.0, 1000.0});
    const auto messages = predict(bundle("zero", own_grid(), true), input, "out.h5");
    EXPECT_THAT(messages,
                Contains("the grid and times 6 x 8 x 2 are not those of the model (4 x 5 x 3): physics on "
                         "yours, correction from the model's (what that costs: docs/benchmarks/other_grids.md)"));
    const Dataset data(input);
    CasePhysics physics(data, {2});
    std::vector<float> saturation, buildup;
    for (const auto& one : physics.load(std::vector<std::int64_t>{0, 1, 2})) {
        const auto& s = one->fields.at("physics_gas_saturation");
        const auto& p = one->fields.at("physics_pressure_buildup");
        saturation.insert(saturation.end(), s.begin(), s.end());
        buildup.insert(buildup.end(), p.begin(), p.end());
    }
    const std::vector<float> s = field("out.h5", "gas_saturation"), p = field("out.h5", "pressure_buildup");
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (i % 48 >= 40) {
            EXPECT_TRUE(std::isnan(s[i]) && std::isnan(p[i]));
            continue;
        }
        EXPECT_NEAR(p[i], buildup[i], 1e-5F * std::abs(buildup[i]));
        EXPECT_EQ(s[i], saturation[i] < 0.005F ? 0.0F : saturation[i]) << i;
    }
}

TEST_F(OtherGridTest, AddsWhatTheNetworkSaysOnItsOwnGrid) {
    predict(bundle("model", own_grid()), other_sample(), "out.h5");
    predict(bundle("zero", own_grid(), true), folder_.file("other.h5"), "zero.h5");
    const std::vector<float> p = field("out.h5", "pressure_buildup"), known = field("zero.h5", "pressure_buildup"),
                             s = field("out.h5", "gas_saturation");
    double largest = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (i % 48 < 40) {
            largest = std::max(largest, std::abs(static_cast<double>(p[i]) - static_cast<double>(known[i])));
            EXPECT_TRUE(s[i] >= 0.0F && s[i] <= 1.0F) << i;
        }
    }
    EXPECT_GT(largest, 1e-4);
}

TEST_F(OtherGridTest, PredictsInBatchesOfAnySize) {
    const Predictor predictor(bundle("model", own_grid()), *backend_);
    for (const std::int64_t batch : {1, 2, 3}) {
        PredictionOptions options;
        options.batch = batch;
        predictor.predict(other_sample(), folder_.file("b" + std::to_string(batch) + ".h5"), options);
    }
    expect_equal(field("b1.h5", "gas_saturation"), field("b3.h5", "gas_saturation"), 1e-5F);
    expect_equal(field("b2.h5", "pressure_buildup"), field("b3.h5", "pressure_buildup"), 1e-4F);
}

TEST_F(OtherGridTest, TakesEverySecondTimeAndWarnsOfLaterOnes) {
    DatasetContent content = guided_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    content.times = {10.0, 1000.0, 4000.0};
    write_dataset(folder_.file("later.h5"), content);
    const std::string model = bundle("model", own_grid());
    const auto messages = predict(model, folder_.file("later.h5"), "later_out.h5");
    EXPECT_THAT(messages, Contains(HasSubstr("the times 4 x 5 x 3 are not those of the model")));
    EXPECT_THAT(messages, Contains(HasSubstr("warning: times up to 4000 days lie beyond those of the model, which end "
                                             "at 1000 days")));
    predict(model, folder_.file("guided.h5"), "all_out.h5");
    const std::vector<float> some = field("later_out.h5", "pressure_buildup"),
                             all = field("all_out.h5", "pressure_buildup");
    for (std::size_t cell = 0; cell < 15; ++cell) {  // the same steps and corrections up to there
        EXPECT_NEAR(some[cell], all[cell], 1e-4F);
        EXPECT_NEAR(some[20 + cell], all[40 + cell], 1e-4F);
    }
}

TEST_F(OtherGridTest, IsAtTheTimesOfTheTrainingWhatItIsWithoutFurtherTimes) {
    DatasetContent content = guided_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    content.times = {10.0, 40.0, 100.0, 400.0, 1000.0};
    write_dataset(folder_.file("further.h5"), content);
    const std::string model = bundle("model", own_grid());
    predict(model, folder_.file("further.h5"), "further_out.h5");
    predict(model, folder_.file("guided.h5"), "own_out.h5");
    const std::vector<float> further = field("further_out.h5", "pressure_buildup"),
                             own = field("own_out.h5", "pressure_buildup");
    for (std::size_t i = 0; i < 20 * 3; ++i) {
        const std::size_t time = i / 20, cell = i % 20;
        if (cell < 15) {
            EXPECT_NEAR(further[40 * time + cell], own[i], 1e-4F * std::abs(own[i])) << time << ", " << cell;
        }
    }
}

TEST_F(OtherGridTest, EvaluatesWhatItPredicts) {
    const std::string input = other_sample();
    const Predictor predictor(bundle("model", own_grid()), *backend_);
    EvaluationOptions options;
    options.compare_physics = true;
    std::vector<std::string> messages;
    options.log = [&](Severity, std::string_view text) { messages.emplace_back(text); };
    const Dataset data(input);
    const Evaluation evaluation = predictor.evaluate(data, options).front();
    EXPECT_THAT(messages, Contains(HasSubstr("physics on yours, correction from the model's")));
    predictor.predict(input, folder_.file("out.h5"), {});
    const std::vector<float> predicted = field("out.h5", "pressure_buildup"),
                             truth = field("other.h5", "pressure_buildup");
    for (std::size_t which = 0; which < 3; ++which) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 96; ++i) {
            const std::size_t at = which * 96 + i;
            sum += i % 48 < 40 ? std::abs(static_cast<double>(predicted[at]) - static_cast<double>(truth[at])) : 0.0;
        }
        EXPECT_NEAR(evaluation.fields[1].errors.cases()[which].mae, sum / 80.0, 1e-4);
    }
    EXPECT_TRUE(evaluation.fields[1].physics.has_value());
}

TEST_F(OtherGridTest, PredictsOnAGridOfRanksLikeOneRankAndEvaluatesWhereTheyTakeCasesInTurn) {
    const std::string input = other_sample(), model = bundle("model", own_grid());
    predict(model, input, "alone.h5");
    const Evaluation alone = Predictor(model, *backend_).evaluate(Dataset(input), {}).front();
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 1}}) {
        on_ranks(2, [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const ProcessGrid grid(world, shape);
            const Predictor predictor(model, *backend, &grid);
            predictor.predict(input, folder_.file("shared.h5"), {});
            const Dataset data(input);
            if (shape.x > 1) {
                EXPECT_THROW(predictor.evaluate(data, {}), InvalidInput);
                return;
            }
            const Evaluation shared = predictor.evaluate(data, {}).front();
            for (std::size_t f = 0; f < 2; ++f) {
                ASSERT_EQ(shared.fields[f].errors.cases().size(), 3U);
                for (std::size_t which = 0; which < 3; ++which) {
                    EXPECT_NEAR(shared.fields[f].errors.cases()[which].mae, alone.fields[f].errors.cases()[which].mae,
                                1e-4);
                }
            }
        });
        expect_equal(field("shared.h5", "gas_saturation"), field("alone.h5", "gas_saturation"), 1e-4F);
        expect_equal(field("shared.h5", "pressure_buildup"), field("alone.h5", "pressure_buildup"), 1e-3F);
    }
}

TEST_F(OtherGridTest, TrainingRecordsGridAndTimes) {
    const Recipe recipe = tiny_guided_recipe(folder_);
    trained(recipe);
    const Bundle trained_bundle = Bundle::load(recipe.output + "/best", *backend_);
    const Json record = own_grid();
    ASSERT_NE(trained_bundle.training.find("grid"), nullptr);
    EXPECT_EQ(trained_bundle.training.find("grid")->dump(), record.find("grid")->dump());
}

}  // namespace
}  // namespace plumecast::testing
