#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>

#include "inference/guided/correction_sizes.hpp"
#include "io/atomic_file.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "support/comparison.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

constexpr const char* weights = "/checkpoint/fields.safetensors";

class GuidedRunTest : public ::testing::Test {
   protected:
    Recipe recipe(const std::string& name) const {
        Recipe result = tiny_guided_recipe(folder_);
        result.output = folder_.file(name);
        return result;
    }
    std::string physics_file() const { return folder_.file("guided.h5.physics-two_phase-2_substeps.h5"); }
    ScratchFolder folder_;
};

TEST_F(GuidedRunTest, Learns) {
    Recipe guided = recipe("learnt");
    guided.epochs = 12;
    guided.schedule.learning_rate = 1e-2;
    const StopAfter heard = trained(guided);
    ASSERT_EQ(heard.epochs().size(), 12U);
    EXPECT_LT(heard.epochs().back().train_loss, 0.8 * heard.epochs().front().train_loss);
    const Json model = Json::parse(bytes_of(guided.output + "/best/model.json"), "model.json");
    EXPECT_THAT(model.dump(), HasSubstr("\"physics\""));
}

TEST_F(GuidedRunTest, ComputesThePhysicsOncePerDataSet) {
    const StopAfter first = trained(recipe("first"));
    // Training and validation are the same file here.
    ASSERT_EQ(first.messages().size(), 2U);
    EXPECT_THAT(first.messages()[0], HasSubstr("computing the physics of 3 of 3 cases"));
    EXPECT_THAT(first.messages()[1], HasSubstr("reading the physics of 3 cases"));
    const auto written = fs::last_write_time(physics_file());
    const StopAfter second = trained(recipe("second"));
    EXPECT_THAT(second.messages()[0], HasSubstr("reading the physics of 3 cases"));
    EXPECT_EQ(fs::last_write_time(physics_file()), written);
    EXPECT_EQ(bytes_of(folder_.file("first") + weights), bytes_of(folder_.file("second") + weights));
}

/// guided_content() with rates in tight rock that the physics cannot follow in some of its three cases.
void write_failing(const std::string& path, std::span<const std::size_t> cases) {
    DatasetContent content = guided_content();
    for (const std::size_t which : cases) {
        content.arrays["injection_rate"][which] = 1e3F;
        std::fill_n(content.arrays["permeability_r"].begin() + static_cast<std::ptrdiff_t>(20 * which), 15, 0.1F);
    }
    write_dataset(path, content);
}

TEST_F(GuidedRunTest, LeavesOutCasesThatCannotBeComputedOnEachRank) {
    Recipe alone = recipe("alone");
    alone.network.network.padding = {8, 2, 2};
    const std::size_t failing = 1;
    write_failing(folder_.file("guided.h5"), {&failing, 1});
    const StopAfter heard = trained(alone);
    EXPECT_THAT(heard.messages(), Contains(AllOf(HasSubstr("guided.h5: case 1"), HasSubstr("; the case is left out"))));
    ASSERT_EQ(heard.epochs().size(), 3U);
    EXPECT_EQ(heard.progress().back().cases, 2);
    fs::remove(physics_file());
    Recipe shared = alone;
    shared.output = folder_.file("shared");
    on_ranks(2, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, {1, 2});
        StopAfter observer;
        Trainer trainer(shared, *backend, observer, &grid);
        EXPECT_EQ(trainer.run(), TrainingOutcome::finished);
        ASSERT_EQ(observer.epochs().size(), 3U);
        EXPECT_NEAR(observer.epochs().back().train_loss, heard.epochs().back().train_loss, 1e-5);
    });
}

TEST_F(GuidedRunTest, RefusesDataOfWhichNoCaseCanBeComputed) {
    const std::vector<std::size_t> all{0, 1, 2};
    write_failing(folder_.file("guided.h5"), all);
    try {
        trained(recipe("none"));
        ADD_FAILURE() << "learned from nothing";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("none of its cases can be learned from"));
    }
}

TEST_F(GuidedRunTest, RecordsThatWellsHadLimitsOfTheirPressure) {
    const auto has_learned = [&](const std::string& name) {
        trained(recipe(name));
        const Json model = Json::parse(bytes_of(folder_.file(name) + "/best/model.json"), "model.json");
        return model.find("training")->find("pressure_limits") != nullptr;
    };
    EXPECT_FALSE(has_learned("without"));
    DatasetContent content = guided_content();
    content.arrays["bottom_hole_pressure_limit"] = {900.0F, 900.0F, 900.0F};
    write_dataset(folder_.file("guided.h5"), content);
    EXPECT_TRUE(has_learned("with"));
}

