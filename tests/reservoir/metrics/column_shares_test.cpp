#include "reservoir/metrics/column_shares.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

/// Columns of the size of the sample's, as a corner-point grid whose x axis is turned on the map.
Dataset turned_sample(const ScratchFolder& folder, double degrees) {
    DatasetContent content = cartesian_content();
    const double cos = std::cos(degrees * std::numbers::pi / 180.0), sin = std::sin(degrees * std::numbers::pi / 180.0);
    content.x_edges = {0.0, 250.0, 500.0, 750.0, 1000.0};
    content.y_edges = {0.0, 250.0, 500.0, 750.0};
    for (int cell = 0; cell < 24; ++cell) {
        const double x = 250.0 * (cell % 4) + 125.0, y = 250.0 * (cell / 4 % 3) + 125.0;
        content.arrays["cell_centre_x"].push_back(static_cast<float>(cos * x - sin * y));
        content.arrays["cell_centre_y"].push_back(static_cast<float>(sin * x + cos * y));
        content.arrays["cell_centre_z"].push_back(cell < 12 ? 2.5F : 10.0F);
        content.arrays["cell_volume"].push_back(cell < 12 ? 312500.0F : 625000.0F);
    }
    content.attributes["origin"] = "x 5000 m, y 7000 m";
    write_dataset(folder.file("turned.h5"), content);
    return Dataset(folder.file("turned.h5"));
}

MapPolygon square(double x, double y, double size) {
    const double half = 0.5 * size;
    return {{{{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}}}};
}

class ColumnShares : public ::testing::Test {
   protected:
    ScratchFolder folder_;
};

TEST_F(ColumnShares, KnowsAnAreaWithinAColumn) {
    for (const double degrees : {0.0, 33.0, 120.0}) {
        const Dataset dataset = turned_sample(folder_, degrees);
        const double x = 5000.0 + static_cast<double>(dataset.cell_values("cell_centre_x")[5]),
                     y = 7000.0 + static_cast<double>(dataset.cell_values("cell_centre_y")[5]);
        std::vector<double> shares = shares_within(dataset, square(x, y, 16.0));
        EXPECT_NEAR(shares[5], 256.0 / 62500.0, 1e-6) << degrees;  // centres are float32
        shares[5] = 0.0;
        EXPECT_THAT(shares, Each(0.0));
    }
}

TEST_F(ColumnShares, KnowsAnAreaWithinAColumnOfABox) {
    const std::vector<double> shares = shares_within(Dataset(write_cartesian_sample(folder_)), square(40.0, 20.0, 5.0));
    EXPECT_NEAR(shares[1], 25.0 / 5000.0, 1e-12);
}

TEST_F(ColumnShares, AreWholeWithinAnAreaAroundTheGrid) {
    EXPECT_THAT(shares_within(turned_sample(folder_, 33.0), square(5000.0, 7000.0, 4000.0)),
                Each(DoubleNear(1.0, 1e-12)));
}

TEST_F(ColumnShares, FindTheColumnOfAPlace) {
    for (const double degrees : {0.0, 33.0, 120.0}) {
        const Dataset dataset = turned_sample(folder_, degrees);
        const std::vector<std::array<double, 2>> centres = column_centres(dataset);
        for (std::size_t column = 0; column < centres.size(); ++column) {
            EXPECT_EQ(column_at(dataset, centres[column]), column) << degrees;
        }
        EXPECT_THROW(column_at(dataset, std::array{9000.0, 7000.0}), InvalidInput);
    }
    const Dataset box(write_cartesian_sample(folder_));
    EXPECT_EQ(column_at(box, std::array{299.0, 51.0}), 6U);
    EXPECT_EQ(column_at(box, std::array{301.0, 49.0}), 3U);
    EXPECT_THROW(column_at(box, std::array{301.0}), InvalidInput);
    const Dataset rings(write_guided_sample(folder_));
    const std::vector<double>& edges = rings.r_edges();
    EXPECT_EQ(column_at(rings, std::array{0.0}), 0U);
    EXPECT_EQ(column_at(rings, std::array{0.5 * (edges[1] + edges[2])}), 1U);
    EXPECT_EQ(column_at(rings, std::array{edges.back()}), edges.size() - 2);
    EXPECT_THROW(column_at(rings, std::array{1.01 * edges.back()}), InvalidInput);
    EXPECT_THROW(column_at(rings, std::array{1.0, 2.0}), InvalidInput);
}

TEST_F(ColumnShares, SayWhereTheGridLies) {
    try {
        shares_within(turned_sample(folder_, 90.0), square(0.0, 0.0, 100.0));
        FAIL() << "an area elsewhere";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("the grid lies on the map at x 4250 to 5000 m, y 7000 to 8000 m"));
        EXPECT_THAT(error.what(), Not(HasSubstr("rotat")));
    }
}

}  // namespace
}  // namespace plumecast::testing
