#include "reservoir/metrics/series_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/dataset_content.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_fields_gradient.hpp"
#include "reservoir/metrics/case_series.hpp"
#include "reservoir/metrics/well_pressure.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t well_rows = 4, well_columns = 3, well_cells = well_rows * well_columns;
const std::vector<double> weights{0.7, -1.3, 0.4};  // of the pressures at the times

/// A cylinder with fields, three of whose four rows are open, and a number that is made of its bottom-hole pressures.
struct WellCase {
    DatasetContent content;
    std::vector<float> buildup, saturation;
    NamedCotangents of_series;

    WellCase() {
        content.r_edges = {0.1, 5.0, 50.0, 2000.0};
        content.z_edges = {0.0, 10.0, 25.0, 40.0, 50.0};
        content.times = {20.0, 100.0, 400.0};
        for (std::size_t cell = 0; cell < well_cells; ++cell) {
            const std::size_t above = cell / well_columns;
            const auto row = static_cast<float>(above);
            content.arrays["permeability_r"].push_back(80.0F + 30.0F * row);
            content.arrays["permeability_z"].push_back(10.0F);
            content.arrays["porosity"].push_back(0.2F + 0.01F * row);
            content.arrays["active"].push_back(1.0F);
            content.arrays["perforation"].push_back(cell % well_columns == 0 && row > 0.0F ? 1.1F - 0.2F * row : 0.0F);
        }
        for (const auto& [name, value] :
             std::vector<std::pair<const char*, float>>{{"injection_rate", 0.5F},
                                                        {"initial_pressure", 150.0F},
                                                        {"temperature", 60.0F},
                                                        {"salinity", 0.1F},
                                                        {"irreducible_water_saturation", 0.21F},
                                                        {"van_genuchten_lambda", 0.5F},
                                                        {"thickness", 50.0F}}) {
            content.arrays[name].push_back(value);
        }
        for (std::size_t i = 0; i < 3 * well_cells; ++i) {
            const auto at = static_cast<float>(i % 7);
            buildup.push_back(20.0F + 0.3F * at);
            saturation.push_back(0.13F + 0.0731F * at);
        }
    }

    CaseFields fields(const Dataset& dataset) const {
        CaseFields one = case_with_wells(dataset, 0);
        one.pressure_buildup = buildup;
        one.gas_saturation = saturation;
        return one;
    }
    /// The number that is differentiated: of the pressures, or where there are others of these series.
    double number() const {
        const Dataset dataset(views_of(content));
        const CaseFields one = fields(dataset);
        if (!of_series.empty()) {
            return number_of_series(case_series(one, dataset.times(), {}));
        }
        const WellPressures wells(one, dataset.times());
        const std::vector<double> rates = injection_rates(one, dataset.times());
        double sum = 0.0;
        for (std::size_t time = 0; time < rates.size(); ++time) {
            sum += weights[time] * wells.at(time, rates[time]).front().bottom_hole;
        }
        return sum;
    }
    double number_of_series(const std::vector<NamedSeries>& all) const {
        double sum = 0.0;
        for (const auto& [name, cotangents] : of_series) {
            const std::vector<double>& values = find_series(all, name)->values;
            sum = std::inner_product(values.begin(), values.end(), cotangents.begin(), sum);
        }
        return sum;
    }
    CaseFieldsCotangents cotangents() const {
        const Dataset dataset(views_of(content));
        const CaseFields one = fields(dataset);
        CaseFieldsCotangents sum(one, dataset.times().size());
        WellPressures(one, dataset.times()).pull_back(injection_rates(one, dataset.times()), weights, sum);
        return sum;
    }
    RadialCaseGradient gradient() const {
        const Dataset dataset(views_of(content));
        return case_fields_gradient(dataset, fields(dataset), cotangents());
    }

    /// Central difference by a number of this, by a step of it.
    double slope(float& value, float step) const {
        const float before = value;
        const float more = before + step, less = before - step;
        value = more;
        const double high = number();
        value = less;
        const double low = number();
        value = before;
        return (high - low) / (static_cast<double>(more) - static_cast<double>(less));
    }
    double slope_of(const char* input, std::size_t place, float step) {
        return slope(content.arrays.at(input)[place], step);
    }
};