TEST_F(GuidedRunTest, RecordsThatTemperaturesGrewWithDepth) {
    DatasetContent content = guided_content();
    content.attributes["temperature_gradient"] = "0.05";
    write_dataset(folder_.file("guided.h5"), content);
    trained(recipe("with"));
    const Json model = Json::parse(bytes_of(folder_.file("with") + "/best/model.json"), "model.json");
    EXPECT_NE(model.find("training")->find("temperature_gradients"), nullptr);
}

TEST_F(GuidedRunTest, GivesTheSameBitsWithoutAFile) {
    trained(recipe("with"));
    fs::remove(physics_file());
    fs::create_directories(physics_file() + "/in the way");
    const StopAfter heard = trained(recipe("without"));
    EXPECT_THAT(heard.messages(), Contains(HasSubstr("not kept on the disk")));
    EXPECT_EQ(bytes_of(folder_.file("with") + weights), bytes_of(folder_.file("without") + weights));
}

TEST_F(GuidedRunTest, ResumesBitForBitFromAnyInterruption) {
    trained(recipe("straight"));
    for (const int questions : {1, 2, 3, 4, 6, 7}) {
        fs::remove_all(folder_.file("parts"));
        fs::remove(physics_file());
        const Recipe parts = recipe("parts");
        TrainingOutcome outcome = TrainingOutcome::interrupted;
        for (int part = 0; part < 100 && outcome == TrainingOutcome::interrupted; ++part) {
            const auto backend = make_cpu_backend({.threads = 1});
            StopAfter observer(part == 0 ? questions : 5);
            Trainer trainer(parts, *backend, observer);
            if (trainer.has_checkpoint()) {
                trainer.resume();
            }
            outcome = trainer.run();
        }
        EXPECT_EQ(outcome, TrainingOutcome::finished);
        EXPECT_EQ(bytes_of(folder_.file("parts") + weights), bytes_of(folder_.file("straight") + weights))
            << questions << " questions";
    }
}

TEST_F(GuidedRunTest, RefusesToResumeARunFromBeforeRecipesStatedTheVersionOfThePhysics) {
    Recipe former = recipe("former");
    trained(former);
    const std::string path = former.output + "/checkpoint/state.json";
    Json state = Json::parse(bytes_of(path), path);
    std::erase_if(*state["recipe"]["physics"].get_if<Json::Object>(),
                  [](const auto& entry) { return entry.first == "version"; });
    write_text_atomically(path, state.dump());
    ++former.epochs;
    const auto backend = make_cpu_backend({.threads = 1});
    StopAfter observer;
    Trainer trainer(former, *backend, observer);
    try {
        trainer.resume();
        ADD_FAILURE() << "resumed with another version";
    } catch (const InvalidModel& error) {
        EXPECT_THAT(error.what(), HasSubstr("physics.version is 1"));
    }
}

TEST_F(GuidedRunTest, ReplacesWhatARunOverAnotherVersionOfThePhysicsLeft) {
    Recipe again = recipe("left");
    trained(again);
    const std::string path = again.output + "/recipe.json";
    Json left = Json::parse(bytes_of(path), path);
    fs::remove_all(again.output);  // killed before its first checkpoint
    fs::create_directory(again.output);
    left["physics"]["version"] = 5;
    left["epochs"] = 77;
    write_text_atomically(path, left.dump());
    trained(again);
    EXPECT_EQ(*Json::parse(bytes_of(path), path).find("physics")->find("version"), Json(physics_version));
}

