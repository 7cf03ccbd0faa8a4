#include "inference/networks/writable_network.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>

#include "inference/stream/case_stream.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "support/comparison.hpp"
#include "support/samples/recorded_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

std::string refused_by_network(const std::function<void()>& call) {
    try {
        call();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "done";
}

/// A tiny guided model that predicts both fields, and a network of its own.
class WritableNetworkTest : public ::testing::Test {
   protected:
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    RecordedModel model_{tiny_guided_network("fno"), guided_content()};
    Bundle bundle_ = Bundle::load(model_.path(), *backend_);
    WritableNetwork network_ = WritableNetwork::of_bundle(bundle_, "gas_saturation");
    Dataset cases_{views_of(model_.content())};
};

std::vector<double> first_weight(const Parameters& parameters) {
    return as_double(parameters.download(parameters.all().front()));
}

TEST_F(WritableNetworkTest, HasWeightsOfItsOwn) {
    const Parameters& original = bundle_.networks.front().network->parameters();
    const std::vector<double> before = first_weight(original);
    EXPECT_EQ(first_weight(network_.parameters()), before);
    const std::vector<WeightArray> weights = network_.weights();
    ASSERT_EQ(weights.size(), original.all().size());
    EXPECT_EQ(weights.front().name, original.all().front().name);
    static_cast<float*>(weights.front().array.data)[0] += 1.0F;
    EXPECT_EQ(first_weight(original), before);
    EXPECT_NEAR(first_weight(network_.parameters())[0], before[0] + 1.0, 1e-6);
}

TEST_F(WritableNetworkTest, PredictsWithItsInputsWhatTheModelPredicts) {
    const FieldNetwork& original = *bundle_.networks.front().network;
    const auto count = static_cast<std::int64_t>(original.description().channels.size());
    std::map<std::string, std::vector<std::int64_t>> shapes{{"channels", {3, 4, 5, 3, count}}};
    for (const char* name : {"base", "correction", "targets"}) {
        shapes[name] = {3, 4, 5, 3, 2};
    }
    shapes["active"] = {3, 4, 5};
    shapes["scales"] = {3, 2};
    std::map<std::string, std::vector<float>> values;
    PredictedArrays arrays;
    for (const auto& [name, shape] : shapes) {
        std::int64_t size = 1;
        for (const std::int64_t extent : shape) {
            size *= extent;
        }
        values[name].assign(static_cast<std::size_t>(size), -7.0F);
        arrays.arrays[name] = output_to(values[name].data(), shape);
    }
    PredictionOptions options;
    options.batch = 2;
    network_.read_inputs(cases_, arrays, options);
    std::vector<float> own(values["base"].size());
    network_.forward(view_of(values["channels"].data(), shapes["channels"], ""), output_to(own.data(), shapes["base"]),
                     false);
    for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] = values["base"][i] + values["correction"][i] * own[i];
    }
    const NetworkDescription* description = &original.description();
    const CaseSet set(cases_, {&description, 1}, {});
    const CaseBatch batch = CaseStream(original, set, {.targets = Targets::read}).load({0, all_cases(cases_.cases())});
    const Predictor predictor(model_.path(), *backend_);
    const Tensor expected = predictor.predict(predictor.bundle().networks.front(), batch.on_model_grid);
    expect_close({expected.shape(), DType::float32, own.data()}, expected, 1e-5);
    const auto same = [&](const std::string& name, const Tensor& right) {
        EXPECT_EQ(as_double({right.shape(), DType::float32, values[name].data()}), as_double(right)) << name;
    };
    same("targets", batch.on_model_grid.targets);
    same("active", batch.on_model_grid.active);
    same("scales", batch.on_model_grid.scales);
    same("base", batch.on_model_grid.base);
}

