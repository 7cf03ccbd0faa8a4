#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "inference/published_weights.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/repository.hpp"
#include "support/samples/network_pass.hpp"

// Networks of other authors, whose weights and predictions bench/peer/published_layouts.py makes with PyTorch.
namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string layout_file(const std::string& name) {
    const char* moved = std::getenv("PLUMECAST_REFERENCE_FOLDER");
    return (moved != nullptr ? moved : repository_folder() + "/tests/reference") + "/layouts/" + name + ".safetensors";
}

/// The padding of those that have one, which no file tells.
PublishedSettings settings_of(const std::string& name) {
    return {.padding = name == "script_2d"   ? std::vector<std::int64_t>{3, 2}
                       : name == "script_3d" ? std::vector<std::int64_t>{0, 0, 3}
                                             : std::vector<std::int64_t>{}};
}

std::unique_ptr<Network> imported(Backend& backend, const std::string& name) {
    const SafetensorsFile weights(layout_file(name));
    auto network = std::make_unique<Network>(backend, published_network(weights, settings_of(name)).config, 0);
    assign_published_weights(weights, *network);
    return network;
}

/// [B, axes..., C] with axes of one cell before those that there are, so that there are as many as the network has.
Shape with_axes(const Shape& fields, std::size_t axes) {
    Shape shape{fields[0]};
    for (int missing = static_cast<int>(axes) + 2 - fields.rank(); missing-- > 0;) {
        shape = shape.append(1);
    }
    for (int axis = 1; axis < fields.rank(); ++axis) {
        shape = shape.append(fields[axis]);
    }
    return shape;
}

NetworkInput input_of(Backend& backend, const NetworkConfig& config, const Tensor& fields) {
    NetworkInput input;
    const Shape shape = with_axes(fields.shape(), config.modes.size());
    input.batch = shape[0];
    input.extents = shape.slice(1, shape.rank() - 1);
    std::vector<std::int64_t> channels(static_cast<std::size_t>(config.channels));
    std::iota(channels.begin(), channels.end(), std::int64_t{0});
    Tensor host(host_memory(), fields.shape(), fields.type());
    std::ranges::copy(fields.values<float>(), host.values<float>().begin());
    host.reshape(shape);
    Tensor values(backend.memory(), shape, backend.compute_type());
    backend.upload(host, values);
    input.groups.push_back({channels, std::move(values)});
    return input;
}

class PublishedLayout : public ::testing::TestWithParam<std::string> {};

TEST_P(PublishedLayout, PredictsWhatPyTorchPredicts) {
    const SafetensorsFile fields(layout_file(GetParam() + "_fields"));
    Tensor expected = fields.read("outputs");
    for (const auto& backend : {make_oracle_backend(), make_cpu_backend({.threads = 1})}) {
        const auto network = imported(*backend, GetParam());
        const NetworkInput input = input_of(*backend, network->config(), fields.read("inputs"));
        const Shape shape = input.groups[0].values.shape().with(-1, network->config().fields);
        expected.reshape(shape);
        expect_close(described_prediction(*network, input), expected, 1e-5, "described");
        const Feed feed = feed_of(*network, input);
        const Graph graph = describe(network->config(), shapes_of(input), ExecutionMode::evaluation);
        const Plan plan(*backend, for_prediction(*backend, graph, feed), feed);
        Tensor workspace = plan.make_workspace(), output(backend->memory(), shape, backend->compute_type());
        plan.run(workspace, feed, std::array{output.view()});
        Tensor host = host_zeros(shape, output.type());
        backend->download(output, host);
        expect_close(host, expected, 1e-5, "planned");
    }
}

INSTANTIATE_TEST_SUITE_P(Layouts, PublishedLayout,
                         ::testing::Values("script_1d", "script_2d", "script_3d", "script_2022_2d", "pino_2d",
                                           "library_1d", "library_2d", "library_odd_2d", "library_3d", "library_4d",
                                           "library_tucker_2d", "library_cp_2d", "library_tt_3d"),
                         [](const auto& name) { return name.param; });

TEST(PublishedLayouts, SayWhatTheFileDoesNotTell) {
    EXPECT_EQ(published_network(SafetensorsFile(layout_file("script_2d"))).assumed,
              "its activation (GELU is taken) and its padding (none is taken)");
    EXPECT_EQ(published_network(SafetensorsFile(layout_file("library_2d"))).assumed, "");
}

