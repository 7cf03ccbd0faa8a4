#include "reporting/stored_intervals.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "reporting/report_content.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using ::testing::IsEmpty;

constexpr std::size_t cases = 3, times = 3;

/// A result with intervals of the free CO2, 0.1 Mt to either side of 1, 2, 3 Mt; case 1 has none.
std::string result_with_intervals(const testing::ScratchFolder& folder) {
    const std::string data = testing::write_guided_sample(folder), path = folder.file("fields.h5");
    FieldsWriter writer(path, data, {"gas_saturation"}, {});
    const Dataset dataset(data);
    const auto cells = static_cast<std::size_t>(dataset.cells());
    const std::vector<float> zeros(cells * times), active(cells, 1.0F);
    std::vector<float> middle, low, high;
    for (std::size_t which = 0; which < cases; ++which) {
        writer.store("gas_saturation", static_cast<std::int64_t>(which), writer.pack(zeros, active));
        for (std::size_t t = 0; t < times; ++t) {
            const float none = std::numeric_limits<float>::quiet_NaN(), value = static_cast<float>(t + 1);
            middle.push_back(value);
            low.push_back(which == 1 ? none : value - 0.1F);
            high.push_back(which == 1 ? none : value + 0.1F);
        }
    }
    const auto put = [&](const std::string& end, const std::vector<float>& values) {
        writer.write_case_values("figure_mass_free" + end, "Mt", "of a test", values, cases);
    };
    put("", middle);
    put("_low", low);
    put("_high", high);
    writer.set_attribute("interval_level", "0.9");
    writer.commit();
    return path;
}

std::vector<NamedSeries> series_of(std::vector<double> mass) {
    return {{"mass_free", "Mt", "free CO2 in place", std::move(mass)}, {"mass_injected", "Mt", "CO2", {9.0, 9.0, 9.0}}};
}

TEST(StoredIntervals, GoToTheSeriesThatTheyAreOf) {
    const testing::ScratchFolder folder;
    const StoredIntervals intervals(Dataset(result_with_intervals(folder)));
    std::vector<NamedSeries> series = series_of({1.0, 2.0, 3.0});
    intervals.add_to(series, 0);
    ASSERT_EQ(series[0].low.size(), times);
    EXPECT_NEAR(series[0].low[1], 1.9, 1e-6);
    EXPECT_NEAR(series[0].high[2], 3.1, 1e-6);
    EXPECT_TRUE(series[0].has_interval());
    EXPECT_THAT(series[1].low, IsEmpty());
    std::vector<NamedSeries> without = series_of({1.0, 2.0, 3.0});
    intervals.add_to(without, 1);
    EXPECT_EQ(without[0].low.size(), times);
    EXPECT_FALSE(without[0].has_interval());
}

TEST(StoredIntervals, AreLeftOutOfSeriesThatMeasureSomethingElse) {
    const testing::ScratchFolder folder;
    const StoredIntervals intervals(Dataset(result_with_intervals(folder)));
    std::vector<NamedSeries> other = series_of({1.0, 2.0, 3.1});
    intervals.add_to(other, 2);
    EXPECT_EQ(other[0].low.size(), times);
    EXPECT_FALSE(other[0].has_interval());
}

TEST(StoredIntervals, AreNoneOfAFileWithoutThem) {
    const testing::ScratchFolder folder;
    const StoredIntervals intervals(Dataset(testing::write_guided_sample(folder)));
    std::vector<NamedSeries> series = series_of({1.0, 2.0, 3.0});
    intervals.add_to(series, 0);
    EXPECT_THAT(series[0].low, IsEmpty());
}

TEST(KeyFigures, HaveTheIntervalOfTheirTimeOrOfTheLargestValue) {
    std::vector<NamedSeries> series = {{"mass_free", "Mt", "free", {1.0, 2.0}},
                                       {"max_buildup", "bar", "largest", {5.0, 4.0}}};
    series[0].low = {0.5, 1.5};
    series[0].high = {1.5, 2.5};
    series[1].low = {4.0, 3.5};
    series[1].high = {6.0, 6.5};  // the largest value may be that of another time
    const std::vector<KeyFigure> figures = key_figures(series);
    ASSERT_EQ(figures.size(), 2U);
    EXPECT_EQ(figures[0].interval, std::pair(1.5, 2.5));
    EXPECT_EQ(figures[1].value, 5.0);
    EXPECT_EQ(figures[1].interval, std::pair(4.0, 6.5));
}

}  // namespace
}  // namespace plumecast
