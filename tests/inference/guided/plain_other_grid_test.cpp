#include <gmock/gmock.h>
#include <algorithm>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/regridding/grid_and_times.hpp>

#include "reservoir/regridding/regridded_dataset.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A plain network that knows 4 x 5 cells at 3 times, 100 m around the well, 8 m deep and 100 days long.
class PlainOtherGridTest : public ::testing::Test {
   protected:
    PlainOtherGridTest() {
        write_sample(folder_);
        const Dataset own(folder_.file("sample.h5"));
        own_ = GridAndTimes::of(own);
        write_tiny_model(model(), *backend_, tiny_network("fno"), 3, grid_record(own));
    }
    std::string model() const { return folder_.file("model"); }

    /// The cases of the sample on another grid, with made-up outputs; rows that end below `active_to` [m] are inactive.
    std::string other_sample(const GridAndTimes& grid, double active_to = 6.0) const {
        DatasetContent content = sample_content();
        content.r_edges = grid.r_edges;
        content.z_edges = grid.z_edges;
        content.times = grid.times;
        const std::size_t columns = grid.columns(), cells = grid.rows() * columns;
        const auto fill = [&](const char* name, std::size_t each, const std::function<double(std::size_t)>& value) {
            std::vector<float>& values = content.arrays[name];
            values.clear();
            for (std::size_t i = 0; i < 3 * each; ++i) {
                const bool is_active = grid.z_edges[i % cells / columns + 1] <= active_to + 1e-9;
                values.push_back(is_active ? static_cast<float>(value(i)) : 0.0F);
            }
        };
        fill("permeability_r", cells, [](std::size_t i) { return 100.0 + static_cast<double>(i % 7); });
        fill("permeability_z", cells, [](std::size_t i) { return 10.0 + static_cast<double>(i % 3); });
        fill("porosity", cells, [](std::size_t i) { return 0.2 + 0.01 * static_cast<double>(i % 5); });
        fill("active", cells, [](std::size_t) { return 1.0; });
        fill("perforation", cells, [=](std::size_t i) { return i % columns == 0 ? 1.0 : 0.0; });
        fill("gas_saturation", cells * grid.times.size(), [](std::size_t i) { return i % 8 == 0 ? 0.3 : 0.0; });
        fill("pressure_buildup", cells * grid.times.size(), [](std::size_t i) { return static_cast<double>(i % 8); });
        write_dataset(folder_.file("other.h5"), content);
        return folder_.file("other.h5");
    }
    std::vector<std::string> predict(const std::string& input, const std::string& output,
                                     Beyond beyond = Beyond::refuse) const {
        std::vector<std::string> messages;
        PredictionOptions options;
        options.beyond = beyond;
        options.log = [&](Severity severity, std::string_view text) {
            messages.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
        };
        Predictor(model(), *backend_).predict(input, folder_.file(output), options);
        return messages;
    }
    std::vector<float> field(const std::string& file, const std::string& name) const {
        const Dataset data(folder_.file(file));
        std::vector<float> values(static_cast<std::size_t>(3 * data.cells() * data.snapshots()));
        data.read_output(name, std::vector<std::int64_t>{0, 1, 2}, values);
        return values;
    }
    /// Volume of CO2 [m3] by case and time.
    std::vector<double> co2_volumes(const std::string& file) const {
        const Dataset data(folder_.file(file));
        const std::vector<float> saturation = field(file, "gas_saturation");
        const auto cells = static_cast<std::size_t>(data.cells()), times = static_cast<std::size_t>(data.snapshots()),
                   columns = static_cast<std::size_t>(data.columns());
        std::vector<double> result;
        for (std::int64_t which = 0; which < 3; ++which) {
            std::vector<float> porosity(cells), active(cells);
            data.read_map("porosity", {&which, 1}, porosity);
            data.read_map("active", {&which, 1}, active);
            for (std::size_t t = 0; t < times; ++t) {
                double sum = 0.0;
                for (std::size_t cell = 0; cell < cells; ++cell) {
                    const std::size_t row = cell / columns, column = cell % columns;
                    const double outer = data.r_edges()[column + 1], inner = data.r_edges()[column];
                    const float s = saturation[(static_cast<std::size_t>(which) * times + t) * cells + cell];
                    sum += active[cell] == 0.0F ? 0.0
                                                : M_PI * (outer * outer - inner * inner) *
                                                      (data.z_edges()[row + 1] - data.z_edges()[row]) *
                                                      static_cast<double>(porosity[cell]) * static_cast<double>(s);
                }
                result.push_back(sum);
            }
        }
        return result;
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    GridAndTimes own_;
    const GridAndTimes finer_{{0.1, 0.7, 2.0, 3.0, 9.0, 22.0, 40.0, 80.0, 100.0},
                              {},
                              {},
                              {0.0, 1.0, 2.5, 4.0, 5.0, 6.0, 7.0},
                              {1.0, 10.0, 100.0}};
};

TEST_F(PlainOtherGridTest, KeepsTheVolumeOfCo2) {
    const auto messages = predict(other_sample(finer_), "out.h5");
    EXPECT_THAT(messages, Contains(HasSubstr("the grid 6 x 8 x 3 is not that of the model (4 x 5 x 3): inputs brought "
                                             "onto the model's, fields brought back by volume and log time")));
    {
        const Dataset on_own = regridded(Dataset(folder_.file("other.h5")), own_);
        DatasetContent content = sample_content();
        const std::vector<std::int64_t> cases{0, 1, 2};
        std::vector<float> active(60);
        on_own.read_map("active", cases, active);
        for (auto& [name, values] : content.arrays) {
            if (name.find("_r") != std::string::npos || name.find("_z") != std::string::npos || name == "porosity" ||
                name == "active" || name == "perforation") {
                if (values.size() == 60) {
                    on_own.read_map(name, cases, values);
                    std::ranges::transform(values, active, values.begin(), std::multiplies<>());
                }
            }
        }
        write_dataset(folder_.file("own.h5"), content);
    }
    EXPECT_THAT(predict(folder_.file("own.h5"), "own_out.h5"), Not(Contains(HasSubstr("not that of the model"))));
    const std::vector<double> brought = co2_volumes("out.h5"), direct = co2_volumes("own_out.h5");
    for (std::size_t i = 0; i < brought.size(); ++i) {
        EXPECT_GT(direct[i], 0.0);
        EXPECT_NEAR(brought[i] / direct[i], 1.0, 1e-6);
    }
}

TEST_F(PlainOtherGridTest, InterpolatesInLogTime) {
    GridAndTimes later = own_;
    later.times = {10.0, std::sqrt(1000.0), 100.0};
    predict(other_sample(own_), "own_out.h5");
    const auto messages = predict(other_sample(later), "out.h5");
    EXPECT_THAT(messages, Contains(HasSubstr("the times 4 x 5 x 3 are not those of the model")));
    const std::vector<float> own = field("own_out.h5", "gas_saturation"), brought = field("out.h5", "gas_saturation");
    for (std::size_t i = 0; i < 15; ++i) {  // active cells of the first case
        EXPECT_NEAR(brought[i], own[20 + i], 1e-5F);
        EXPECT_NEAR(brought[20 + i], 0.5F * (own[20 + i] + own[40 + i]), 1e-5F);
        EXPECT_NEAR(brought[40 + i], own[40 + i], 1e-5F);
    }
}

TEST_F(PlainOtherGridTest, RefusesWhatLiesBeyondTheTrainingOrLeavesNaN) {
    GridAndTimes wider = finer_, deeper = finer_, later = finer_;
    wider.r_edges.push_back(150.0);
    deeper.z_edges.push_back(12.0);
    later.times.push_back(400.0);
    struct Wrong {
        GridAndTimes grid;
        double active_to;
        const char* says;
    };
    for (const Wrong& wrong : {Wrong{wider, 6.0, "the grid reaches 150 m from the well, that of the model 100 m"},
                               Wrong{deeper, 12.0, "the grid reaches 12 m below the top, that of the model 8 m"},
                               Wrong{later, 6.0, "times up to 400 days lie beyond those of the model"}}) {
        const std::string input = other_sample(wrong.grid, wrong.active_to);
        try {
            predict(input, "out.h5");
            FAIL() << wrong.says;
        } catch (const InvalidData& error) {
            EXPECT_THAT(error.what(), HasSubstr(wrong.says));
            EXPECT_THAT(error.what(), HasSubstr("PredictionOptions::beyond = Beyond::leave_nan"));
        }
        EXPECT_THROW(Predictor(model(), *backend_).evaluate(Dataset(input), {}), InvalidData);
        EXPECT_THAT(predict(input, "out.h5", Beyond::leave_nan), Contains(HasSubstr("(fields hold NaN beyond)")));
        const std::size_t cells = wrong.grid.rows() * wrong.grid.columns(), columns = wrong.grid.columns();
        const std::vector<float> saturation = field("out.h5", "gas_saturation");
        for (std::size_t i = 0; i < saturation.size(); ++i) {
            const std::size_t t = i / cells % wrong.grid.times.size(), row = i % cells / columns;
            const bool is_known = wrong.grid.r_edges[i % columns + 1] <= 100.0 && wrong.grid.z_edges[row + 1] <= 8.0 &&
                                  wrong.grid.times[t] <= 100.0;
            const bool is_active = wrong.grid.z_edges[row + 1] <= wrong.active_to;
            EXPECT_EQ(std::isnan(saturation[i]), !is_known || !is_active) << wrong.says << " " << i;
        }
    }
}

TEST_F(PlainOtherGridTest, TakesInactiveRowsBeyondTheDepthItKnows) {
    GridAndTimes deeper = finer_;
    deeper.z_edges.push_back(12.0);
    EXPECT_THAT(predict(other_sample(deeper), "out.h5"), Not(Contains(HasSubstr("warning: the grid reaches"))));
    for (const double volume : co2_volumes("out.h5")) {
        EXPECT_TRUE(std::isfinite(volume));
    }
}

TEST_F(PlainOtherGridTest, WarnsOfAGridThatEndsBefore) {
    GridAndTimes smaller = finer_;
    smaller.r_edges.pop_back();
    EXPECT_THAT(predict(other_sample(smaller), "out.h5"),
                Contains(HasSubstr("warning: the grid ends at 80 m from the well, that of the model at 100 m")));
}

TEST_F(PlainOtherGridTest, WarnsOfTimesBeforeThoseOfTheTraining) {
    const auto early = HasSubstr("days lie before those of the model");
    GridAndTimes earlier = finer_;
    earlier.times = {0.0, 0.25, 10.0};
    EXPECT_THAT(
        predict(other_sample(earlier), "out.h5"),
        Contains(HasSubstr("warning: times from 0.25 days lie before those of the model, which begin at 1 days")));
    earlier.times = {0.0, 1.0, 10.0};
    EXPECT_THAT(predict(other_sample(earlier), "out.h5"), Not(Contains(early)));
    earlier.times = {2.0, 10.0};
    EXPECT_THAT(predict(other_sample(earlier), "out.h5"), Not(Contains(early)));
}

TEST_F(PlainOtherGridTest, WarnsWhereTheModelDoesNotSayWhatItKnows) {
    write_tiny_model(model(), *backend_, tiny_network("fno"));
    EXPECT_THAT(
        predict(folder_.file("sample.h5"), "out.h5"),
        Contains(HasSubstr("warning: the model does not say on which grid and for which times it was trained")));
}

TEST_F(PlainOtherGridTest, EvaluatesWhatItPredictsOnAnyNumberOfRanks) {
    const std::string input = other_sample(finer_);
    predict(input, "alone.h5");
    const std::vector<float> predicted = field("alone.h5", "gas_saturation"),
                             truth = field("other.h5", "gas_saturation");
    const auto evaluated = Predictor(model(), *backend_).evaluate(Dataset(input), {});
    for (std::size_t which = 0; which < 3; ++which) {
        double sum = 0.0;
        for (std::size_t i = which * 144; i < (which + 1) * 144; ++i) {
            sum += i % 48 < 40 ? std::abs(static_cast<double>(predicted[i]) - static_cast<double>(truth[i])) : 0.0;
        }
        EXPECT_NEAR(evaluated.front().fields[0].errors.cases()[which].mae, sum / 120.0, 1e-4);
    }
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{2, 1}}) {
        on_ranks(2, [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const ProcessGrid grid(world, shape);
            Predictor(model(), *backend, &grid).predict(input, folder_.file("shared.h5"), {});
        });
        const std::vector<float> shared = field("shared.h5", "gas_saturation");
        for (std::size_t i = 0; i < shared.size(); ++i) {
            EXPECT_TRUE(std::isnan(predicted[i]) ? std::isnan(shared[i]) : std::abs(predicted[i] - shared[i]) < 1e-4F);
        }
    }
}

