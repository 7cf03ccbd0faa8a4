#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/inference/recording.hpp>

#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t cells = 20, cases = 3;
const std::vector<std::string> map_inputs = {"permeability_r", "permeability_z", "porosity"};
const std::vector<std::string> number_inputs = {"injection_rate", "initial_pressure", "temperature"};

using Values = std::map<std::string, std::vector<double>>;

/// The sample of guided networks at some of its times, or at others.
DatasetContent content_at(const std::vector<double>& times) {
    DatasetContent content = guided_content();
    content.times = times;
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    return content;
}

/// A network with random weights, trained at 10, 100 and 1000 days, or so it says.
class OtherTimesRecording : public ::testing::Test {
   protected:
    OtherTimesRecording() { write_guided_sample(folder_); }

    std::string model(NetworkDescription description) const {
        const std::string path = folder_.file("model");
        write_tiny_model(path, *backend_, description, 5, grid_record(Dataset(folder_.file("guided.h5"))));
        return path;
    }
    static NetworkDescription plain() {
        NetworkDescription description = tiny_network("fno");
        description.fields = default_fields();
        description.network.fields = static_cast<std::int64_t>(description.fields.size());
        description.network.activation = {Activation::Kind::gelu};
        return description;
    }

    /// Derivatives of the weighted sum of both fields, each [N, T, cells].
    Values gradients(const Predictor& predictor, const DatasetContent& content, const std::vector<float>& weights,
                     Limits limits) const {
        const auto times = static_cast<std::int64_t>(content.times.size());
        const std::vector<std::int64_t> shape = {cases, times, 4, 5};
        Values values;
        GradientArrays arrays;
        for (const std::string& name : map_inputs) {
            values[name].resize(cases * cells);
            arrays[name] = output_to(values[name].data(), {cases, 4, 5});
        }
        for (const std::string& name : number_inputs) {
            values[name].resize(cases);
            arrays[name] = output_to(values[name].data(), {cases});
        }
        PredictionOptions options;
        options.limits = limits;
        options.batch = 2;
        predictor.record(views_of(content), options)
            .pull_back({{"gas_saturation", view_of(weights.data(), shape, "")},
                        {"pressure_buildup", view_of(weights.data(), shape, "")}},
                       arrays);
        return values;
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

/// Some number of each entry.
std::vector<float> weights_of(std::size_t count) {
    std::vector<float> weights(count);
    for (std::size_t i = 0; i < count; ++i) {
        weights[i] = static_cast<float>(std::sin(1.0 + 2.0 * static_cast<double>(i)));
    }
    return weights;
}

/// The weights [N, 2, cells] at the later two of three times.
std::vector<float> at_later_times(const std::vector<float>& weights) {
    std::vector<float> all(weights.size() / 2 * 3, 0.0F);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t n = i / (2 * cells), within = i % (2 * cells);
        all[n * 3 * cells + cells + within] = weights[i];
    }
    return all;
}

void expect_near(const Values& found, const Values& expected) {
    for (const auto& [name, values] : expected) {
        double size = 0.0;
        for (const double value : values) {
            size = std::max(size, std::abs(value));
        }
        EXPECT_GT(size, 0.0) << name;
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_NEAR(found.at(name)[i], values[i], 1e-4 * size) << name << " " << i;
        }
    }
}

TEST_F(OtherTimesRecording, GivesTheGradientsOfTheSameTimesAmongMore) {
    for (const NetworkDescription& description : {tiny_guided_network("fno"), plain()}) {
        const Predictor predictor(model(description), *backend_);
        const std::vector<float> weights = weights_of(cases * 2 * cells);
        for (const Limits limits : {Limits::apply, Limits::leave_out}) {
            expect_near(gradients(predictor, content_at({100.0, 1000.0}), weights, limits),
                        gradients(predictor, content_at({10.0, 100.0, 1000.0}), at_later_times(weights), limits));
        }
    }
}

TEST_F(OtherTimesRecording, GivesTheDifferencesBetweenTheTimesOfTheNetwork) {
    const Predictor predictor(model(plain()), *backend_);
    const DatasetContent given = content_at({5.0, 30.0, 400.0, 900.0});
    const std::vector<float> weights = weights_of(cases * 4 * cells);
    const Values found = gradients(predictor, given, weights, Limits::leave_out);
    const auto sums = [&](const std::string& input, float factor) {
        DatasetContent moved = given;
        for (float& value : moved.arrays.at(input)) {
            value *= factor;
        }
        std::vector<float> saturation(weights.size()), buildup(weights.size());
        PredictionOptions options;
        options.limits = Limits::leave_out;
        predictor.predict(views_of(moved),
                          PredictedArrays{{{"gas_saturation", output_to(saturation.data(), {cases, 4, 4, 5})},
                                           {"pressure_buildup", output_to(buildup.data(), {cases, 4, 4, 5})}}},
                          options);
        std::vector<double> result(cases);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double sum = static_cast<double>(saturation[i]) + static_cast<double>(buildup[i]);
            result[i * cases / weights.size()] += std::isnan(sum) ? 0.0 : static_cast<double>(weights[i]) * sum;
        }
        return result;
    };
    for (const std::string& input : number_inputs) {
        constexpr float step = 1.0F / 64.0F;
        const std::vector<double> high = sums(input, 1.0F + step), low = sums(input, 1.0F - step);
        for (std::size_t n = 0; n < cases; ++n) {
            const double value = static_cast<double>(given.arrays.at(input)[n]);
            const double slope = (high[n] - low[n]) / (2.0 * static_cast<double>(step) * value);
            EXPECT_NEAR(found.at(input)[n], slope, 0.01 * std::abs(slope)) << input << " " << n;
        }
    }
}

TEST_F(OtherTimesRecording, WritesTheFieldsOfAPrediction) {
    const Predictor predictor(model(tiny_guided_network("fno")), *backend_);
    const DatasetContent given = content_at({30.0, 900.0});
    std::vector<float> recorded(cases * 2 * cells), predicted(recorded.size());
    const auto to = [](std::vector<float>& values) {
        return PredictedArrays{{{"pressure_buildup", output_to(values.data(), {cases, 2, 4, 5})}}};
    };
    Recording recording = predictor.record(views_of(given), {}, to(recorded));
    predictor.predict(views_of(given), to(predicted), {});
    EXPECT_TRUE(std::ranges::any_of(predicted, [](float value) { return value > 0.01F; }));
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        EXPECT_TRUE(std::isnan(predicted[i]) ? std::isnan(recorded[i])
                                             : std::abs(recorded[i] - predicted[i]) < 1e-5F + 1e-5F * predicted[i])
            << i;
    }
}

TEST_F(OtherTimesRecording, RefusesWhatHasNone) {
    const auto refusal = [this](const std::string& path, const DatasetContent& content) -> std::string {
        try {
            Predictor(path, *backend_).record(views_of(content), {});
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    DatasetContent wider = content_at({10.0, 100.0, 1000.0});
    wider.r_edges.back() *= 2.0;
    EXPECT_THAT(refusal(model(tiny_guided_network("fno")), wider), HasSubstr("has another grid than the model"));
}

}  // namespace
}  // namespace plumecast::testing
