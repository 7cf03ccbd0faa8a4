#include "reservoir/batches/series_inputs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/batches/box_source.hpp"
#include "reservoir/batches/derived_inputs.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr std::size_t cells = 20, times = 3;

/// Snapshots after 10, 100 and 1000 days.
class SeriesInputsTest : public ::testing::Test {
   protected:
    /// With a pause in case 0, one rate and its end in case 1, and a late start in case 2.
    Dataset scheduled() const {
        DatasetContent content = guided_content();
        content.arrays.erase("injection_rate");
        content.schedule_ends = {20.0, 60.0, 400.0, 900.0};
        content.arrays["schedule_rate"] = {0.05F, 0.0F, 0.15F, 0.0F, 0.125F, 0.125F,
                                           0.0F,  0.0F, 0.0F,  0.0F, 0.5F,   0.25F};
        write_dataset(folder_.file("scheduled.h5"), content);
        return Dataset(folder_.file("scheduled.h5"));
    }
    Dataset constant() const { return Dataset(write_guided_sample(folder_)); }

    ScratchFolder folder_;
};

std::vector<double> series(const Dataset& data, const char* name, std::int64_t which) {
    return series_input(data, name, which, nullptr);
}

TEST_F(SeriesInputsTest, SayWhatASchedulesRateIsAndWas) {
    const Dataset data = scheduled();
    const double year = 365.25, small = static_cast<double>(0.05F), large = static_cast<double>(0.15F);
    EXPECT_THAT(series(data, "current_injection_rate", 0), ElementsAre(small, large, 0.0));
    EXPECT_THAT(series(data, "current_injection_rate", 1), ElementsAre(0.125, 0.0, 0.0));
    EXPECT_THAT(series(data, "injected_co2", 0),
                Pointwise(DoubleNear(1e-12), {10.0 * small / year, (20.0 * small + 40.0 * large) / year,
                                              (20.0 * small + 340.0 * large) / year}));
    EXPECT_THAT(series(data, "injected_co2", 2), Pointwise(DoubleNear(1e-12), {0.0, 20.0 / year, 295.0 / year}));
    EXPECT_THAT(series(data, "time_since_rate_change", 0), ElementsAre(10.0, 40.0, 600.0));
    EXPECT_THAT(series(data, "time_since_rate_change", 1), ElementsAre(10.0, 40.0, 940.0)) << "equal rates are one";
    EXPECT_THROW(series(data, "injected_water", 0), InvalidInput);
}

TEST_F(SeriesInputsTest, CountTheDayOfAChangeToThePeriodBefore) {
    DatasetContent content = guided_content();  // snapshots after 10, 100 and 1000 days
    content.arrays.erase("injection_rate");
    content.schedule_ends = {10.0, 100.0};
    content.arrays["schedule_rate"] = {0.5F, 0.25F, 0.5F, 0.25F, 0.5F, 0.25F};
    write_dataset(folder_.file("changes.h5"), content);
    const Dataset data(folder_.file("changes.h5"));
    EXPECT_THAT(series(data, "current_injection_rate", 0), ElementsAre(0.5, 0.25, 0.0));
    EXPECT_THAT(series(data, "time_since_rate_change", 0), ElementsAre(10.0, 90.0, 900.0));
}

TEST_F(SeriesInputsTest, OfAConstantRateGrowWithTime) {
    const Dataset data = constant();
    const double rate = static_cast<double>(0.1F);
    EXPECT_THAT(series(data, "current_injection_rate", 1), ElementsAre(rate, rate, rate));
    EXPECT_THAT(series(data, "injected_co2", 1),
                Pointwise(DoubleNear(1e-12), {rate * 10.0 / 365.25, rate * 100.0 / 365.25, rate * 1000.0 / 365.25}));
    EXPECT_THAT(series(data, "time_since_rate_change", 1), ElementsAre(10.0, 100.0, 1000.0));
}