TEST(PublishedLayouts, OfTwoAxesHaveAFirstOneOfOneCell) {
    const NetworkConfig config = published_network(SafetensorsFile(layout_file("library_2d"))).config;
    EXPECT_EQ(config.modes, (std::vector<std::int64_t>{0, 3, 5}));
    EXPECT_EQ(config.padding, (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(config.lifting, 8);
    EXPECT_EQ(config.channel_mlp, 2);
    EXPECT_FALSE(config.last_activation);
    EXPECT_EQ(published_network(SafetensorsFile(layout_file("script_2022_2d"))).config.spectral_mlp, 4);
}

TEST(PublishedLayouts, StandOnTheAxesThatTheDataHave) {
    const SafetensorsFile weights(layout_file("script_2d")), line(layout_file("script_1d"));
    const PublishedSettings plane{.padding = {3, 2}, .axes = {true, true, false}};
    const NetworkConfig config = published_network(weights, plane).config, usual = published_network(weights).config;
    EXPECT_EQ(config.modes, (std::vector<std::int64_t>{usual.modes[1], usual.modes[2], 0}));
    EXPECT_EQ(config.padding, (std::vector<std::int64_t>{3, 2, 0}));
    EXPECT_EQ(usual.modes[0], 0);
    const NetworkConfig one = published_network(line, {.axes = {false, true, false}}).config;
    EXPECT_GT(one.modes[1], 0);
    EXPECT_EQ(one.modes[0] + one.modes[2], 0);
    EXPECT_EQ(published_network(line, {.axes = {true, true, false}}).config, published_network(line).config)
        << "of another number of axes";
}

class PublishedPlane : public PublishedLayout {};

TEST_P(PublishedPlane, PredictsTheSameOnTheAxesOfSpace) {
    const SafetensorsFile fields(layout_file(GetParam() + "_fields")), weights(layout_file(GetParam()));
    const auto oracle = make_oracle_backend();
    PublishedSettings settings = settings_of(GetParam());
    settings.axes = {true, true, false};
    const Network network(*oracle, published_network(weights, settings).config, 0);
    assign_published_weights(weights, network);
    NetworkInput input = input_of(*oracle, network.config(), fields.read("inputs"));
    const Shape last = input.groups[0].values.shape(), first{last[0], last[2], last[3], 1, last[4]};
    input.extents = first.slice(1, 4);
    input.groups[0].values.reshape(first);
    Tensor expected = fields.read("outputs");
    expected.reshape(first.with(-1, network.config().fields));
    expect_close(described_prediction(network, input), expected, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Layouts, PublishedPlane,
                         ::testing::Values("script_2d", "script_2022_2d", "pino_2d", "library_2d", "library_odd_2d",
                                           "library_tucker_2d", "library_cp_2d"),
                         [](const auto& name) { return name.param; });

class ChangedLayout : public TemporaryFolder {
   protected:
    /// Why the network of a file with one more array, or another text on what it was made with, is refused.
    std::string refusal(const std::string& name, const std::string& array, const Shape& shape,
                        const std::string& arguments = "", double value = 0.5) {
        return refusal_with(name, array, shape.rank() > 0 ? std::optional(shape) : std::nullopt, arguments, value);
    }
    /// The same with an array of any shape, or without it.
    std::string refusal_with(const std::string& name, const std::string& array, const std::optional<Shape>& shape,
                             const std::string& arguments = "", double value = 0.5) {
        const SafetensorsFile whole(layout_file(name));
        std::vector<Tensor> tensors;
        std::vector<NamedView> arrays;
        tensors.reserve(whole.names().size() + 1);
        for (const std::string& one : whole.names()) {
            if (one != array) {
                tensors.push_back(whole.read(one));
                arrays.push_back({one, std::as_const(tensors.back()).view()});
            }
        }
        if (shape) {
            tensors.push_back(host_zeros(*shape));
            std::ranges::fill(tensors.back().values<float>(), static_cast<float>(value));
            arrays.push_back({array, std::as_const(tensors.back()).view()});
        }
        std::map<std::string, std::string> texts;
        if (!arguments.empty()) {
            texts["neuraloperator"] = arguments;
        }
        write_safetensors(folder_ / "changed.safetensors", arrays, texts);
        try {
            const SafetensorsFile weights(folder_ / "changed.safetensors");
            const auto backend = make_cpu_backend({.threads = 1});
            const Network network(*backend, published_network(weights).config, 0);
            assign_published_weights(weights, network);
        } catch (const InvalidModel& error) {
            return error.what();
        }
        return "accepted";
    }
};

TEST_F(ChangedLayout, IsRefusedByTheNameOfWhatOurNetworksLack) {
    for (const auto& [arguments, what] : std::vector<std::pair<std::string, std::string>>{
             {R"({"_name": "UNO"})", "class UNO"},
             {R"({"_name": "FNO", "preactivation": true})", "preactivation = true"},
             {R"({"_name": "FNO", "norm": "instance_norm"})", "norm = \"instance_norm\""},
             {R"({"_name": "FNO", "stabilizer": "tanh"})", "stabilizer"},
             {R"({"_name": "FNO", "separable": true})", "separable"},
             {R"({"_name": "FNO", "complex_data": true})", "complex fields"},
             {R"({"_name": "FNO", "domain_padding": 0.25})", "domain_padding = 0.25"},
             {R"({"_name": "FNO", "resolution_scaling_factor": [2, 1]})", "resolution_scaling_factor"},
             {R"({"_name": "FNO", "n_modes": [4, 4], "max_n_modes": [6, 8]})", "max_n_modes"},
             {R"({"_name": "FNO", "non_linearity": "silu"})", "non_linearity = silu"},
             {R"({"_name": "FNO", "non_linearity": "relu"})", "gelu within"}}) {
        EXPECT_THAT(refusal("library_2d", "", {}, arguments), AllOf(HasSubstr("changed.safetensors"), HasSubstr(what)));
    }
    const std::string blocks = "fno_blocks.";
    EXPECT_THAT(refusal("library_2d", blocks + "norm.0.weight", {4}), HasSubstr("normalisation"));
    EXPECT_THAT(refusal("library_2d", blocks + "convs.weight.0.tensor", {4}), HasSubstr("before version 1"));
    EXPECT_THAT(refusal("library_2d", blocks + "fno_skips.1.conv.weight", {}), HasSubstr("fno_skip tells"));
    EXPECT_THAT(refusal("library_odd_2d", blocks + "fno_skips.0.weight", {4, 4, 3, 3}), HasSubstr("conv_bias_kernel"));
    EXPECT_THAT(refusal("library_2d", "more", {4}), HasSubstr("array 'more' is left over"));
}

TEST_F(ChangedLayout, IsRefusedWhereABlockHasAnotherNumberOfAxes) {
    const std::string blocks = "fno_blocks.";
    const std::vector<std::array<std::string, 2>> arrays = {{"library_odd_2d", blocks + "fno_skips.0.weight"},
                                                            {"library_2d", blocks + "convs.1.weight.tensor"},
                                                            {"library_2d", blocks + "convs.0.weight.tensor"},
                                                            {"library_2d", blocks + "channel_mlp.0.fcs.0.weight"},
                                                            {"library_2d", "lifting.fcs.0.weight"},
                                                            {"library_2d", "projection.fcs.1.weight"},
                                                            {"library_tucker_2d", blocks + "convs.0.weight.core"},
                                                            {"script_3d", "conv0.weights1"},
                                                            {"script_3d", "conv1.weights1"},
                                                            {"script_3d", "conv1.weights4"},
                                                            {"script_3d", "w0.weight"},
                                                            {"script_3d", "fc0.weight"},
                                                            {"script_3d", "fc2.weight"},
                                                            {"script_2022_2d", "mlp0.mlp1.weight"}};
    for (const auto& [file, array] : arrays) {
        const SafetensorsFile whole(layout_file(file));
        const Shape shape = whole.contains(array) ? whole.shape(array) : Shape();  // the identity has no weights
        std::vector<Shape> others = {Shape(), Shape{4}};
        if (shape.rank() > 3) {
            others.push_back(shape.slice(1, shape.rank()));
            others.push_back(shape.append(2));
        }
        for (const Shape& other : others) {
            const std::string stem = array.substr(0, array.find(".tensor"));
            EXPECT_THAT(refusal_with(file, array, other), AllOf(HasSubstr("'" + stem), HasSubstr(other.text())))
                << file << ' ' << array;
        }
    }
}

TEST_F(ChangedLayout, IsRefusedWhereWhatItWasMadeWithHasNoNames) {
    for (const std::string text : {"[]", "5", "\"x\"", "null"}) {
        EXPECT_THAT(refusal("library_2d", "", {}, text), HasSubstr("text 'neuraloperator' is " + text));
    }
}

TEST_F(ChangedLayout, SaysWhatItTakesWhereNamesTellNothing) {
    ASSERT_EQ(refusal("library_2d", "", {}, "{}"), refusal("library_2d", "", {}));
    refusal("library_2d", "", {}, "{}");
    EXPECT_THAT(published_network(SafetensorsFile(folder_ / "changed.safetensors")).assumed,
                HasSubstr("what the network was made with"));
}

TEST(PublishedLayouts, RefuseAPaddingThatNoNetworkHas) {
    const SafetensorsFile weights(layout_file("script_2d"));
    for (const std::int64_t cells : {std::int64_t{9223372036854775807}, std::int64_t{1048577}, std::int64_t{-1}}) {
        EXPECT_THAT(
            [&] {
                published_network(weights, {.padding = {cells, 1}});
            },
            ::testing::ThrowsMessage<InvalidInput>(HasSubstr("padding of " + std::to_string(cells))));
    }
    EXPECT_EQ(published_network(weights, {.padding = {1048576, 0}}).config.padding,
              (std::vector<std::int64_t>{0, 1048576, 0}));
}

TEST_F(ChangedLayout, TellsTheIdentityFromNoSkip) {
    EXPECT_EQ(refusal("library_odd_2d", "", {}, R"({"_name": "FNO", "fno_skip": null})"), "accepted");
    EXPECT_THAT(refusal("library_odd_2d", "", {}), HasSubstr("fno_skip tells"));
}

TEST_F(ChangedLayout, IsRefusedWhereFactorsDoNotFit) {
    const std::string weight = "fno_blocks.convs.0.weight.";
    EXPECT_THAT(refusal("library_tucker_2d", weight + "core", {3, 3, 3, 2, 2}), HasSubstr("a rank of 2 is expected"));
    EXPECT_THAT(refusal("library_tucker_2d", weight + "core", {3, 3, 2}), HasSubstr("an axis for each factor"));
    EXPECT_THAT(refusal("library_cp_2d", weight + "weights", {4, 2}), HasSubstr("a rank of 4 is expected"));
    EXPECT_THAT(refusal("library_cp_2d", weight + "factors.factor_1", {4, 3}), HasSubstr("a complex factor"));
    EXPECT_THAT(refusal("library_tt_3d", weight + "factors.factor_4", {3, 4, 2, 2}), HasSubstr("the last rank"));
    EXPECT_THAT(refusal("library_tucker_2d", weight + "factors.factor_0", {}), HasSubstr("core"));
}

TEST_F(ChangedLayout, IsRefusedWhereFactorsMakeMoreThanMemoryHolds) {
    const std::string weight = "fno_blocks.convs.0.weight.";
    const Tensor scale = host_zeros({1, 2}), factor = host_zeros({40000, 1, 2});
    write_safetensors(folder_ / "large.safetensors",
                      std::vector<NamedView>{{weight + "weights", scale.view()},
                                             {weight + "factors.factor_0", factor.view()},
                                             {weight + "factors.factor_1", factor.view()},
                                             {weight + "factors.factor_2", factor.view()}});
    EXPECT_THAT([&] { published_network(SafetensorsFile(folder_ / "large.safetensors")); },
                ::testing::ThrowsMessage<InvalidModel>(HasSubstr("2^31 numbers")));
}

TEST_F(ChangedLayout, IsRefusedWhereRanksTakeMoreThanMemoryHolds) {
    const std::string weight = "fno_blocks.convs.0.weight.", factor = weight + "factors.factor_";
    const std::int64_t n = 16384;  // n x n numbers are few enough, n x n x 8 too many
    const std::vector<std::map<std::string, Shape>> files = {
        {{weight + "weights", {8, 2}}, {factor + "0", {n, 8, 2}}, {factor + "1", {n, 8, 2}}, {factor + "2", {1, 8, 2}}},
        {{weight + "core", {1, 1, 8, 2}},
         {factor + "0", {n, 1, 2}},
         {factor + "1", {n, 1, 2}},
         {factor + "2", {1, 8, 2}}},
        {{factor + "0", {1, n, 1, 2}}, {factor + "1", {1, n, 8, 2}}, {factor + "2", {8, 1, 1, 2}}}};
    for (const auto& file : files) {
        std::vector<Tensor> tensors;
        std::vector<NamedView> arrays;
        tensors.reserve(file.size());
        for (const auto& [name, shape] : file) {
            tensors.push_back(host_zeros(shape));
            arrays.push_back({name, std::as_const(tensors.back()).view()});
        }
        write_safetensors(folder_ / "ranks.safetensors", arrays);
        EXPECT_THAT([&] { published_network(SafetensorsFile(folder_ / "ranks.safetensors")); },
                    ::testing::ThrowsMessage<InvalidModel>(HasSubstr("have ranks so large")));
    }
}

TEST_F(ChangedLayout, OfScriptsIsRefusedWithNormsThatWereCalled) {
    EXPECT_THAT(refusal("script_3d", "bn1.num_batches_tracked", {1}), HasSubstr("trained with"));
    EXPECT_EQ(refusal("script_3d", "bn1.num_batches_tracked", {1}, "", 0.0), "accepted");
    EXPECT_THAT(refusal("script_3d", "conv0.weights1", {}), HasSubstr("no array 'conv0.weights1'"));
}

}  // namespace
}  // namespace plumecast::testing
