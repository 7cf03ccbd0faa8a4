#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "inference/published_weights.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "support/comparison.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

using Shapes = std::map<std::string, Shape>;

/// A state dict of width 2, three channels, modes 1, 2, 1, one plain block and one with a convolution beside.
Shapes conv_fno() {
    Shapes shapes{{"conv1.fc0.weight", {2, 3}},
                  {"conv1.fc0.bias", {2}},
                  {"conv1.fc1.weight", {5, 2}},
                  {"conv1.fc1.bias", {5}},
                  {"conv1.fc2.weight", {1, 5}},
                  {"conv1.fc2.bias", {1}},
                  {"conv1.convolution1.weight", {2, 2, 3, 3, 3}},
                  {"conv1.convolution1.bias", {2}}};
    for (const std::string block : {"0", "1"}) {
        shapes["conv1.w" + block + ".weight"] = {2, 2, 1};
        shapes["conv1.w" + block + ".bias"] = {2};
        for (const std::string quadrant : {"1", "2", "3", "4"}) {
            shapes["conv1.conv" + block + ".weights" + quadrant] = {2, 2, 1, 2, 1, 2};
        }
    }
    return shapes;
}

class PublishedWeights : public testing::TemporaryFolder {
   protected:
    /// Writes random values of these shapes and reads them into a network.
    std::unique_ptr<Network> import(const Shapes& shapes, bool prefixed = true) {
        std::vector<Tensor> tensors;
        std::vector<NamedView> arrays;
        for (const auto& [name, shape] : shapes) {
            tensors.push_back(testing::random_tensor(shape, DType::float32, name));
            arrays.push_back({prefixed ? name : name.substr(6), tensors.back().view()});
        }
        write_safetensors(folder_ / "w.safetensors", arrays);
        const SafetensorsFile file(folder_ / "w.safetensors");
        auto network = std::make_unique<Network>(*backend_, published_network(file).config, 0);
        assign_published_weights(file, *network);
        return network;
    }
    std::string refusal(const Shapes& shapes) {
        try {
            import(shapes);
        } catch (const InvalidModel& error) {
            EXPECT_THAT(error.what(), HasSubstr("w.safetensors"));
            return error.what();
        }
        return "accepted";
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(PublishedWeights, ConfigurationComesFromNamesAndShapes) {
    const auto network = import(conv_fno());
    const NetworkConfig& config = network->config();
    EXPECT_EQ(config.architecture, "conv_fno");
    EXPECT_EQ(config.width, 2);
    EXPECT_EQ(config.channels, 3);
    EXPECT_EQ(config.modes, (std::vector<std::int64_t>{1, 2, 1}));
    EXPECT_EQ(config.fourier_blocks, 1);
    EXPECT_EQ(config.extended_blocks, 1);
    EXPECT_EQ(config.hidden, 5);
}

TEST_F(PublishedWeights, PlainBlocksAloneAreAnFno) {
    Shapes shapes = conv_fno();
    shapes.erase("conv1.convolution1.weight");
    shapes.erase("conv1.convolution1.bias");
    EXPECT_EQ(import(shapes)->config().architecture, "fno");
}

TEST_F(PublishedWeights, PlainBlocksAloneDoNotTellWhoseTheyAre) {
    Shapes shapes = conv_fno();
    import(shapes);
    EXPECT_EQ(published_network(SafetensorsFile(folder_ / "w.safetensors")).assumed, "");
    shapes.erase("conv1.convolution1.weight");
    shapes.erase("conv1.convolution1.bias");
    import(shapes);
    const SafetensorsFile file(folder_ / "w.safetensors");
    const PublishedNetwork network = published_network(file);
    EXPECT_EQ(network.config.activation.kind, Activation::Kind::relu);
    EXPECT_EQ(network.config.padding, (std::vector<std::int64_t>{8, 8, 8}));
    EXPECT_TRUE(network.config.last_activation);
    EXPECT_EQ(
        network.assumed,
        "its activation (that of Wen et al. is taken: ReLU, after the last block too) and its padding (that of Wen "
        "et al. is taken: 8 cells along each axis)");
    EXPECT_EQ(published_network(file, {.activation = Activation::relu(), .padding = {8, 8, 8}}).assumed, "");
    for (const std::string block : {"0", "1"}) {
        shapes["conv1.w" + block + ".weight"] = {2, 2, 1, 1, 1};
    }
    EXPECT_FALSE(import(shapes)->config().last_activation);
}

TEST_F(PublishedWeights, EveryModeFindsItsPlace) {
    const auto network = import(conv_fno());
    const Tensor ours = network->parameters().download(network->parameters().at("blocks.1.spectral.weight"));
    ASSERT_EQ(ours.shape(), (Shape{2, 4, 1, 2, 2, 2}));
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
        const Tensor part = testing::random_tensor({2, 2, 1, 2, 1, 2}, DType::float32,
                                                   "conv1.conv1.weights" + std::to_string(quadrant + 1));
        for (int r = 0; r < 2; ++r) {
            for (int pair = 0; pair < 4; ++pair) {  // [I, O] there and here
                for (int complex = 0; complex < 2; ++complex) {
                    const int row = (quadrant % 2) * 4 + (quadrant / 2) * 2 + r;
                    EXPECT_EQ(ours.values<float>()[static_cast<std::size_t>((row * 2 + complex) * 4 + pair)],
                              part.values<float>()[static_cast<std::size_t>((pair * 2 + r) * 2 + complex)]);
                }
            }
        }
    }
}

TEST_F(PublishedWeights, PrefixMayBeAbsent) {
    const auto with = import(conv_fno()), without = import(conv_fno(), false);
    for (const Parameter& parameter : with->parameters().all()) {
        testing::expect_close(without->parameters().download(without->parameters().at(parameter.name)),
                              with->parameters().download(parameter), 0.0, parameter.name);
    }
}

TEST_F(PublishedWeights, PrefixesOfWrappersMayStandBeforeTheNames) {
    for (const std::string prefix : {"module.", "_orig_mod.", "module._orig_mod.", "model._orig_mod.module."}) {
        Shapes wrapped = {{"n_averaged", {}}};
        for (const auto& [name, shape] : conv_fno()) {
            wrapped[prefix + name] = shape;
        }
        EXPECT_EQ(import(wrapped)->config().architecture, "conv_fno") << prefix;
    }
}

TEST_F(PublishedWeights, RefusesTwoNetworksInOneFile) {
    Shapes shapes;
    for (const auto& [name, shape] : conv_fno()) {
        shapes["net." + name] = shape;
        shapes["average." + name] = shape;
    }
    EXPECT_THAT(refusal(shapes), HasSubstr("several networks, under 'average.conv1.' and 'net.conv1.'"));
}

TEST_F(PublishedWeights, UnusedBatchNormsAndCountersAreIgnored) {
    Shapes shapes = conv_fno();
    shapes["conv1.bn0.weight"] = {2};
    shapes["conv1.bn0.running_mean"] = {2};
    shapes["conv1.unet3.conv1.1.num_batches_tracked"] = {};
    EXPECT_NO_THROW(import(shapes));
}

TEST_F(PublishedWeights, NamesWhatIsMissingLeftOverOrOfAWrongShape) {
    for (const std::string name : {"conv1.fc0.bias", "conv1.conv1.weights3", "conv1.fc2.weight"}) {
        Shapes shapes = conv_fno();
        shapes.erase(name);
        EXPECT_THAT(refusal(shapes), HasSubstr(name));
        shapes = conv_fno();
        shapes[name] = {3, 1};
        EXPECT_THAT(refusal(shapes), HasSubstr("["));
    }
    Shapes shapes = conv_fno();
    shapes["conv1.other"] = {1};
    EXPECT_THAT(refusal(shapes), HasSubstr("conv1.other"));
    shapes = conv_fno();
    shapes.erase("conv1.fc0.weight");
    EXPECT_THAT(refusal(shapes), HasSubstr("conv1.fc0.weight"));
}

TEST_F(PublishedWeights, RefusesWeightsOfWholeNumbersAndTruthValues) {
    import(conv_fno());
    const std::string file = read(folder_ / "w.safetensors");
    const std::size_t entry = file.find("\"conv1.fc1.bias\"");
    const std::size_t type = file.find("\"F32\"", entry);
    ASSERT_LT(type, file.size());
    for (const std::string_view dtype : {"I32", "U32"}) {  // as long as F32 is
        std::string changed = file;
        changed.replace(type + 1, 3, dtype);
        write(folder_ / "w.safetensors", changed);
        const SafetensorsFile weights(folder_ / "w.safetensors");
        const Network network(*backend_, published_network(weights).config, 0);
        try {
            assign_published_weights(weights, network);
            ADD_FAILURE() << dtype << " was taken";
        } catch (const InvalidModel& error) {
            EXPECT_THAT(error.what(), HasSubstr("w.safetensors: array 'conv1.fc1.bias' holds " + std::string(dtype) +
                                                ", whole numbers (weights are floating-point numbers"));
        }
    }
}

TEST_F(PublishedWeights, RefusesBlocksInAnotherOrder) {
    Shapes shapes = conv_fno();
    shapes.erase("conv1.convolution1.weight");
    shapes.erase("conv1.convolution1.bias");
    shapes["conv1.convolution0.weight"] = {2, 2, 3, 3, 3};
    shapes["conv1.convolution0.bias"] = {2};
    EXPECT_THAT(refusal(shapes), HasSubstr("block 1"));
}

TEST_F(PublishedWeights, NamesOfParametersAreThoseOfThePublishedNetworks) {
    EXPECT_EQ(published_name("lift.weight"), "conv1.fc0.weight");
    EXPECT_EQ(published_name("blocks.2.spectral.weight"), "conv1.conv2.weights");
    EXPECT_EQ(published_name("blocks.0.linear.bias"), "conv1.w0.bias");
    EXPECT_EQ(published_name("blocks.10.conv.bias"), "conv1.convolution10.bias");
    EXPECT_EQ(published_name("blocks.3.unet.conv2_1.weight"), "conv1.unet3.conv2_1.0.weight");
    EXPECT_EQ(published_name("blocks.3.unet.conv1.norm.running_variance"), "conv1.unet3.conv1.1.running_var");
    EXPECT_EQ(published_name("blocks.3.unet.deconv0.bias"), "conv1.unet3.deconv0.0.bias");
    EXPECT_EQ(published_name("blocks.3.unet.output.weight"), "conv1.unet3.output_layer.weight");
    EXPECT_EQ(published_name("projection.second.bias"), "conv1.fc2.bias");
    EXPECT_THROW(published_name("encoder.0.weight"), InvalidInput);
}

}  // namespace
}  // namespace plumecast
