#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/core/json.hpp>

#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* configuration =
    R"({"architecture": "fno", "channels": 2, "fields": 1, "width": 3, "modes": [2, 2, 2], "fourier_blocks": 1,
        "hidden": 4, "activation": "gelu", "padding": [0, 0, 0], "padded_multiple": 1})";

/// A network of a configuration behind the C face, with channels for two cases.
class CNetworkTest : public ::testing::Test {
   protected:
    CNetworkTest() { plumecast_network_create(device_, configuration, 1, &network_); }
    ~CNetworkTest() override {
        plumecast_network_release(network_);
        plumecast_device_release(device_);
    }

    plumecast_array channels() { return c_array(channels_.data(), ElementType::float32, shape_); }
    double weighted_sum() {
        std::vector<double> values(cotangent_.size());
        const plumecast_array from = channels(), to = c_array(values.data(), ElementType::float64, predicted_);
        EXPECT_EQ(plumecast_network_forward(network_, &from, &to, 0), PLUMECAST_OK) << plumecast_last_error();
        double sum = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum += values[i] * static_cast<double>(cotangent_[i]);
        }
        return sum;
    }
    static std::vector<float> waves(std::size_t count, float step) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = std::sin(step * static_cast<float>(i));
        }
        return values;
    }

    std::vector<std::int64_t> shape_{2, 5, 6, 4, 2}, predicted_{2, 5, 6, 4, 1};
    std::vector<float> channels_ = waves(480, 0.7F), cotangent_ = waves(240, 0.3F);
    plumecast_device* device_ = open_cpu();
    plumecast_network* network_ = nullptr;
};

TEST_F(CNetworkTest, IsDescribedWithItsParameters) {
    const char* text = nullptr;
    ASSERT_EQ(plumecast_network_describe(network_, &text), PLUMECAST_OK) << plumecast_last_error();
    const Json json = Json::parse(text, "description");
    std::size_t count = 0;
    ASSERT_EQ(plumecast_network_parameter_count(network_, &count), PLUMECAST_OK);
    EXPECT_EQ(json.find("parameters")->get_if<Json::Array>()->size(), count);
    plumecast_named first{};
    ASSERT_EQ(plumecast_network_parameter(network_, 0, &first), PLUMECAST_OK);
    EXPECT_STREQ(first.name, "lift.weight");
    EXPECT_EQ(first.array.ndim, 2);
    EXPECT_EQ(first.array.shape[0], 2);
    EXPECT_EQ(plumecast_network_parameter(network_, count, &first), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("is not there (the network has"));
}

TEST_F(CNetworkTest, GivesDerivativesThatDifferencesOfItsWeightsGive) {
    plumecast_named bias{};
    std::size_t count = 0;
    plumecast_network_parameter_count(network_, &count);
    for (std::size_t index = 0; index < count; ++index) {
        plumecast_network_parameter(network_, index, &bias);
        if (std::string(bias.name) == "projection.first.bias") {
            break;
        }
    }
    std::vector<double> slopes(4), by_channels(channels_.size());
    std::vector<std::int64_t> four{4};
    const plumecast_named wanted{"projection.first.bias", c_array(slopes.data(), ElementType::float64, four)};
    const plumecast_array from = channels(), weights = c_array(cotangent_.data(), ElementType::float32, predicted_),
                          to = c_array(by_channels.data(), ElementType::float64, shape_);
    ASSERT_EQ(plumecast_network_vjp(network_, &from, &weights, &to, &wanted, 1, 0), PLUMECAST_OK)
        << plumecast_last_error();
    float* values = static_cast<float*>(bias.array.data);
    constexpr float step = 0x1p-6F;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const float value = values[i];
        values[i] = value + step;
        const double above = weighted_sum();
        values[i] = value - step;
        const double below = weighted_sum();
        values[i] = value;
        EXPECT_NEAR((above - below) / (2.0 * static_cast<double>(step)), slopes[i], 2e-3 * std::abs(slopes[i]) + 1e-3);
    }
    channels_[7] += step;
    const double above = weighted_sum();
    channels_[7] -= 2.0F * step;
    EXPECT_NEAR((above - weighted_sum()) / (2.0 * static_cast<double>(step)), by_channels[7],
                2e-3 * std::abs(by_channels[7]) + 1e-3);
}