void expect_slope(double is, double difference, const std::string& of) {
    EXPECT_NEAR(is, difference, 2e-5 * std::abs(difference) + 1e-7) << of;
}

void expect_slopes_of_scalars(WellCase& one) {
    const RadialCaseGradient gradient = one.gradient();
    expect_slope(gradient.initial_pressure, one.slope_of("initial_pressure", 0, 0.02F), "initial pressure");
    expect_slope(gradient.temperature, one.slope_of("temperature", 0, 0.02F), "temperature");
    expect_slope(gradient.salinity, one.slope_of("salinity", 0, 2e-4F), "salinity");
    expect_slope(gradient.irreducible_water_saturation, one.slope_of("irreducible_water_saturation", 0, 1e-4F),
                 "water");
    expect_slope(gradient.van_genuchten_lambda, one.slope_of("van_genuchten_lambda", 0, 2e-4F), "lambda");
}

TEST(WellGradient, HasTheSlopesOfPressuresByTheFields) {
    WellCase one;
    const CaseFieldsCotangents cotangents = one.cotangents();
    double largest = 0.0;
    for (std::size_t i = 0; i < 3 * well_cells; ++i) {
        expect_slope(cotangents.pressure_buildup[i], one.slope(one.buildup[i], 0.02F), "build-up " + std::to_string(i));
        expect_slope(cotangents.gas_saturation[i], one.slope(one.saturation[i], 2e-4F), "gas " + std::to_string(i));
        largest = std::max(largest, std::abs(cotangents.gas_saturation[i]));
    }
    EXPECT_GT(largest, 1.0);  // [bar]
}

TEST(WellGradient, HasTheSlopesOfPressuresByTheRockAndTheOpenCells) {
    WellCase one;
    const RadialCaseGradient gradient = one.gradient();
    for (std::size_t cell = 0; cell < well_cells; ++cell) {
        const std::string place = std::to_string(cell);
        expect_slope(gradient.permeability_r[cell], one.slope_of("permeability_r", cell, 0.05F),
                     "permeability " + place);
        expect_slope(gradient.porosity[cell], one.slope_of("porosity", cell, 1e-4F), "porosity " + place);
        EXPECT_EQ(gradient.permeability_z[cell], 0.0);
        if (one.content.arrays["perforation"][cell] > 0.0F) {
            expect_slope(gradient.perforation[cell], one.slope_of("perforation", cell, 5e-4F), "perforation " + place);
        }
    }
    EXPECT_NE(gradient.porosity[well_columns], 0.0);
}

TEST(WellGradient, HasThoseByTheNumbersOfTheCase) {
    WellCase one;
    expect_slopes_of_scalars(one);
    expect_slope(one.gradient().injection_rate, one.slope_of("injection_rate", 0, 5e-4F), "rate");
}

TEST(WellGradient, HasThoseByTheNumbersOfACaseThatGrowsWarmer) {
    WellCase one;
    one.content.attributes["temperature_gradient"] = "0.1";
    expect_slopes_of_scalars(one);
}

TEST(WellGradient, HasThoseByTheRatesOfASchedule) {
    WellCase one;
    one.content.schedule_ends = {30.0, 300.0, 1000.0};
    one.content.arrays.erase("injection_rate");
    one.content.arrays["schedule_rate"] = {0.5F, 0.9F, 0.3F};
    const RadialCaseGradient gradient = one.gradient();
    ASSERT_EQ(gradient.rates.size(), 3U);
    for (std::size_t period = 0; period < 3; ++period) {
        EXPECT_NE(gradient.rates[period], 0.0);
        expect_slope(gradient.rates[period], one.slope_of("schedule_rate", period, 5e-4F), "rate of a period");
    }
    EXPECT_EQ(gradient.injection_rate, 0.0);
}

TEST(WellGradient, HasThoseOfAWellFullOfBrineAndOfOneThatIsShut) {
    WellCase one;
    one.content.schedule_ends = {30.0, 300.0, 1000.0};
    one.content.arrays.erase("injection_rate");
    one.content.arrays["schedule_rate"] = {0.0F, 0.9F, 0.0F};
    expect_slopes_of_scalars(one);
}

