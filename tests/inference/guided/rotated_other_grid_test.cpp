#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/regridding/regridded_dataset.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A plain network that knows 2 x 3 x 4 cells of 800 m by 200 m, whose x axis leads east, and the cases of the sample
/// on grids that lie otherwise.
class RotatedOtherGridTest : public ::testing::Test {
   protected:
    RotatedOtherGridTest() { train_on(placed(cartesian_content(), "0")); }

    static DatasetContent placed(DatasetContent content, const std::string& rotation, const std::string& origin = "") {
        if (!rotation.empty()) {
            content.attributes["rotation"] = rotation;
        }
        if (!origin.empty()) {
            content.attributes["origin"] = origin;
        }
        return content;
    }
    /// The same reservoir on axes that are turned by 90 degrees: x leads north, y west.
    static DatasetContent turned(const DatasetContent& content) {
        DatasetContent result = placed(content, "90");
        result.x_edges = content.y_edges;
        result.y_edges.clear();
        std::transform(content.x_edges.rbegin(), content.x_edges.rend(), std::back_inserter(result.y_edges),
                       [](double edge) { return -edge; });
        for (auto& [name, values] : result.arrays) {
            if (values.size() % 24 == 0) {
                values = turned(values);
            }
        }
        std::swap(result.arrays["permeability_x"], result.arrays["permeability_y"]);
        return result;
    }
    /// Maps [..., 3, 4] as [..., 4, 3].
    static std::vector<float> turned(const std::vector<float>& maps) {
        std::vector<float> result;
        for (std::size_t begin = 0; begin < maps.size(); begin += 12) {
            for (std::size_t column = 4; column-- > 0;) {
                for (std::size_t line = 0; line < 3; ++line) {
                    result.push_back(maps[begin + line * 4 + column]);
                }
            }
        }
        return result;
    }
    /// A box of 6 x 5 columns, active in the middle, small enough to lie within that of the network when it is rotated.
    static DatasetContent small() {
        DatasetContent content = cartesian_content();
        content.x_edges = {0.0, 20.0, 45.0, 70.0, 100.0, 120.0, 140.0};
        content.y_edges = {0.0, 20.0, 50.0, 70.0, 100.0, 120.0};
        for (auto& [name, values] : content.arrays) {
            if (values.size() % 24 != 0) {
                continue;
            }
            const std::size_t maps = values.size() / 12;
            values.clear();
            for (std::size_t i = 0; i < maps * 30; ++i) {
                const std::size_t column = i % 6, line = i / 6 % 5;
                const bool is_active = column > 0 && column < 5 && line > 0 && line < 4, is_well = i % 30 == 14;
                const auto uneven = static_cast<float>(1 + i % 7);
                const float value = name == "active"                ? 1.0F
                                    : name == "perforation"         ? (is_well ? 1.0F : 0.0F)
                                    : name == "cell_injection_rate" ? (is_well ? (i < 60 ? 0.375F : 0.75F) : 0.0F)
                                    : name == "porosity"            ? 0.02F * uneven
                                                                    : 10.0F * uneven;
                values.push_back(is_active ? value : 0.0F);
            }
        }
        return content;
    }
    /// Inputs of a data set on the grid of the network, in a file that stays.
    std::string copy_of(const Dataset& data) const {
        DatasetContent content = placed(cartesian_content(), "0");
        const std::vector<std::int64_t> cases{0, 1};
        std::vector<float> active(48);
        data.read_map("active", cases, active);
        for (auto& [name, values] : content.arrays) {
            if (values.size() == 48) {
                data.read_map(name, cases, values);
                std::ranges::transform(values, active, values.begin(), std::multiplies<>());
            }
        }
        write_dataset(folder_.file("there.h5"), content);
        return folder_.file("there.h5");
    }
    void train_on(const DatasetContent& content) const {
        write_dataset(folder_.file("known.h5"), content);
        NetworkDescription description = tiny_network_3d("fno");
        description.fields.front().offset = 0.3;  // so that nothing is cut off at 0
        const FieldNetwork network(*backend_, description, 3);
        write_bundle(folder_.file("model"),
                     {"tiny",
                      {{"fields", &network}},
                      Json::Object{{"grid", GridAndTimes::of(Dataset(folder_.file("known.h5"))).to_json()}},
                      "Tiny.\n"});
    }
    std::vector<std::string> predict(const DatasetContent& content, const std::string& name,
                                     Beyond beyond = Beyond::refuse) const {
        write_dataset(folder_.file(name), content);
        std::vector<std::string> messages;
        PredictionOptions options;
        options.beyond = beyond;
        options.log = [&](Severity severity, std::string_view text) {
            messages.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
        };
        Predictor(folder_.file("model"), *backend_).predict(folder_.file(name), folder_.file("out_" + name), options);
        return messages;
    }
    std::vector<float> field(const std::string& name) const {
        const Dataset data(folder_.file("out_" + name));
        std::vector<float> values(static_cast<std::size_t>(2 * data.cells() * data.snapshots()));
        data.read_output("gas_saturation", std::vector<std::int64_t>{0, 1}, values);
        return values;
    }
    /// Sums over the cells of pore volume, and of that times a field [cases, T], by case and time; inactive cells count
    /// as empty.
    static std::vector<double> pore_sums(const Dataset& data, const std::vector<float>& values) {
        const auto cells = static_cast<std::size_t>(data.cells()), columns = data.x_edges().size() - 1,
                   lines = data.y_edges().size() - 1, times = values.size() / cells / 2;
        std::vector<double> sums;
        for (std::int64_t which = 0; which < 2; ++which) {
            std::vector<float> porosity(cells), active(cells);
            data.read_map("porosity", {&which, 1}, porosity);
            data.read_map("active", {&which, 1}, active);
            for (std::size_t t = 0; t < times; ++t) {
                double sum = 0.0;
                for (std::size_t cell = 0; cell < cells; ++cell) {
                    const std::size_t x = cell % columns, y = cell / columns % lines, z = cell / columns / lines;
                    const double volume = (data.x_edges()[x + 1] - data.x_edges()[x]) *
                                          (data.y_edges()[y + 1] - data.y_edges()[y]) *
                                          (data.z_edges()[z + 1] - data.z_edges()[z]);
                    const float value = values[(static_cast<std::size_t>(which) * times + t) * cells + cell];
                    sum += active[cell] == 0.0F
                               ? 0.0
                               : volume * static_cast<double>(porosity[cell]) * static_cast<double>(value);
                }
                sums.push_back(sum);
            }
        }
        return sums;
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(RotatedOtherGridTest, PredictsTheSameOfAReservoirThatIsStatedAlongTurnedAxes) {
    predict(placed(cartesian_content(), "0"), "own.h5");
    const auto messages = predict(turned(cartesian_content()), "turned.h5");
    EXPECT_THAT(messages,
                Contains(HasSubstr("the grid 2 x 4 x 3 x 2, rotated by 90 degrees against the model's, is not "
                                   "that of the model (2 x 3 x 4 x 2): inputs brought onto the model's")));
    EXPECT_THAT(messages, Not(Contains(HasSubstr("warning: the grid"))));
    const std::vector<float> expected = turned(field("own.h5")), found = field("turned.h5");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : std::abs(found[i] - expected[i]) <= 1e-5F)
            << i << ": " << found[i] << " for " << expected[i];
    }
}

