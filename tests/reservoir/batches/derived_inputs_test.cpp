#include "reservoir/batches/derived_inputs.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "support/samples/sample_dataset.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

class DerivedInputsTest : public ::testing::Test {
   protected:
    Dataset written(const DatasetContent& content) const {
        write_dataset(folder_.file("a.h5"), content);
        return Dataset(folder_.file("a.h5"));
    }

    ScratchFolder folder_;
    DatasetContent content_ = testing::sample_content();
};

TEST_F(DerivedInputsTest, TransmissivityOfLikeColumnsIsTheirSum) {
    content_.arrays["permeability_r"].assign(3 * 20, 50.0F);
    content_.arrays["permeability_r"][15] = NAN;  // an inactive cell
    EXPECT_NEAR(scalar_input(written(content_), "transmissivity", 0), 3 * 2.0 * 50.0, 1e-9);
}

TEST_F(DerivedInputsTest, TransmissivityIsHarmonicAlongTheRadius) {
    content_.arrays["permeability_r"].assign(3 * 20, 100.0F);
    for (std::size_t row = 0; row < 4; ++row) {
        content_.arrays["permeability_r"][20 + row * 5] = 10.0F;  // a tight first column in case 1
    }
    const double tight = std::log(1.0 / 0.1);
    const double open = std::log(100.0 / 1.0);
    const double expected = (tight + open) / (tight / 60.0 + open / 600.0);
    EXPECT_NEAR(scalar_input(written(content_), "transmissivity", 1), expected, 1e-9 * expected);
}

TEST_F(DerivedInputsTest, TransmissivityLeavesOutAnAxisCell) {
    content_.r_edges.front() = 0.0;
    content_.arrays["permeability_r"].assign(3 * 20, 50.0F);
    EXPECT_NEAR(scalar_input(written(content_), "transmissivity", 2), 300.0, 1e-9);
}

TEST_F(DerivedInputsTest, ShareTheInflowByPerforatedTransmissivity) {
    content_.arrays["permeability_r"].assign(3 * 20, 50.0F);
    content_.arrays["perforation"].assign(3 * 20, 0.0F);
    content_.arrays["perforation"][0] = 0.25F;
    content_.arrays["perforation"][5] = 0.75F;
    const Dataset dataset = written(content_);
    EXPECT_NEAR(scalar_input(dataset, "perforated_transmissivity", 0), 100.0, 1e-9);
    const std::vector<double> share = inflow_share(dataset, 0);
    for (std::size_t column = 0; column < 5; ++column) {
        EXPECT_EQ(share[column], 0.25);
        EXPECT_EQ(share[5 + column], 0.75);
        EXPECT_EQ(share[10 + column], 0.0);
    }
}

TEST_F(DerivedInputsTest, ScaleAFieldWithPowersOfACase) {
    const Field field{"pressure_buildup", "bar", 0.0, 3.0, 0.0, {{"injection_rate", 2.0}, {"temperature", -0.5}}};
    EXPECT_NEAR(field_scales(written(content_), field, 2).front(), 3.0 * 1.5 * 1.5 / std::sqrt(90.0), 1e-6);
}

TEST_F(DerivedInputsTest, RefuseToScaleWithNothing) {
    content_.arrays["injection_rate"][1] = 0.0F;
    const Field field{"pressure_buildup", "bar", 0.0, 3.0, 0.0, {{"injection_rate", 1.0}}};
    const Dataset dataset = written(content_);
    try {
        field_scales(dataset, field, 1);
        FAIL() << "a rate of zero was accepted";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("injection_rate is 0 in case 1"));
    }
}