TEST(WellGradient, IsThatOfTheUppermostOpenCellBeforeAnyInjection) {
    WellCase one;
    one.content.schedule_ends = {30.0, 300.0, 1000.0};
    one.content.arrays.erase("injection_rate");
    one.content.arrays["schedule_rate"] = {0.0F, 0.9F, 0.5F};
    std::fill_n(one.buildup.begin(), well_cells, 0.0F);
    const CaseFieldsCotangents cotangents = one.cotangents();
    for (std::size_t cell = 0; cell < well_cells; ++cell) {
        EXPECT_EQ(cotangents.pressure_buildup[cell], cell == well_columns ? weights[0] : 0.0) << cell;
        EXPECT_EQ(cotangents.gas_saturation[cell], 0.0) << cell;
    }
    EXPECT_EQ(cotangents.rates[0], 0.0);
    expect_slopes_of_scalars(one);
}

TEST(WellGradient, LeavesConnectionsThatAreShutAside) {
    WellCase one;
    one.content.arrays["injection_rate"] = {0.002F};
    one.buildup[2 * well_columns] = 35.0F;  // of the second open cell, which would flow back
    const CaseFieldsCotangents cotangents = one.cotangents();
    EXPECT_EQ(cotangents.pressure_buildup[2 * well_columns], 0.0);
    EXPECT_NE(cotangents.pressure_buildup[well_columns], 0.0);
    expect_slopes_of_scalars(one);
}

TEST(WellGradient, AtALimitIsThatByTheLimit) {
    WellCase one;
    one.content.arrays["bottom_hole_pressure_limit"] = {120.0F};
    const RadialCaseGradient gradient = one.gradient();
    EXPECT_DOUBLE_EQ(gradient.bottom_hole_pressure_limit, weights[0] + weights[1] + weights[2]);
    EXPECT_EQ(gradient.initial_pressure, 0.0);
    EXPECT_EQ(gradient.permeability_r[well_columns], 0.0);
}

/// The cylinder with residual trapping, some of whose gas recedes, and weights of all series.
WellCase with_all_series() {
    WellCase one;
    one.content.arrays["residual_gas_saturation"] = {0.25F};
    one.of_series = {{"bottom_hole_pressure", {0.0, 0.02, -0.01}},
                     {"mass_free", {0.5, -2.0, 1.0}},
                     {"mass_trapped", {1.0, 0.7, 3.0}}};
    return one;
}

/// Densities of the series are interpolated between the rows of a table, and trapped gas is float32.
void expect_near(double is, double difference, const std::string& of) {
    EXPECT_NEAR(is, difference, 3e-3 * std::abs(difference) + 1e-5) << of;
}

TEST(SeriesGradient, HasTheSlopesOfPressureAndMassesByTheFields) {
    WellCase one = with_all_series();
    const Dataset dataset(views_of(one.content));
    const SeriesGradient gradient = series_gradient(dataset, one.fields(dataset), one.of_series);
    for (std::size_t i = 0; i < 3 * well_cells; ++i) {
        const std::string place = std::to_string(i);
        expect_near(gradient.fields.at("pressure_buildup")[i], one.slope(one.buildup[i], 0.05F), "build-up " + place);
        expect_near(gradient.fields.at("gas_saturation")[i], one.slope(one.saturation[i], 1e-3F), "gas " + place);
    }
}

TEST(SeriesGradient, HasThoseByTheInputsBesideTheFields) {
    WellCase one = with_all_series();
    const Dataset dataset(views_of(one.content));
    const RadialCaseGradient gradient = series_gradient(dataset, one.fields(dataset), one.of_series).inputs;
    for (std::size_t cell = 0; cell < well_cells; ++cell) {
        expect_near(gradient.porosity[cell], one.slope_of("porosity", cell, 2e-3F), "porosity");
    }
    expect_near(gradient.initial_pressure, one.slope_of("initial_pressure", 0, 0.1F), "initial pressure");
    expect_near(gradient.temperature, one.slope_of("temperature", 0, 0.05F), "temperature");
    expect_near(gradient.salinity, one.slope_of("salinity", 0, 1e-3F), "salinity");
    expect_near(gradient.irreducible_water_saturation, one.slope_of("irreducible_water_saturation", 0, 2e-3F), "water");
    expect_near(gradient.residual_gas_saturation, one.slope_of("residual_gas_saturation", 0, 2e-3F), "residual gas");
    expect_near(gradient.injection_rate, one.slope_of("injection_rate", 0, 2e-3F), "rate");
    EXPECT_NE(gradient.residual_gas_saturation, 0.0);
}