TEST_F(CNetworkTest, AssignsReadsSavesAndLoadsWeights) {
    ScratchFolder folder;
    std::vector<std::int64_t> three{3};
    std::vector<double> given{1.0, 2.0, 3.0}, read(3);
    const plumecast_named from{"lift.bias", c_array(given.data(), ElementType::float64, three)},
        to{"lift.bias", c_array(read.data(), ElementType::float64, three)};
    ASSERT_EQ(plumecast_network_assign(network_, &from, 1), PLUMECAST_OK) << plumecast_last_error();
    const std::string file = folder.file("weights.safetensors");
    ASSERT_EQ(plumecast_network_save(network_, file.c_str(), nullptr), PLUMECAST_OK) << plumecast_last_error();
    plumecast_network* other = nullptr;
    ASSERT_EQ(plumecast_network_create(device_, configuration, 2, &other), PLUMECAST_OK);
    ASSERT_EQ(plumecast_network_load(other, file.c_str()), PLUMECAST_OK) << plumecast_last_error();
    ASSERT_EQ(plumecast_network_read(other, &to, 1), PLUMECAST_OK) << plumecast_last_error();
    EXPECT_EQ(read, given);
    EXPECT_EQ(plumecast_network_save(network_, folder.file("model").c_str(), nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_load(other, "/nowhere/at/all.safetensors"), PLUMECAST_IO_ERROR);
    plumecast_network_release(other);
}

TEST_F(CNetworkTest, ReadsElementsOfSixteenBits) {
    std::vector<std::uint16_t> ones(channels_.size(), 0x3f80);  // bfloat16
    channels_.assign(channels_.size(), 1.0F);
    std::vector<float> expected(240), values(240);
    const plumecast_array single = channels(), to = c_array(expected.data(), ElementType::float32, predicted_);
    ASSERT_EQ(plumecast_network_forward(network_, &single, &to, 0), PLUMECAST_OK);
    for (const std::uint8_t code : {PLUMECAST_BFLOAT, PLUMECAST_FLOAT}) {
        ones.assign(ones.size(), code == PLUMECAST_FLOAT ? 0x3c00 : 0x3f80);
        plumecast_array narrow = single, other = to;
        narrow.data = ones.data();
        narrow.dtype = {code, 16, 1};
        other.data = values.data();
        ASSERT_EQ(plumecast_network_forward(network_, &narrow, &other, 0), PLUMECAST_OK) << plumecast_last_error();
        EXPECT_EQ(values, expected);
    }
}

TEST_F(CNetworkTest, RefusesNullsAndWhatDoesNotFit) {
    const plumecast_array from = channels(), to = c_array(cotangent_.data(), ElementType::float32, predicted_);
    plumecast_network* none = nullptr;
    EXPECT_EQ(plumecast_network_create(nullptr, configuration, 1, &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_create(device_, nullptr, 1, &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_create(device_, "{", 1, &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_create(device_, configuration, 1, nullptr), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_of_model(nullptr, "gas_saturation", &none), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(plumecast_network_forward(nullptr, &from, &to, 0), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_forward(network_, nullptr, &to, 0), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_forward(network_, &from, nullptr, 0), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(plumecast_network_forward(network_, &from, &to, 7), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("training is 7"));
    EXPECT_EQ(plumecast_network_vjp(network_, &from, &to, nullptr, nullptr, 0, 0), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("no derivative is asked for"));
    EXPECT_EQ(plumecast_network_vjp(network_, &from, &to, nullptr, nullptr, 1, 0), PLUMECAST_INVALID_INPUT);
    plumecast_network_release(nullptr);
}

TEST(CNetworkOfAModel, TakesInputsOfCasesAndOutlivesTheModel) {
    CModel tiny;
    plumecast_network* network = nullptr;
    ASSERT_EQ(plumecast_network_of_model(tiny.model, "gas_saturation", &network), PLUMECAST_OK)
        << plumecast_last_error();
    plumecast_network* other = nullptr;
    EXPECT_EQ(plumecast_network_of_model(tiny.model, "temperature", &other), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(plumecast_last_error(), HasSubstr("no network of the model predicts 'temperature'"));
    ASSERT_EQ(plumecast_network_of_model(tiny.model, nullptr, &other), PLUMECAST_OK) << plumecast_last_error();
    plumecast_network_release(other);
    std::vector<float> active(60, -7.0F);
    std::vector<std::int64_t> extents{3, 4, 5};
    const plumecast_named wanted{"active", c_array(active.data(), ElementType::float32, extents)};
    ASSERT_EQ(plumecast_network_inputs(network, tiny.cases, &wanted, 1, nullptr), PLUMECAST_OK)
        << plumecast_last_error();
    EXPECT_EQ(active, tiny.content().arrays.at("active"));
    plumecast_model_release(tiny.model);
    plumecast_device_release(tiny.device);
    tiny.model = nullptr;
    tiny.device = nullptr;
    plumecast_named first{};
    EXPECT_EQ(plumecast_network_parameter(network, 0, &first), PLUMECAST_OK);
    EXPECT_EQ(plumecast_network_save(network, tiny.file("again").c_str(), "Again"), PLUMECAST_OK)
        << plumecast_last_error();
    plumecast_network_release(network);
}

}  // namespace
}  // namespace plumecast::testing