TEST(BoxOtherGridTest, KeepsWellsAndGivesTheSameFieldsOnAShiftedGridAndLikeOnesOnAFinerOne) {
    const ScratchFolder folder;
    const auto backend = make_cpu_backend({.threads = 1});
    const Dataset known(write_cartesian_sample(folder));
    write_tiny_model(folder.file("model"), *backend, tiny_network_3d("fno"), 3, grid_record(known));
    const Predictor predictor(folder.file("model"), *backend);
    const auto predicted = [&](const DatasetContent& content, const std::string& name) {
        write_dataset(folder.file(name), content);
        predictor.predict(folder.file(name), folder.file("out_" + name), {});
        const Dataset out(folder.file("out_" + name));
        std::vector<float> values(static_cast<std::size_t>(out.cells() * out.snapshots()));
        out.read_output("gas_saturation", std::vector<std::int64_t>{0}, values);
        return values;
    };
    const std::vector<float> own = predicted(cartesian_content(), "own.h5");
    DatasetContent shifted = cartesian_content();
    for (double& edge : shifted.x_edges) {
        edge += 5000.0;
    }
    const std::vector<float> there = predicted(shifted, "shifted.h5");
    DatasetContent finer = cartesian_content();
    finer.z_edges = {0.0, 2.5, 5.0, 15.0};
    for (auto& [name, values] : finer.arrays) {
        if (values.size() % 24 == 0) {  // the upper rows twice, with half of the rate in each
            std::vector<float> split;
            for (std::size_t begin = 0; begin < values.size(); begin += 24) {
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
                std::vector<float> upper(first, first + 12);
                for (float& value : upper) {
                    value *= name == "cell_injection_rate" ? 0.5F : 1.0F;
                }
                split.insert(split.end(), upper.begin(), upper.end());
                split.insert(split.end(), upper.begin(), upper.end());
                split.insert(split.end(), first + 12, first + 24);
            }
            values = split;
        }
    }
    const std::vector<float> split = predicted(finer, "finer.h5");
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (std::isnan(own[i])) {
            EXPECT_TRUE(std::isnan(there[i]));
            continue;
        }
        EXPECT_NEAR(there[i], own[i], 1e-5F);
        const std::size_t t = i / 24, cell = i % 24;
        if (cell < 12) {  // the mean of what the cell was split into
            EXPECT_NEAR(0.5F * (split[t * 36 + cell] + split[t * 36 + 12 + cell]), own[i], 1e-5F);
        } else {
            EXPECT_NEAR(split[t * 36 + 12 + cell], own[i], 1e-5F);
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