TEST_F(RotatedOtherGridTest, LiesWhereTheMapSaysThatItLies) {
    train_on(placed(cartesian_content(), "20", "x 450000 m, y 6700000 m"));
    predict(placed(cartesian_content(), "20", "x 450000 m, y 6700000 m"), "own.h5");
    DatasetContent elsewhere = placed(cartesian_content(), "20", "x 450000 m, y 6700000 m");
    for (double& edge : elsewhere.x_edges) {  // counted from 500 m further along x
        edge -= 500.0;
    }
    const double angle = M_PI / 9.0;
    elsewhere.attributes["origin"] =
        fmt::format("x {} m, y {} m", 450000.0 + 500.0 * std::cos(angle), 6700000.0 + 500.0 * std::sin(angle));
    predict(elsewhere, "elsewhere.h5");
    const std::vector<float> expected = field("own.h5"), found = field("elsewhere.h5");
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : std::abs(found[i] - expected[i]) <= 1e-5F)
            << i << ": " << found[i] << " for " << expected[i];
    }
    const DatasetContent away = placed(cartesian_content(), "20", "x 440000 m, y 6700000 m");
    try {
        predict(away, "away.h5");
        FAIL();
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("the grid begins at -9496.93 m along x, that of the model at -100 m"));
        EXPECT_THAT(error.what(), HasSubstr("both state their origin on the map"));
    }
}