TEST_F(GuidedRunTest, TrainsAndEvaluatesOnAGridOfRanksLikeOneRank) {
    Recipe alone = recipe("alone");
    alone.network.network.padding = {8, 2, 2};
    trained(alone);
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 2}}) {
        fs::remove(physics_file());
        Recipe shared = alone;
        shared.output = folder_.file("shared" + std::to_string(shape.ranks()));
        on_ranks(shape.ranks(), [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const ProcessGrid grid(world, shape);
            StopAfter observer;
            Trainer trainer(shared, *backend, observer, &grid);
            EXPECT_EQ(trainer.run(), TrainingOutcome::finished);
            if (world.rank() == 0) {
                const auto own = make_cpu_backend({.threads = 1});
                const Bundle a = Bundle::load(alone.output + "/best", *own),
                             b = Bundle::load(shared.output + "/best", *own);
                for (const Parameter& parameter : a.networks[0].network->parameters().all()) {
                    const Parameter& other = b.networks[0].network->parameters().at(parameter.name);
                    expect_close(other.weight.value(), parameter.weight.value(), 2e-3, parameter.name);
                }
            }
            const Predictor predictor(alone.output + "/best", *backend, &grid);
            predictor.predict(alone.train_files.front(), shared.output + ".h5", {});
        });
        const auto backend = make_cpu_backend({.threads = 1});
        Predictor(alone.output + "/best", *backend).predict(alone.train_files.front(), alone.output + ".h5", {});
        std::vector<float> found(60), expected(60);
        const std::int64_t which = 2;
        Dataset(shared.output + ".h5").read_output("gas_saturation", {&which, 1}, found);
        Dataset(alone.output + ".h5").read_output("gas_saturation", {&which, 1}, expected);
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_TRUE(std::abs(found[i] - expected[i]) < 1e-4F || (std::isnan(found[i]) && std::isnan(expected[i])));
        }
    }
}

/// A bundle of two networks, one per field, that correct the same physics.
class GuidedPredictorTest : public GuidedRunTest {
   protected:
    GuidedPredictorTest() {
        write_guided_sample(folder_);
        const FieldNetwork saturation(*backend_, of_field(0), 3), pressure(*backend_, of_field(1), 4);
        write_bundle(path_, {"tiny",
                             {{"gas_saturation", &saturation}, {"pressure_buildup", &pressure}},
                             grid_record(Dataset(input_)),
                             "A tiny model.\n"});
    }
    static NetworkDescription of_field(std::size_t field) {
        NetworkDescription description = tiny_guided_network("fno");
        description.fields = {description.fields[field]};
        description.network.fields = 1;
        return description;
    }
    std::vector<float> per_case(const std::string& name) const {
        return h5::File::open(output_).read<float>("/case/" + name);
    }
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    std::string path_ = folder_.file("bundle"), input_ = folder_.file("guided.h5"), output_ = folder_.file("out.h5");
};

TEST_F(GuidedPredictorTest, WritesCorrectedFieldsWithoutAFileOfPhysics) {
    const Predictor predictor(path_, *backend_);
    predictor.predict(input_, output_, {});
    EXPECT_FALSE(fs::exists(physics_file()));
    const Dataset data(input_), fields(output_);
    for (const BundleNetwork& network : predictor.bundle().networks) {
        const NetworkDescription& description = network.network->description();
        const std::int64_t one = 1;
        const Batch batch = cases_for(description, data, Targets::skip)->load({&one, 1});
        const Tensor values =
            physical_values(predictor.predict(network, batch), 0, description.fields[0], batch.scales, batch.limits);
        std::vector<float> written(60);
        fields.read_output(description.fields[0].name, {&one, 1}, written);
        for (std::size_t at = 0; at < written.size(); ++at) {
            const std::size_t t = at / 20, cell = at % 20;
            const float value = values.values<float>()[cell * 3 + t];
            EXPECT_TRUE(cell >= 15 ? std::isnan(written[at]) : std::abs(written[at] - value) < 1e-5F) << at;
        }
    }
}

TEST_F(GuidedPredictorTest, ClosesTheBalanceOfCo2WhereOneNetworkPredictsBothFields) {
    const std::string path = folder_.file("both");
    write_tiny_model(path, *backend_, tiny_guided_network("fno"), 3, grid_record(Dataset(input_)));
    Predictor(path, *backend_).predict(input_, output_, {});
    const CaseReader reader(output_);
    for (std::int64_t which = 0; which < 3; ++which) {
        const auto series = case_series(reader.read(which), reader.times(), {});
        for (const double found : find_series(series, "mass_balance")->values) {
            EXPECT_NEAR(found, 1.0, 1e-6) << "case " << which;
        }
    }
}

