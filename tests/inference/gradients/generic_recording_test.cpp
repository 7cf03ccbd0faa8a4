#include <plumecast/inference/recording.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/batches/batch.hpp>

#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t samples = 2, instants = 3;

/// Arrays of generic data, values of twelve bits, by their paths.
struct NamedData {
    std::string axes;
    std::vector<std::int64_t> space;
    std::map<std::string, std::vector<std::int64_t>> extents = {};
    std::map<std::string, std::vector<float>> arrays = {};
    std::vector<double> times = {1.0, 2.0, 4.0};
    std::vector<std::uint8_t> active = {};

    NamedData(std::string letters, std::vector<std::int64_t> points)
        : axes(std::move(letters)), space(std::move(points)) {
        std::mt19937 draw(3);
        std::uniform_int_distribution<int> bits(1 << 11, 1 << 12);
        const auto add = [&](const std::string& name, std::vector<std::int64_t> shape, bool in_space) {
            if (in_space) {
                shape.insert(shape.end(), space.begin(), space.end());
            }
            std::vector<float>& values = arrays[name];
            const std::int64_t count =
                std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
            for (std::int64_t i = 0; i < count; ++i) {
                values.push_back(static_cast<float>(bits(draw)) / static_cast<float>(1 << 11));
            }
            extents[name] = std::move(shape);
        };
        add("/inputs/coefficient", {samples}, true);
        add("/inputs/viscosity", {samples}, false);
        if (space.size() > 1) {  // on a line it would be a map
            add("/inputs/load", {samples, instants}, false);
        }
        add("/inputs/force", {samples, instants}, true);
        active.assign(arrays.at("/inputs/coefficient").size(), 1);
        active[1] = 0;
    }

    MemoryCases views() const {
        MemoryCases cases;
        for (const auto& [name, values] : arrays) {
            cases.arrays[name] = view_of(values.data(), extents.at(name), "1");
        }
        cases.arrays["times"] = view_of(times.data(), {instants}, "s");
        cases.arrays["active"] = view_of(active.data(), extents.at("/inputs/coefficient"), "1");
        cases.attributes = {{"geometry", "generic"}, {"axes", axes}};
        return cases;
    }
};

/// Of all kinds of inputs, one with constants of points too, and of a field with constants of points beside another.
NetworkDescription network_of(const NamedData& data) {
    NetworkDescription description = tiny_network(data.space.size() == 3 ? "fno" : "conv_fno");
    const Dataset dataset(data.views());
    const Shape space = dataset.space();
    PointConstants points{{space.extents().begin(), space.extents().end()}, {}, {}};
    for (std::int64_t point = 0; point < dataset.cells(); ++point) {
        points.offsets.push_back(0.1 * static_cast<double>(point % 5));
        points.scales.push_back(1.0 + 0.2 * static_cast<double>(point % 3));
    }
    Channel own = make_channel("own", "/inputs/coefficient", Transform::identity, 1.0, 1.0);
    own.points = points;
    own.mask_inactive = true;
    Channel logarithm = make_channel("logarithm", "/inputs/coefficient", Transform::log, 0.1, 0.7);
    logarithm.mask_inactive = true;
    description.channels = {own,
                            logarithm,
                            make_channel("number", "/inputs/viscosity", Transform::log10, 0.0, 0.5),
                            make_channel("field", "/inputs/force", Transform::identity, 1.5, 0.5),
                            make_channel("x", "/grid/x"),
                            make_channel("time", "/grid/times", Transform::log, 0.0, 1.0)};
    if (data.arrays.contains("/inputs/load")) {
        description.channels.push_back(make_channel("series", "/inputs/load", Transform::identity, 1.5, 0.5));
    }
    Field by_point{"u", "1", 0.5, 2.0};
    by_point.points = points;
    const Field scaled{"w", "K", 0.5, 2.0};
    description.fields = {by_point, scaled};
    NetworkConfig& network = description.network;
    network.channels = static_cast<std::int64_t>(description.channels.size());
    network.fields = 2;
    network.activation = {Activation::Kind::gelu};
    network.modes.assign(static_cast<std::size_t>(space.rank()) + 1, 2);
    network.modes.front() = data.space.size() == 1 ? 1 : 2;
    network.padding.assign(network.modes.size(), 1);
    network.edges.assign(network.modes.size(), Padding::Edge::replicate);
    return description;
}