TEST_F(DerivedInputsTest, TransmissivityOfACartesianGridIsTheMeanOverItsColumns) {
    content_ = testing::cartesian_content();
    content_.arrays["permeability_x"].assign(48, 4.0F);
    content_.arrays["permeability_y"].assign(48, 9.0F);
    EXPECT_NEAR(scalar_input(written(content_), "transmissivity", 0), 6.0 * 15.0, 1e-9);
    EXPECT_NEAR(scalar_input(written(content_), "perforated_transmissivity", 1), 6.0 * (5.0 + 10.0), 1e-9);
    for (std::size_t cell = 0; cell < 24; cell += 12) {
        content_.arrays["permeability_x"][cell] = 16.0F;  // the narrow column at the corner, 5,000 of 80,000 m2
    }
    EXPECT_NEAR(scalar_input(written(content_), "transmissivity", 0), 90.0 + 90.0 * 5000.0 / 80000.0, 1e-9);
}

TEST_F(DerivedInputsTest, HeightsFollowTheVolumesThatCellsHave) {
    content_ = testing::cartesian_content();
    content_.arrays["permeability_x"].assign(48, 6.0F);
    content_.arrays["permeability_y"].assign(48, 6.0F);
    content_.arrays["cell_volume"].assign(24, 0.0F);
    content_.arrays["cell_volume"][1] =
        100.0F * 50.0F * 3.0F;  // cell [0, 0, 1] is 3 m high, the other well cell is flat
    EXPECT_NEAR(scalar_input(written(content_), "perforated_transmissivity", 0), 6.0 * 3.0, 1e-4);
}

/// How `value` changes, and how slopes by an input of case 1 say that it changes, where each cell of it changes by up
/// to a hundredth both ways.
struct Changes {
    double found = 0.0;
    double said = 0.0;

    template <class Written, class Value>
    Changes(const DatasetContent& content, const std::string& name, const CaseCotangents& slopes,
            const Written& written, const Value& value) {
        DatasetContent up = content, down = content;
        for (std::size_t cell = 0; cell < 20; ++cell) {
            const float part = 0.01F * static_cast<float>(std::sin(3.0 * static_cast<double>(cell) + 1.0));
            float &high = up.arrays.at(name)[20 + cell], &low = down.arrays.at(name)[20 + cell];
            high *= 1.0F + part;
            low *= 1.0F - part;
            const double slope = slopes.contains(name) ? slopes.find(name)->second[cell] : 0.0;
            said += slope * (static_cast<double>(high) - static_cast<double>(low));
        }
        found = value(written(up)) - value(written(down));
    }
};

TEST_F(DerivedInputsTest, HaveTheDerivativesOfTheirSums) {
    std::vector<float>& perforation = content_.arrays["perforation"];
    perforation.assign(3 * 20, 0.0F);
    for (const std::size_t cell : {20U, 25U, 30U}) {
        perforation[cell] = 0.02F * static_cast<float>(cell);
    }
    const auto write = [&](const DatasetContent& content) { return written(content); };
    std::vector<double> weights(20);
    for (std::size_t i = 0; i < 20; ++i) {
        weights[i] = std::cos(static_cast<double>(i));
    }
    const auto expect_slopes = [&](const CaseCotangents& slopes, const auto& value) {
        for (const char* name : {"permeability_r", "perforation"}) {
            const Changes changes(content_, name, slopes, write, value);
            EXPECT_NEAR(changes.said, changes.found, 1e-4 * std::abs(changes.found) + 1e-7) << name;
        }
    };
    for (const char* name : {"transmissivity", "perforated_transmissivity"}) {
        CaseCotangents found;
        add_scalar_cotangent(written(content_), name, 1, 2.0, found);
        expect_slopes(found, [&](const Dataset& dataset) { return 2.0 * scalar_input(dataset, name, 1); });
    }
    CaseCotangents shares;
    add_inflow_share_cotangents(written(content_), 1, weights, shares);
    expect_slopes(shares, [&](const Dataset& dataset) {
        const std::vector<double> share = inflow_share(dataset, 1);
        return std::inner_product(share.begin(), share.end(), weights.begin(), 0.0);
    });
    CaseCotangents plain;
    add_scalar_cotangent(written(content_), "temperature", 1, 3.0, plain);
    EXPECT_EQ(plain.at("temperature"), std::vector<double>{3.0});
}

}  // namespace
}  // namespace plumecast
