// A driver on the stream of cases: mean and standard deviation of all fields over the cases of a data set, one batch in
// memory at a time. What it is made of is what any driver is made of; only the sink, Moments, is its own.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>

#include "inference/guided/model_grid.hpp"
#include "inference/guided/recorded_grids.hpp"
#include "inference/stream/case_stream.hpp"
#include "inference/stream/field_pass.hpp"
#include "reservoir/batches/case_lists.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

/// Mean and standard deviation of every cell and time (Welford 1962).
class Moments {
   public:
    /// Cases [B, ...].
    void add(std::span<const float> values, std::size_t cases) {
        const std::size_t each = values.size() / cases;
        mean_.resize(each);
        squares_.resize(each);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto count = static_cast<double>(count_ + i / each + 1);
            const double value = static_cast<double>(values[i]), before = value - mean_[i % each];
            mean_[i % each] += before / count;
            squares_[i % each] += before * (value - mean_[i % each]);
        }
        count_ += cases;
    }
    const std::vector<double>& mean() const { return mean_; }
    double deviation(std::size_t i) const { return std::sqrt(squares_[i] / static_cast<double>(count_)); }

   private:
    std::size_t count_ = 0;
    std::vector<double> mean_, squares_;
};

/// Of the fields of a model, by name, [space..., T]; on the first of several ranks.
std::map<std::string, Moments> moments_over_cases(const std::string& model, const std::string& input,
                                                  std::int64_t batch, Backend& backend,
                                                  const ProcessGrid* grid = nullptr) {
    const Bundle bundle = Bundle::load(model, backend, grid);
    const Dataset data(input);
    const bool is_regridded = needs_regrid(bundle, data, Beyond::refuse, nullptr);
    std::map<std::string, Moments> moments;
    for (const BundleNetwork& network : bundle.networks) {
        const NetworkDescription* description = &network.network->description();
        const CaseSet cases(data, {&description, 1}, {}, is_regridded ? recorded_grid(bundle) : std::nullopt);
        CaseStream stream(*network.network, cases, {.fields_on = FieldsOn::first_rank});
        FieldPass pass(stream);
        stream.start(batches_of(all_cases(data.cases()), batch));
        while (std::optional<CaseBatch> some = stream.next()) {
            const BatchFields fields = pass.run(std::move(*some));
            for (const auto& [name, values] : fields.named.predicted) {
                if (fields.are_here()) {
                    moments[name].add(values->values<float>(), fields.cases.size());
                }
            }
        }
    }
    return moments;
}

class MomentsOverCases : public ::testing::Test {
   protected:
    MomentsOverCases() {
        write_guided_sample(folder_);
        write_tiny_model(model_, *backend_, tiny_guided_network("fno"), 3, grid_record(Dataset(known())));
    }
    std::string known() const { return folder_.file("guided.h5"); }
    /// The cases at other times, in a formation that is cut in other layers.
    std::string other() const {
        DatasetContent content = guided_content();
        content.times = {30.0, 300.0, 900.0};
        content.z_edges = {0.0, 8.0, 20.0, 32.0, 40.0};
        write_dataset(folder_.file("other.h5"), content);
        return folder_.file("other.h5");
    }
    /// Expects the moments of what Predictor::predict() writes.
    void expect_those_of_the_result(const std::map<std::string, Moments>& found, const std::string& input,
                                    double relative = 1e-6) {
        Predictor(model_, *backend_).predict(input, folder_.file("fields.h5"), {});
        const Dataset result(folder_.file("fields.h5"));
        const auto cells = static_cast<std::size_t>(result.cells()),
                   times = static_cast<std::size_t>(result.snapshots());
        ASSERT_EQ(found.size(), 2U);
        for (const auto& [name, moments] : found) {
            std::vector<float> values(3 * cells * times);  // [N, T, space...]
            result.read_output(name, all_cases(3), values);
            ASSERT_EQ(moments.mean().size(), cells * times);
            std::size_t compared = 0;
            for (std::size_t i = 0; i < cells * times; ++i) {
                const std::size_t at = i % times * cells + i / times;
                std::vector<double> of_cases;
                for (std::size_t n = 0; n < 3; ++n) {
                    of_cases.push_back(static_cast<double>(values[n * cells * times + at]));
                }
                const double mean = (of_cases[0] + of_cases[1] + of_cases[2]) / 3.0;
                if (std::isnan(mean)) {
                    continue;  // an inactive cell
                }
                double squares = 0.0;
                for (const double value : of_cases) {
                    squares += (value - mean) * (value - mean);
                }
                const double tolerance = relative * (std::abs(mean) + std::sqrt(squares) + 0.01);
                EXPECT_NEAR(moments.mean()[i], mean, tolerance) << name << " at " << i;
                EXPECT_NEAR(moments.deviation(i), std::sqrt(squares / 3.0), tolerance) << name << " at " << i;
                ++compared;
            }
            EXPECT_GT(compared, cells * times / 2);
        }
    }

    ScratchFolder folder_;
    std::string model_ = folder_.file("model");
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(MomentsOverCases, AreThoseOfPredictions) {
    expect_those_of_the_result(moments_over_cases(model_, known(), 2, *backend_), known());
}

TEST_F(MomentsOverCases, AreOnTheGridOfTheCasesWhereTheModelHasAnother) {
    const std::string input = other();
    expect_those_of_the_result(moments_over_cases(model_, input, 2, *backend_), input);
}

TEST_F(MomentsOverCases, ComeToTheFirstOfSeveralRanks) {
    const std::string input = other();
    for (const std::string& file : {known(), input}) {
        for (const GridShape& shape : {GridShape{2, 1}, GridShape{1, 2}}) {
            std::map<std::string, Moments> found;
            on_ranks(2, [&](Communicator& world) {
                const auto backend = make_cpu_backend({.threads = 1});
                const ProcessGrid grid(world, shape);
                std::map<std::string, Moments> own = moments_over_cases(model_, file, 2, *backend, &grid);
                if (world.rank() == 0) {
                    found = std::move(own);
                } else {
                    EXPECT_TRUE(own.empty());
                }
            });
            expect_those_of_the_result(found, file, 1e-3);
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
