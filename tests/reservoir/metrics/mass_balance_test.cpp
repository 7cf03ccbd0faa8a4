#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>

#include "reservoir/metrics/mass_balance.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

ConstView view(const std::vector<float>& values, const Shape& shape) { return {shape, DType::float32, values.data()}; }

TEST(CellVolumes, AreRingsTimesHeight) {
    const std::vector<double> volumes = cell_volumes(std::vector{0.0, 1.0, 3.0}, std::vector{0.0, 2.0, 5.0});
    const double disc = std::numbers::pi;  // of radius 1
    ASSERT_EQ(volumes.size(), 4U);
    EXPECT_NEAR(volumes[0], 2.0 * disc, 1e-12);
    EXPECT_NEAR(volumes[1], 16.0 * disc, 1e-12);
    EXPECT_NEAR(volumes[2], 3.0 * disc, 1e-12);
    EXPECT_NEAR(volumes[3], 24.0 * disc, 1e-12);
}

TEST(CellVolumes, AreBoxesOrWhatTheFileSays) {
    const testing::ScratchFolder folder;
    const std::vector<double> boxes = cell_volumes(Dataset(testing::write_cartesian_sample(folder)));
    ASSERT_EQ(boxes.size(), 24U);
    EXPECT_DOUBLE_EQ(boxes[0], 100.0 * 50.0 * 5.0);
    EXPECT_DOUBLE_EQ(boxes[12 + 8 + 3], 400.0 * 100.0 * 10.0);
    DatasetContent content = testing::cartesian_content();
    content.arrays["cell_volume"].assign(24, 3.0F);
    write_dataset(folder.file("own.h5"), content);
    EXPECT_EQ(cell_volumes(Dataset(folder.file("own.h5"))), std::vector<double>(24, 3.0));
    const Dataset radial(testing::write_sample(folder));
    EXPECT_EQ(cell_volumes(radial), cell_volumes(radial.r_edges(), radial.z_edges()));
}

TEST(CellVolumes, RefuseEdgesThatDoNotGrow) {
    EXPECT_THROW(cell_volumes(std::vector{0.0, 1.0, 1.0}, std::vector{0.0, 1.0}), InvalidInput);
    EXPECT_THROW(cell_volumes(std::vector{0.0, 1.0}, std::vector{1.0}), InvalidInput);
    EXPECT_THROW(cell_volumes(std::vector{-1.0, 1.0}, std::vector{0.0, 1.0}), InvalidInput);
}

TEST(PoreVolumes, AreZeroInInactiveCells) {
    const std::vector<double> volumes{10.0, 20.0};
    const std::vector<float> porosity{0.5F, 0.25F};
    const std::vector<float> active{1.0F, 0.0F};
    EXPECT_EQ(pore_volumes(volumes, view(porosity, {1, 2}), view(active, {1, 2})), (std::vector{5.0, 0.0}));
}

TEST(PoreVolumes, RefuseMapsOfAnotherGrid) {
    const std::vector<double> volumes{10.0};
    const std::vector<float> map{0.5F, 0.25F};
    EXPECT_THROW(pore_volumes(volumes, view(map, {1, 2}), view(map, {1, 2})), InvalidInput);
}

TEST(GasVolume, SumsPoresTimesSaturationAtOneTime) {
    const std::vector<double> pores{10.0, 20.0};
    const std::vector<float> saturation{0.0F, 0.5F, 0.25F, 0.75F};  // [2, 1, 2]
    EXPECT_NEAR(gas_volume(view(saturation, {2, 1, 2}), pores, 0), 5.0, 1e-12);
    EXPECT_NEAR(gas_volume(view(saturation, {2, 1, 2}), pores, 1), 20.0, 1e-12);
    EXPECT_THROW(gas_volume(view(saturation, {2, 1, 2}), pores, 2), InvalidInput);
}

TEST(MassError, IsDefinedWithoutGas) {
    const std::vector<double> pores{1.0};
    const std::vector<float> none{0.0F};
    const std::vector<float> some{0.5F};
    const Shape shape{1, 1, 1};
    EXPECT_EQ(mass_error(view(none, shape), view(none, shape), pores), 0.0);
    EXPECT_EQ(mass_error(view(some, shape), view(none, shape), pores), 1.0);
    EXPECT_EQ(mass_error(view(none, shape), view(some, shape), pores), 1.0);
}

}  // namespace
}  // namespace plumecast