TEST_F(SeriesInputsTest, HaveDerivativesByTheRatesOfPeriods) {
    const Dataset data = scheduled();
    const std::vector<double> weights{2.0, -3.0, 5.0};
    CaseCotangents inputs;
    add_series_cotangents(data, "current_injection_rate", weights, inputs);
    EXPECT_THAT(inputs.at("schedule_rate"), ElementsAre(2.0, 0.0, -3.0, 0.0)) << "no period holds the last time";
    inputs.clear();
    add_series_cotangents(data, "injected_co2", weights, inputs);
    const double year = 365.25;
    EXPECT_THAT(
        inputs.at("schedule_rate"),
        Pointwise(DoubleNear(1e-12), {(2.0 * 10.0 - 3.0 * 20.0 + 5.0 * 20.0) / year, (-3.0 * 40.0 + 5.0 * 40.0) / year,
                                      (-3.0 * 40.0 + 5.0 * 340.0) / year, 5.0 * 500.0 / year}));
    inputs.clear();
    add_series_cotangents(data, "time_since_rate_change", weights, inputs);
    EXPECT_TRUE(inputs.empty());
    add_series_cotangents(constant(), "injected_co2", weights, inputs);
    EXPECT_THAT(inputs.at("injection_rate"), Pointwise(DoubleNear(1e-12), {(20.0 - 300.0 + 5000.0) / year}));
}

/// Build-ups of one value at each time in the 15 active cells.
PhysicsFields flat(const std::vector<float>& values, double rms) {
    PhysicsFields physics;
    std::vector<float>& buildup = physics.fields["physics_pressure_buildup"];
    for (const float value : values) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            buildup.push_back(cell < 15 ? value : 0.0F);
        }
    }
    physics.scalars["physics_buildup_rms"] = rms;
    return physics;
}

TEST_F(SeriesInputsTest, HaveTheSizeOfTheBuildUpAtEachTime) {
    const Dataset data = constant();
    const PhysicsFields physics = flat({4.0F, -0.5F, 0.0F}, 2.0);
    EXPECT_THAT(series_input(data, "physics_buildup_rms_by_time", 0, &physics),
                Pointwise(DoubleNear(1e-12), {4.0, 0.5, 2e-3}));
    const BuildupCotangents by = buildup_cotangents(data, 0, std::vector<double>{3.0, 6.0, 7.0}, physics);
    EXPECT_DOUBLE_EQ(by.rms, 7e-3) << "where the least share holds";
    EXPECT_DOUBLE_EQ(by.field[14], 3.0 / 15.0);
    EXPECT_DOUBLE_EQ(by.field[cells], -6.0 / 15.0);
    EXPECT_EQ(by.field[15], 0.0) << "an inactive cell";
    EXPECT_EQ(by.field[2 * cells], 0.0);
}

TEST_F(SeriesInputsTest, OfTheMeanRateHaveTheDerivativesOfThePeriodsUntilTheEndOfTheInjection) {
    const Dataset data = scheduled();
    const std::vector<Channel> channels{make_channel("rate", "injection_rate")};
    const Batch batch = dataset_source(data, channels, {})->load(std::vector<std::int64_t>{1});
    BatchCotangents cotangents;
    cotangents.inputs.push_back(host_zeros(batch.inputs[0].values.shape()));
    std::ranges::fill(cotangents.inputs[0].values<float>(), 6.0F);
    const InputGradients found = input_gradients(data, channels, {}, nullptr, batch, cotangents);
    EXPECT_THAT(found.inputs.at("schedule_rate"), Pointwise(DoubleNear(1e-12), {2.0, 4.0, 0.0, 0.0}))
        << "20 and 40 of 60 days; the third period begins with the end";
}

