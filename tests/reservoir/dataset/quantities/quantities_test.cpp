#include "reservoir/dataset/quantities/quantities.hpp"

#include <limits>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/trust/figure_bands.hpp"

namespace plumecast::testing {
namespace {

TEST(Quantities, AreFoundByTheirNameWithinTheirKind) {
    EXPECT_EQ(quantity(QuantityKind::of_case, "max_buildup").meaning, "largest pressure build-up");
    EXPECT_EQ(quantity(QuantityKind::figure, "max_buildup").title, "Largest build-up");
    EXPECT_EQ(find_quantity(QuantityKind::derived, "max_buildup"), nullptr);
    EXPECT_THROW(quantity(QuantityKind::figure, "gas_saturation"), Error);
}

TEST(Quantities, GoByLongerNamesInFamiliesAlone) {
    EXPECT_EQ(quantity(QuantityKind::figure, "plume_radius_0.01").name, "plume_radius");
    EXPECT_EQ(quantity(QuantityKind::of_case, "expected_error_gas_saturation").name, "expected_error");
    EXPECT_EQ(quantity(QuantityKind::figure, "mass_free_inside").name, "mass_free_inside");
    EXPECT_EQ(find_quantity(QuantityKind::figure, "mass_free_0.01"), nullptr);
    EXPECT_EQ(find_quantity(QuantityKind::figure, "plume_radiuses"), nullptr);
}

TEST(Quantities, AdmitWhatLiesWithinTheirLimits) {
    const Quantity& gradient = quantity(QuantityKind::attribute, "temperature_gradient");
    EXPECT_TRUE(gradient.admits(0.2));
    EXPECT_FALSE(gradient.admits(0.21));
    EXPECT_FALSE(gradient.admits(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_EQ(limits_text(gradient), "0 to 0.2");
    EXPECT_EQ(limits_text(quantity(QuantityKind::figure, "mass_free")), "0 or more");
    EXPECT_EQ(limits_text(quantity(QuantityKind::figure, "closing_error")), "any");
}

TEST(Quantities, ThatHaveIntervalsAreFiguresWhoseIntervalsEndAtTheirLeastValue) {
    const std::vector<std::string> names = banded_figure_names();
    ASSERT_EQ(names.size(), 8U);
    for (const std::string& name : names) {
        const double least = quantity(QuantityKind::figure, name).low;
        EXPECT_EQ((FigureBand{name, 0.0, 2.0}.at(least + 1.0, 0.0)), std::pair(least, least + 3.0)) << name;
    }
}

}  // namespace
}  // namespace plumecast::testing