TEST_F(GuidedPredictorTest, WritesTheDissolvedCo2OfThePhysicsAndTheSizeOfTheCorrections) {
    const Predictor predictor(path_, *backend_);
    predictor.predict(input_, output_, {});
    const Dataset data(input_), fields(output_);
    const std::vector<std::int64_t> cases{0, 1, 2};
    const auto physics = CasePhysics(data, {2}).load(cases);
    for (const std::int64_t which : cases) {
        const auto& known = physics[static_cast<std::size_t>(which)]->fields;
        std::vector<float> dissolved(60), buildup(60);
        fields.read_output("dissolved_co2", {&which, 1}, dissolved);
        fields.read_output("pressure_buildup", {&which, 1}, buildup);
        double change = 0.0, size = 0.0;
        for (std::size_t at = 0; at < 60; ++at) {
            if (at % 20 >= 15) {
                EXPECT_TRUE(std::isnan(dissolved[at]));
                continue;
            }
            EXPECT_EQ(dissolved[at], known.at("physics_dissolved_co2")[at]);
            const double base = known.at("physics_pressure_buildup")[at];
            change += (buildup[at] - base) * (buildup[at] - base);
            size += base * base;
        }
        const double found = per_case("correction_pressure_buildup")[static_cast<std::size_t>(which)];
        EXPECT_GT(found, 0.0);
        EXPECT_NEAR(found, std::sqrt(change / size), 1e-5);
        EXPECT_GE(per_case("correction_gas_saturation")[static_cast<std::size_t>(which)], 0.0F);
    }
}

TEST_F(GuidedPredictorTest, WritesTheSameWithRanks) {
    Predictor(path_, *backend_).predict(input_, output_, {});
    const std::vector<float> expected = per_case("correction_pressure_buildup");
    on_ranks(4, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, {2, 2});
        Predictor(path_, *backend, &grid).predict(input_, output_, {});
    });
    const std::vector<float> found = per_case("correction_pressure_buildup");
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-5);
    }
}

TEST(CorrectionSizes, AreRelativeAndOneWhereThePhysicsHasNothing) {
    const ScratchFolder folder;
    const std::string input = write_guided_sample(folder), output = folder.file("out.h5");
    CorrectionSizes sizes(3);
    const Tensor active = host_tensor<float>({3, 2}, std::vector<float>{1, 0, 1, 1, 1, 1});
    const Tensor known = host_tensor<float>({3, 2, 1}, std::vector<float>{3, 9, 0, 0, 0, 0});
    const Tensor predicted = host_tensor<float>({3, 2, 1}, std::vector<float>{4.5F, 0, 0, 0, 0, 2});
    sizes.add("gas_saturation", {0, 1, 2}, predicted, known, active);
    FieldsWriter writer(output, input, {"gas_saturation"}, {});
    sizes.write(writer);
    writer.commit();
    EXPECT_THAT(h5::File::open(output).read<float>("/case/correction_gas_saturation"),
                ::testing::ElementsAre(0.5F, 0.0F, 1.0F));
}

TEST_F(GuidedPredictorTest, ComputesACaseOnceForAllNetworksHoweverLittleMayBeKept) {
    const Predictor predictor(path_, *backend_);
    std::vector<std::int64_t> done;
    PredictionOptions options;
    options.batch = 2;
    options.progress = [&](std::int64_t passes, std::int64_t all) {
        done.push_back(passes);
        EXPECT_EQ(all, 6);
    };
    EXPECT_EQ(predictor.predict(input_, output_, options).physics, 3);
    EXPECT_EQ(done, (std::vector<std::int64_t>{2, 3, 5, 6}));
    const std::vector<float> sizes = per_case("correction_pressure_buildup");
    std::vector<float> expected(60), found(60);
    const std::int64_t which = 2;
    Dataset(output_).read_output("pressure_buildup", {&which, 1}, expected);
    for (const std::size_t bytes : {std::size_t{1}, 2 * sizeof(float) * 180, std::size_t{1} << 20}) {
        options.physics_bytes = bytes;
        const PredictionReport report = predictor.predict(input_, output_, options);
        EXPECT_EQ(report.physics, 3) << bytes;
        EXPECT_EQ(report.passes, 6);
        EXPECT_EQ(per_case("correction_pressure_buildup"), sizes);
        Dataset(output_).read_output("pressure_buildup", {&which, 1}, found);
        EXPECT_TRUE(std::ranges::equal(found, expected, [](float a, float b) {
            return std::abs(a - b) <= 1e-5F * std::abs(b) || (std::isnan(a) && std::isnan(b));
        }));
    }
}