/// The sum of weights times fields in active cells, in double precision.
double weighted_sum(const FieldNetwork& network, const NamedData& data, const std::vector<float>& weights) {
    const Dataset dataset(data.views());
    const std::vector<std::int64_t> all = {0, 1};
    const NetworkDescription& description = network.description();
    const Batch batch =
        cases_for(description, dataset, Targets::skip, nullptr, {}, network.backend().compute_type())->load(all);
    const Tensor prediction = described_fields(network, batch);
    const double* values = prediction.view().as<double>();
    const auto cells = static_cast<std::size_t>(dataset.cells()), times = static_cast<std::size_t>(instants);
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {  // [F, N, T, cells]
        const std::size_t f = i / (all.size() * times * cells), n = i / (times * cells) % all.size(),
                          t = i / cells % times, cell = i % cells;
        if (data.active[n * cells + cell] != 0) {
            const double normalised = values[((n * cells + cell) * times + t) * 2 + f];
            sum += static_cast<double>(weights[i]) *
                   (normalised * scale_at(batch.scales, n, t, f) + description.fields[f].offset);
        }
    }
    return sum;
}

class GenericRecording : public ::testing::TestWithParam<int> {
   protected:
    NamedData data() const {
        return GetParam() == 1   ? NamedData("x", {6})
               : GetParam() == 2 ? NamedData("y,x", {4, 5})
                                 : NamedData("z,y,x", {3, 4, 4});
    }
};

TEST_P(GenericRecording, GivesTheDifferencesByEachKindOfInput) {
    const NamedData data = this->data();
    const ScratchFolder folder;
    const auto cpu = make_cpu_backend({.threads = 1}), oracle = make_oracle_backend();
    write_bundle(folder.file("model"),
                 {"generic", {{"fields", std::make_unique<FieldNetwork>(*cpu, network_of(data), 5).get()}}, {}, ""});
    const Predictor predictor(folder.file("model"), *oracle);

    std::vector<std::int64_t> shape = {samples, instants};
    const Shape space = Dataset(data.views()).space();
    shape.insert(shape.end(), space.extents().begin(), space.extents().end());
    const auto each =
        static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
    std::mt19937 draw(7);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> weights(2 * each);
    std::ranges::generate(weights, [&] { return uniform(draw); });

    PredictionOptions one_by_one;
    one_by_one.batch = 1;
    Recording recording = predictor.record(data.views(), one_by_one);
    std::vector<std::string> names;
    for (const auto& [name, values] : data.arrays) {
        names.push_back(name);
    }
    EXPECT_EQ(recording.inputs(), names);
    std::map<std::string, std::vector<double>> found;
    GradientArrays to;
    for (const std::string& name : recording.inputs()) {
        found[name].assign(data.arrays.at(name).size(), -7.0);
        to[name] = output_to(found[name].data(), data.extents.at(name));
    }
    recording.pull_back({{"u", view_of(weights.data(), shape, "")}, {"w", view_of(weights.data() + each, shape, "")}},
                        to);
    const FieldNetwork& network = *predictor.bundle().networks.front().network;
    for (const auto& [name, gradient] : found) {
        std::vector<float> signs(gradient.size());
        std::ranges::generate(signs, [&] { return uniform(draw) < 0.0F ? -1.0F : 1.0F; });
        double slope = 0.0, expected = 0.0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            slope += gradient[i] * static_cast<double>(signs[i]);
        }
        for (const auto& [distance, weight] : {std::pair(1, 4.0 / 3.0), std::pair(2, -1.0 / 3.0)}) {
            const float step = static_cast<float>(distance) / 1024.0F;  // exact in float32
            for (const float side : {1.0F, -1.0F}) {
                NamedData moved = data;
                std::vector<float>& values = moved.arrays.at(name);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    values[i] += side * step * signs[i];
                }
                expected += weight * static_cast<double>(side) * weighted_sum(network, moved, weights) /
                            (2.0 * static_cast<double>(step));
            }
        }
        EXPECT_NEAR(slope, expected, 1e-6 * (1.0 + std::abs(expected))) << name;
        EXPECT_GT(std::abs(expected), 1e-3) << name;
    }
    EXPECT_EQ(found.at("/inputs/coefficient")[1], 0.0) << "does not count";
}

INSTANTIATE_TEST_SUITE_P(Axes, GenericRecording, ::testing::Values(1, 2, 3));

TEST(GenericRecordings, OfModelsThatRollOverTimeAreRefused) {
    const NamedData data("y,x", {4, 5});
    const ScratchFolder folder;
    const auto cpu = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*cpu, network_of(data), 5);
    const Json rollout =
        Json::parse(R"({"steps": 1, "states": [{"output": "u", "inputs": ["coefficient"]}]})", "rollout");
    write_bundle(folder.file("model"), {"generic", {{"fields", &network}}, Json::Object{{"rollout", rollout}}, ""});
    const Predictor predictor(folder.file("model"), *cpu);
    EXPECT_THAT([&] { predictor.record(data.views(), {}); },
                ::testing::ThrowsMessage<InvalidInput>(::testing::HasSubstr("rolls over windows of time")));
}

}  // namespace
}  // namespace plumecast::testing
