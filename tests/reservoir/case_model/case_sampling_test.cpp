#include "reservoir/case_model/case_sampling.hpp"
#include "reservoir/case_model/schedule_sampling.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace plumecast::testing {
namespace {

constexpr int draws = 4000;

template <class Value>
std::vector<double> drawn(const GeneratorConfiguration& configuration, const Value& value) {
    std::vector<double> values;
    for (int number = 0; number < draws; ++number) {
        values.push_back(value(sample_case(configuration, number)));
    }
    return values;
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

TEST(SampleCase, DependsOnSeedAndNumberAlone) {
    GeneratorConfiguration configuration;
    const SampledCase first = sample_case(configuration, 5);
    configuration.grid = {96, 200};
    configuration.cases = 3;
    EXPECT_EQ(sample_case(configuration, 5).temperature, first.temperature);
    EXPECT_EQ(sample_case(configuration, 5).ratios, first.ratios);
    EXPECT_NE(sample_case(configuration, 6).temperature, first.temperature);
    configuration.seed = 2;
    EXPECT_NE(sample_case(configuration, 5).temperature, first.temperature);
}

TEST(SampleCase, DrawsUniformlyWithinTheRanges) {
    const GeneratorConfiguration configuration;
    const auto rates = drawn(configuration, [](const SampledCase& c) { return c.injection_rate; });
    const auto [low, high] = std::ranges::minmax(rates);
    EXPECT_GE(low, 0.2);
    EXPECT_LE(high, 2.0);
    EXPECT_NEAR(mean(rates), 1.1, 0.03);
    const auto means = drawn(configuration, [](const SampledCase& c) { return c.log_mean; });
    EXPECT_NEAR(mean(means), 0.5 * (std::log(5.0) + std::log(500.0)), 0.06);
    const auto facies = drawn(configuration, [](const SampledCase& c) { return static_cast<double>(c.facies); });
    EXPECT_EQ(std::ranges::min(facies), 2.0);
    EXPECT_EQ(std::ranges::max(facies), 6.0);
    EXPECT_NEAR(mean(facies), 4.0, 0.08);
}

TEST(SampleCase, DrawsSaltWhereAskedAndChangesNothingElse) {
    GeneratorConfiguration configuration;
    const SampledCase fresh = sample_case(configuration, 5);
    EXPECT_EQ(fresh.salinity, 0.0);
    configuration.inputs.salinity = {0.05, 0.25};
    SampledCase salty = sample_case(configuration, 5);
    EXPECT_GE(salty.salinity, 0.05);
    EXPECT_LE(salty.salinity, 0.25);
    EXPECT_EQ(salty.temperature, fresh.temperature);
    EXPECT_EQ(salty.perforation_top, fresh.perforation_top);
    EXPECT_EQ(salty.ratios, fresh.ratios);
}

TEST(SampleCase, KeepsThePerforationWithinTheFormation) {
    const GeneratorConfiguration configuration;
    for (int number = 0; number < draws; ++number) {
        const SampledCase sampled = sample_case(configuration, number);
        EXPECT_GE(sampled.perforation_length, 12.5);
        EXPECT_GE(sampled.perforation_top, 0.0);
        EXPECT_LE(sampled.perforation_top + sampled.perforation_length, sampled.thickness + 1e-9);
    }
}

TEST(SampleCase, DrawsMediaByTheirShares) {
    GeneratorConfiguration configuration;
    std::array<int, 5> counts{};
    for (int number = 0; number < draws; ++number) {
        ++counts[static_cast<std::size_t>(sample_case(configuration, number).medium)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_NEAR(counts[i], configuration.permeability.shares[i] * draws, 100.0) << medium_names[i];
    }
    configuration.permeability.shares = {0.0, 0.0, 0.0, 2.0, 0.0};
    EXPECT_EQ(sample_case(configuration, 1).medium, Medium::layered);
}

TEST(DrawSchedule, LeavesCasesAtConstantRatesAsTheyAreByDefault) {
    const GeneratorConfiguration configuration;
    SampledCase sampled = sample_case(configuration, 3);
    const double rate = sampled.injection_rate;
    draw_schedule(configuration, 10950.0, sampled);
    EXPECT_TRUE(sampled.schedule_ends.empty());
    EXPECT_EQ(sampled.injection_rate, rate);
    EXPECT_EQ(sampled.largest_rate(), rate);
}

TEST(DrawSchedule, DrawsLawsChangesAndStopsWithinTheirRanges) {
    GeneratorConfiguration configuration;
    ScheduleSettings& laws = configuration.inputs.schedule;
    laws.shares = {1.0, 1.0, 1.0, 1.0};
    laws.stop = {5.0, 40.0};
    constexpr double last = 140.0 * 365.25;
    int constant = 0, pausing = 0, rising = 0;
    for (int number = 0; number < 400; ++number) {
        SampledCase sampled = sample_case(configuration, number);
        const double rate = sampled.injection_rate;
        draw_schedule(configuration, last, sampled);
        ASSERT_EQ(sampled.schedule_ends.size(), 160u);
        EXPECT_DOUBLE_EQ(sampled.schedule_ends.back(), 40.0 * 365.25);
        ASSERT_EQ(sampled.schedule_rates.size(), 160u);
        const auto& rates = sampled.schedule_rates;
        const auto end = std::find_if(rates.rbegin(), rates.rend(), [](double r) { return r > 0.0; }).base();
        const auto periods = static_cast<double>(end - rates.begin());
        EXPECT_LE(periods, 160.0);
        EXPECT_GT(sampled.injection_rate, 0.0);
        EXPECT_LE(sampled.injection_rate, sampled.largest_rate() * (1.0 + 1e-12));
        EXPECT_LE(sampled.largest_rate(), configuration.inputs.injection_rate.high);
        constant += std::all_of(rates.begin(), end, [&](double r) { return r == rate; }) ? 1 : 0;
        pausing += std::any_of(rates.begin(), end, [](double r) { return r == 0.0; }) ? 1 : 0;
        rising += rates[0] < rates[1] && rates[0] < 0.5 * rate ? 1 : 0;
        SampledCase again = sample_case(configuration, number);
        draw_schedule(configuration, last, again);
        EXPECT_EQ(again.schedule_rates, rates);
        EXPECT_EQ(again.temperature, sample_case(GeneratorConfiguration(), number).temperature);
    }
    EXPECT_GT(constant, 60);
    EXPECT_GT(pausing, 60);
    EXPECT_GT(rising, 60);
}

TEST(DrawSchedule, GivesEachWellOfABoxItsOwn) {
    GeneratorConfiguration configuration = GeneratorConfiguration::cartesian();
    configuration.inputs.schedule.shares = {0.0, 0.0, 1.0, 0.0};
    configuration.inputs.schedule.stop = {5.0, 20.0};
    configuration.wells.count = {2, 2};
    SampledCase sampled = sample_case(configuration, 1);
    ASSERT_EQ(sampled.wells.size(), 2u);
    draw_schedule(configuration, 30.0 * 365.25, sampled);
    const std::size_t periods = sampled.schedule_ends.size();
    ASSERT_EQ(periods, 80u);
    const auto& first = sampled.wells[0].schedule_rates;
    const auto& second = sampled.wells[1].schedule_rates;
    EXPECT_NE(first, second);
    double injected = 0.0, end = 0.0;
    for (std::size_t period = 0; period < periods; ++period) {
        ASSERT_DOUBLE_EQ(sampled.schedule_rates[period], first[period] + second[period]);
        injected += first[period];
        end = sampled.schedule_rates[period] > 0.0 ? static_cast<double>(period + 1) : end;
    }
    EXPECT_NEAR(sampled.wells[0].injection_rate, injected / end, 1e-12);
    EXPECT_NEAR(sampled.injection_rate, sampled.wells[0].injection_rate + sampled.wells[1].injection_rate, 1e-12);
}

TEST(DrawSchedule, EndsWithTheLastTime) {
    ScheduleSettings laws;
    laws.shares = {0.0, 1.0, 0.0, 0.0};
    const std::vector<double> ends = schedule_ends(laws, 1000.0);
    ASSERT_EQ(ends.size(), 11u);
    EXPECT_DOUBLE_EQ(ends[0], 91.3125);
    EXPECT_EQ(ends.back(), 1000.0);
}

}  // namespace
}  // namespace plumecast::testing