TEST_F(SeriesInputsTest, AreChannelsOfEachCaseAndTime) {
    const Dataset data = scheduled();
    Channel share = make_channel("share", "current_injection_rate", Transform::identity, 0.5, 2.0);
    share.factors = {{"injection_rate", 1.0}};
    const std::vector<Channel> channels{make_channel("porosity", "porosity"), make_channel("time", "time"), share,
                                        make_channel("since", "time_since_rate_change", Transform::log)};
    const std::vector<std::int64_t> cases{1, 0};
    const Batch batch = dataset_source(data, channels, {})->load(cases);
    ASSERT_EQ(batch.inputs.size(), 3U);
    EXPECT_TRUE(batch.inputs[1].same_for_all);
    const InputGroup& group = batch.inputs[2];
    EXPECT_FALSE(group.same_for_all);
    EXPECT_EQ(group.channels, (std::vector<std::string>{"share", "since"}));
    ASSERT_EQ(group.values.shape(), Shape({2, 1, 1, 3, 2}));
    for (std::size_t n = 0; n < 2; ++n) {
        const double mean = static_cast<double>(data.scalar("injection_rate")[n == 0 ? 1 : 0]);
        const auto rates = series(data, "current_injection_rate", cases[n]),
                   since = series(data, "time_since_rate_change", cases[n]);
        for (std::size_t t = 0; t < times; ++t) {
            EXPECT_NEAR(group.values.number((n * times + t) * 2), (rates[t] / mean - 0.5) / 2.0, 1e-6);
            EXPECT_NEAR(group.values.number((n * times + t) * 2 + 1), std::log(since[t]), 1e-6);
        }
    }
    const Box all({0, 0}, {4, 5});
    const Batch joined = box_source(dataset_source(data, channels, {}), {all, all, all})->load(cases);
    for (std::size_t g = 0; g < 3; ++g) {
        ASSERT_EQ(joined.inputs[g].values.shape(), batch.inputs[g].values.shape()) << g;
        for (std::size_t i = 0; i < batch.inputs[g].values.values<float>().size(); ++i) {
            EXPECT_EQ(joined.inputs[g].values.number(i), batch.inputs[g].values.number(i));
        }
    }
}

TEST_F(SeriesInputsTest, ScaleAFieldAtEachTime) {
    const Dataset data = constant();
    const auto physics = std::make_shared<CasePhysics>(data, PhysicsSettings{2});
    std::vector<Field> fields = guided_fields();
    fields[1].factors = {{"physics_buildup_rms_by_time", 1.0}};
    Channel buildup = make_channel("p", "physics_pressure_buildup");
    buildup.factors = fields[1].factors;
    const std::vector<std::int64_t> cases{2, 1};
    const Batch batch = dataset_source(data, {buildup}, fields, Targets::read, physics)->load(cases);
    ASSERT_EQ(batch.scales.shape(), Shape({2, 3, 2}));
    std::vector<float> stored(2 * times * cells);
    data.read_output("pressure_buildup", cases, stored);
    for (std::size_t n = 0; n < 2; ++n) {
        const auto known = physics->load({&cases[n], 1}).front();
        const std::vector<double> rms = series_input(data, "physics_buildup_rms_by_time", cases[n], known.get());
        for (std::size_t t = 0; t < times; ++t) {
            EXPECT_NEAR(scale_at(batch.scales, n, t, 1), rms[t], 1e-6 * rms[t]);
            EXPECT_EQ(scale_at(batch.scales, n, t, 0), 1.0);
            double squares = 0.0;
            for (std::size_t cell = 0; cell < 15; ++cell) {
                const std::size_t at = (n * cells + cell) * times + t;
                const double base = batch.base.number(at * 2 + 1);
                squares += base * base / 15.0;
                EXPECT_NEAR(batch.inputs[0].values.number(at), base, 1e-6);
                EXPECT_NEAR(batch.targets.number(at * 2 + 1),
                            static_cast<double>(stored[(n * times + t) * cells + cell]) / rms[t], 1e-5);
            }
            EXPECT_NEAR(squares, 1.0, 1e-5) << "the base is of the same size at all times";
        }
    }
}

TEST_F(SeriesInputsTest, CountSaltAndTrappingThatAFileDoesNotHaveAsNone) {
    const Dataset data = constant();
    EXPECT_EQ(scalar_input(data, "salinity", 1), 0.0);
    EXPECT_EQ(scalar_input(data, "residual_gas_saturation", 1), 0.0);
}

}  // namespace
}  // namespace plumecast::testing