TEST_F(WritableNetworkTest, IsDescribedByWhatMakesItAgain) {
    const Json description = network_.description();
    const Json* configuration = description.find("configuration");
    ASSERT_NE(configuration, nullptr);
    const auto again = WritableNetwork::of_configuration(configuration->dump(), *backend_, 7);
    EXPECT_EQ(again.description(), description);
    EXPECT_NE(first_weight(again.parameters()), first_weight(network_.parameters()));
    const auto same = WritableNetwork::of_configuration(configuration->dump(), *backend_, 7);
    EXPECT_EQ(first_weight(again.parameters()), first_weight(same.parameters()));
}

TEST_F(WritableNetworkTest, CanBeSavedAsAModelAndAsWeights) {
    static_cast<float*>(network_.weights().front().array.data)[0] = 0.25F;
    network_.save(model_.file("again"), "Again");
    const Bundle again = Bundle::load(model_.file("again"), *backend_);
    EXPECT_EQ(again.title, "Again");
    EXPECT_EQ(first_weight(again.networks.front().network->parameters())[0], 0.25);
    EXPECT_EQ(again.networks.front().network->description(), bundle_.networks.front().network->description());
    network_.save(model_.file("weights.safetensors"), "Weights");
    WritableNetwork other = WritableNetwork::of_bundle(bundle_, "pressure_buildup");
    other.load(model_.file("weights.safetensors"));
    EXPECT_EQ(first_weight(other.parameters()), first_weight(network_.parameters()));
}

TEST_F(WritableNetworkTest, AssignsAndReadsByName) {
    const std::string name = network_.parameters().all().front().name;
    const std::vector<std::int64_t> extents = network_.weights().front().array.extents;
    std::vector<double> values(static_cast<std::size_t>(extents[0] * extents[1]), 0.5), read(values.size());
    network_.assign({{name, view_of(values.data(), extents, "")}});
    network_.read({{name, output_to(read.data(), extents)}});
    EXPECT_EQ(read, values);
    EXPECT_THAT(refused_by_network([&] {
                    network_.assign({{name, view_of(values.data(), {1}, "")}});
                }),
                HasSubstr("has the shape [1] (the network needs ["));
    EXPECT_THAT(refused_by_network([&] {
                    network_.assign({{"no.such", view_of(values.data(), extents, "")}});
                }),
                HasSubstr("no parameter 'no.such'"));
}

TEST_F(WritableNetworkTest, NamesWhatItDoesNotHave) {
    EXPECT_THAT(refused_by_network([&] { WritableNetwork::of_bundle(bundle_, "gas_saturatoin"); }),
                HasSubstr("did you mean gas_saturation?"));
    std::vector<float> values(1);
    EXPECT_THAT(refused_by_network([&] {
                    network_.read_inputs(cases_, {{{"bases", output_to(values.data(), {1})}}}, {});
                }),
                HasSubstr("'bases' is nothing that a network takes of cases (there are active, base, channels"));
}

TEST(WritableNetwork, OfAConfigurationMayCountItsChannels) {
    const auto backend = make_cpu_backend({.threads = 1});
    const std::string text =
        R"({"architecture": "fno", "channels": 3, "fields": 1, "width": 2, "modes": [1, 1, 1], "fourier_blocks": 1})";
    const auto network = WritableNetwork::of_configuration(text, *backend, 1);
    EXPECT_EQ(network.parameters().at("lift.weight").whole, (Shape{3, 2}));
    EXPECT_EQ(*network.description().find("configuration")->find("channels"), Json(3));
    EXPECT_THAT(refused_by_network([&] { network.save("nowhere", "A model"); }),
                HasSubstr("knows only how many channels"));
    EXPECT_THAT(refused_by_network([&] { WritableNetwork::of_configuration(R"({"channels": 3})", *backend, 1); }),
                HasSubstr("configuration"));
    EXPECT_THAT(refused_by_network([&] {
                    WritableNetwork::of_configuration(R"({"channels": 3, "fields": 1, "widht": 3})", *backend, 1);
                }),
                HasSubstr("did you mean"));
}

}  // namespace
}  // namespace plumecast::testing
