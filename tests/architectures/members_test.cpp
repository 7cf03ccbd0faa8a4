#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/core/error.hpp>

#include "support/backends.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t first_seed = 3;

/// A network of two members with the weights of those of two seeds.
Network joined(Backend& backend, NetworkConfig config) {
    config.members = 2;
    Network both(backend, config, std::nullopt);
    config.members = 1;
    for (std::int64_t k = 0; k < 2; ++k) {
        const Network one(backend, config, first_seed + static_cast<std::uint64_t>(k));
        for (const Parameter& parameter : one.parameters().all()) {
            both.parameters().assign(member_prefix(k) + parameter.name, one.parameters().download(parameter).view());
        }
    }
    return both;
}

Tensor on_host(Backend& backend, const Tensor& values) {
    Tensor host = host_zeros(values.shape());
    backend.download(values.view(), host);
    return host;
}

TEST(Members, PredictTheirMeanAndHowFarTheyAreFromIt) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Shape extents{5, 7, 3};
    for (const char* architecture : {"fno", "ufno", "f_fno"}) {
        const NetworkConfig config = small_config(architecture);
        const NetworkInput input = small_input(*backend, extents, 2);
        std::vector<Tensor> alone;
        for (const std::uint64_t seed : {first_seed, first_seed + 1}) {
            const Network one(*backend, config, seed);
            alone.push_back(on_host(*backend, described_prediction(one, input)));
        }
        const Network both = joined(*backend, config);
        EXPECT_EQ(both.parameters().count(), 2 * Network(*backend, config, first_seed).parameters().count());
        const Graph graph = describe(
            both.config(), shapes_of(input), [](const LayerPath&) { return Statistics::running; }, true);
        const std::vector<Tensor> found = evaluate(*backend, graph, feed_of(both, input));
        ASSERT_EQ(found.size(), 2U);
        const Tensor mean = on_host(*backend, found[0]), spread = on_host(*backend, found[1]);
        ASSERT_EQ(mean.shape(), alone[0].shape());
        double most = 0.0;
        for (std::size_t i = 0; i < mean.values<float>().size(); ++i) {
            const double a = alone[0].values<float>()[i], b = alone[1].values<float>()[i];
            EXPECT_NEAR(mean.values<float>()[i], 0.5 * (a + b), 1e-5) << architecture;
            EXPECT_NEAR(spread.values<float>()[i], 0.5 * std::abs(a - b), 1e-5) << architecture;
            most = std::max(most, std::abs(a - b));
        }
        EXPECT_GT(most, 0.01);
    }
}

TEST(Members, AreNotTrainedTogether) {
    NetworkConfig config = small_config("ufno");
    config.members = 2;
    try {
        describe(config, whole_input(config, 1, {5, 7, 3}), ExecutionMode::training);
        FAIL() << "two members whose batch norms are trained";
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("each is trained by itself"));
    }
    config.members = 1000;
    EXPECT_THROW(config.check(), InvalidInput);
    config.members = 0;
    EXPECT_THROW(config.check(), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