TEST(SeriesGradient, HasThoseOfACaseThatGrowsWarmer) {
    WellCase one = with_all_series();
    one.content.attributes["temperature_gradient"] = "0.1";
    const Dataset dataset(views_of(one.content));
    const RadialCaseGradient gradient = series_gradient(dataset, one.fields(dataset), one.of_series).inputs;
    expect_near(gradient.temperature, one.slope_of("temperature", 0, 0.05F), "temperature");
    expect_near(gradient.initial_pressure, one.slope_of("initial_pressure", 0, 0.1F), "initial pressure");
    expect_near(gradient.salinity, one.slope_of("salinity", 0, 1e-3F), "salinity");
}

TEST(SeriesGradient, RefusesOtherSeriesAndPressuresWithoutDensity) {
    WellCase one = with_all_series();
    const Dataset dataset(views_of(one.content));
    EXPECT_THROW(series_gradient(dataset, one.fields(dataset), {{"plume_radius_0.01", {1.0, 1.0, 1.0}}}), InvalidInput);
    one.buildup[5] = 2000.0F;
    EXPECT_THAT([&] { series_gradient(dataset, one.fields(dataset), one.of_series); },
                ::testing::ThrowsMessage<InvalidInput>(HasSubstr("case 0: masses of CO2 on day 20 have no")));
    EXPECT_NO_THROW(series_gradient(dataset, one.fields(dataset), {{"mass_free", {0.0, 1.0, 1.0}}}));
    EXPECT_NO_THROW(series_gradient(dataset, one.fields(dataset), {{"bottom_hole_pressure", {1.0, 1.0, 1.0}}}));
}

TEST(SeriesGradient, RefusesWeightsOfPressuresInTheWellWithoutAValue) {
    WellCase one;
    one.buildup[well_cells + well_columns] = 2000.0F;  // of an open cell at the second time
    const Dataset dataset(views_of(one.content));
    const auto pulled = [&](const std::vector<double>& cotangents) {
        return series_gradient(dataset, one.fields(dataset), {{"bottom_hole_pressure", cotangents}});
    };
    EXPECT_THAT(
        [&] {
            pulled({1.0, 1.0, 1.0});
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("case 0: the bottom-hole pressure on day 100 has no")));
    EXPECT_NE(pulled({1.0, 0.0, 1.0}).inputs.initial_pressure, 0.0);
    std::ranges::fill(one.content.arrays.at("perforation"), 0.0F);
    const Dataset closed(views_of(one.content));
    EXPECT_THAT(
        [&] {
            series_gradient(closed, one.fields(closed), {{"bottom_hole_pressure", {0.0, 0.0, 1.0}}});
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("no cell is perforated")));
}

TEST(WellGradient, IsRefusedInBoxes) {
    WellCase one;
    const CaseFieldsCotangents cotangents = one.cotangents();
    const CaseFields fields = one.fields(Dataset(views_of(one.content)));
    one.content.x_edges = one.content.y_edges = {0.0, 10.0};
    one.content.r_edges.clear();
    for (const char* name : {"permeability_r", "perforation", "active", "porosity", "permeability_z"}) {
        one.content.arrays[name].resize(well_rows);
    }
    one.content.arrays["permeability_x"] = one.content.arrays["permeability_y"] = one.content.arrays["permeability_r"];
    one.content.arrays["cell_injection_rate"] = {0.0F, 0.5F, 0.0F, 0.0F};
    one.content.arrays.erase("permeability_r");
    const Dataset box(views_of(one.content));
    EXPECT_THROW(case_fields_gradient(box, fields, cotangents), InvalidInput);
    EXPECT_THAT(
        [&] {
            series_gradient(box, fields, {{"mass_free", {1.0, 1.0, 1.0}}});
        },
        ::testing::ThrowsMessage<InvalidInput>(HasSubstr("state them as pressure_buildup in the cell of the well")));
}

}  // namespace
}  // namespace plumecast