TEST_F(GuidedPredictorTest, LeavesSaturationAloneFarFromThePlume) {
    const Predictor predictor(path_, *backend_);
    predictor.predict(input_, output_, {});
    const Dataset data(input_);
    const auto physics = CasePhysics(data, {2}).load(std::vector<std::int64_t>{0})[0];
    std::vector<float> predicted(60);
    const std::int64_t none = 0;
    Dataset(output_).read_output("gas_saturation", {&none, 1}, predicted);
    const std::vector<float>& known = physics->fields.at("physics_gas_saturation");
    int far = 0;
    for (std::size_t t = 0; t < 3; ++t) {
        int last = -1;  // column that the plume reaches
        for (int cell = 0; cell < 15; ++cell) {
            last = known[t * 20 + static_cast<std::size_t>(cell)] > plume_saturation ? std::max(last, cell % 5) : last;
        }
        for (int cell = 0; cell < 15; ++cell) {
            if (cell % 5 > last + 2) {
                EXPECT_EQ(predicted[t * 20 + static_cast<std::size_t>(cell)], 0.0F);
                ++far;
            }
        }
    }
    EXPECT_GT(far, 0);
}

TEST_F(GuidedPredictorTest, EvaluatesAndKeepsThePhysicsForTheNextTime) {
    const Predictor predictor(path_, *backend_);
    EvaluationOptions options;
    std::vector<std::string> messages;
    options.log = [&](Severity, std::string_view text) { messages.emplace_back(text); };
    const std::vector<Evaluation> evaluations = predictor.evaluate(Dataset(input_), options);
    ASSERT_EQ(evaluations.size(), 2U);
    EXPECT_EQ(evaluations[0].fields[0].errors.cases().size(), 3U);
    EXPECT_TRUE(std::isfinite(evaluations[0].loss));
    std::erase_if(messages, [](const std::string& text) { return text.find("the physics of") == std::string::npos; });
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_THAT(messages[0], HasSubstr("computing the physics of 3 of 3 cases"));
    EXPECT_THAT(messages[1], HasSubstr("reading the physics"));
}

TEST_F(GuidedPredictorTest, JudgesThePhysicsAloneWhereAskedTo) {
    const Predictor predictor(path_, *backend_);
    EvaluationOptions options;
    const Dataset data(input_);
    EXPECT_FALSE(predictor.evaluate(data, options)[0].fields[0].physics.has_value());
    options.compare_physics = true;
    const std::vector<Evaluation> judged = predictor.evaluate(data, options);
    // The outputs of the sample are nine tenths of the physics, which limits nothing.
    ASSERT_TRUE(judged[1].fields[0].physics.has_value());
    for (const CaseErrors& errors : judged[1].fields[0].physics->cases()) {
        EXPECT_NEAR(errors.relative_l2, 0.1 / 0.9, 1e-4);
    }
    for (const CaseErrors& errors : judged[0].fields[0].physics->cases()) {
        EXPECT_NEAR(errors.relative_l2, 0.1 / 0.9, 1e-4);
        EXPECT_NEAR(errors.mass_error, 0.1 / 0.9, 1e-4);
    }
    on_ranks(2, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, {1, 2});
        const Dataset own(input_);
        const std::vector<Evaluation> shared = Predictor(path_, *backend, &grid).evaluate(own, options);
        for (std::size_t network = 0; network < 2; ++network) {
            const ErrorSummary &found = *shared[network].fields[0].physics,
                               &expected = *judged[network].fields[0].physics;
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(found.cases()[i].mae, expected.cases()[i].mae, 1e-7);
                EXPECT_NEAR(found.cases()[i].mass_error, expected.cases()[i].mass_error, 1e-7);
            }
        }
    });
}

TEST_F(GuidedPredictorTest, RefusesBoxesAndReadyMadeChannels) {
    const Predictor predictor(path_, *backend_);
    try {
        predictor.predict(write_cartesian_sample(folder_), output_, {});
        FAIL() << "a box was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("need a radial grid"));
    }
    EXPECT_FALSE(fs::exists(output_));
}

}  // namespace
}  // namespace plumecast::testing