TEST_F(RotatedOtherGridTest, KeepsPoresRateAndCo2UnderAnyAngle) {
    for (const char* degrees : {"30", "45", "140"}) {
        const DatasetContent content = placed(small(), degrees);
        const auto messages = predict(content, "small.h5");
        EXPECT_THAT(messages, Contains(HasSubstr("warning: the grid does not cover that of the model, against which it "
                                                 "is rotated")));
        const Dataset users(folder_.file("small.h5"));
        const Dataset on_own = regridded(users, GridAndTimes::of(Dataset(folder_.file("known.h5"))));
        EXPECT_EQ(on_own.place().rotation, 0.0);
        const auto ones = [](const Dataset& data) {
            return std::vector<float>(static_cast<std::size_t>(2 * data.cells()), 1.0F);
        };
        const std::vector<double> pores = pore_sums(users, ones(users)), brought = pore_sums(on_own, ones(on_own));
        std::vector<float> rates(48);
        on_own.read_map("cell_injection_rate", std::vector<std::int64_t>{0, 1}, rates);
        for (std::size_t which = 0; which < 2; ++which) {
            EXPECT_NEAR(brought[which] / pores[which], 1.0, 1e-6) << degrees;
            double sum = 0.0;
            for (std::size_t cell = 0; cell < 24; ++cell) {
                sum += static_cast<double>(rates[which * 24 + cell]);
            }
            EXPECT_NEAR(sum, 0.75 * static_cast<double>(which + 1), 1e-6) << degrees;
        }
        // What the network says on its own grid of the inputs brought there.
        const std::string there = folder_.file("out_there.h5");
        Predictor(folder_.file("model"), *backend_).predict(copy_of(on_own), there, {});
        std::vector<float> own = field("there.h5");
        const std::vector<double> expected = pore_sums(Dataset(there), own),
                                  found = pore_sums(users, field("small.h5"));
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_GT(expected[i], 0.0);
            EXPECT_NEAR(found[i] / expected[i], 1.0, 1e-6) << degrees << " " << i;
        }
    }
}

TEST_F(RotatedOtherGridTest, RefusesWhatReachesBeyondOnceItIsRotatedOrLeavesNan) {
    DatasetContent content = placed(cartesian_content(), "30");
    try {
        predict(content, "beyond.h5");
        FAIL();
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("m along y, that of the model 200 m"));
    }
    predict(content, "beyond.h5", Beyond::leave_nan);
    const std::vector<float> found = field("beyond.h5");
    EXPECT_TRUE(std::isnan(found[3]));  // the east end, which lies 400 m further north
    EXPECT_FALSE(std::isnan(found[0]));
}

TEST_F(RotatedOtherGridTest, WarnsWhereOnlyOneSideStatesARotation) {
    const auto of_data = [&](const std::string& rotation) {
        return predict(placed(cartesian_content(), rotation), "one.h5");
    };
    EXPECT_THAT(of_data(""), Not(Contains(HasSubstr("rotat"))));
    train_on(cartesian_content());
    EXPECT_THAT(of_data("30"),
                Contains(HasSubstr("warning: the grid of the data set is rotated by 30 degrees, of that of "
                                   "the model no rotation is known (the axes of the two are put on each "
                                   "other)")));
    EXPECT_THAT(of_data("0"), Not(Contains(HasSubstr("rotat"))));
    train_on(placed(cartesian_content(), "30"));
    EXPECT_THAT(of_data(""), Contains(HasSubstr("warning: the grid of the model is rotated by 30 degrees")));
}

}  // namespace
}  // namespace plumecast::testing
