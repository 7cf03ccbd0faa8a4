#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/prediction/shared_failures.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(SharedFailures, AreThoseOfAllRanks) {
    on_ranks(3, [](Communicator& ranks) {
        CaseFailures failures;
        if (ranks.rank() == 1) {
            failures.add(7, "case 7: no pressure");
            failures.add(2, "");
        } else if (ranks.rank() == 2) {
            failures.add(7, "case 7: no step");
            failures.add(0, "case 0: no flow at all");
        }
        share_failures(failures, ranks);
        const std::map<std::int64_t, std::string> all = failures.all();
        ASSERT_EQ(all.size(), 3U);
        EXPECT_EQ(all.at(0), "case 0: no flow at all");
        EXPECT_EQ(all.at(2), "");
        EXPECT_EQ(all.at(7), ranks.rank() == 2 ? "case 7: no step" : "case 7: no pressure");
    });
}

TEST(SharedFailures, AreNoneWhereNoneFailed) {
    on_several_ranks([](Communicator& ranks) {
        CaseFailures failures;
        share_failures(failures, ranks);
        EXPECT_TRUE(failures.all().empty());
    });
}

class FailuresOnRanks : public ::testing::Test {
   protected:
    /// Cases in tight rock: those that inject 1000 Mt a year do not converge.
    std::string cases(const std::vector<float>& rates) const {
        DatasetContent content = guided_content();
        content.arrays["injection_rate"] = rates;
        for (const char* name : {"permeability_r", "permeability_z"}) {
            for (float& value : content.arrays[name]) {
                value *= 0.01F;
            }
        }
        write_dataset(folder_.file("cases.h5"), content);
        return folder_.file("cases.h5");
    }
    std::string model() const {
        write_tiny_model(folder_.file("model"), *make_cpu_backend({.threads = 1}), tiny_guided_network("fno"));
        return folder_.file("model");
    }
    ScratchFolder folder_;
};

TEST_F(FailuresOnRanks, AreNamedByTheRankThatWrites) {
    const std::string input = cases({1e3F, 1e-3F, 1e3F}), bundle = model();
    on_ranks(2, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, GridShape{2, 1});
        PredictionOptions options;
        options.batch = 3;
        const PredictionReport report =
            Predictor(bundle, *backend, &grid).predict(input, folder_.file("out.h5"), options);
        ASSERT_EQ(report.failed.size(), 2U);
        EXPECT_THAT(report.failed.at(0), HasSubstr("case 0"));
        EXPECT_THAT(report.failed.at(2), HasSubstr("case 2"));
    });
    EXPECT_EQ(Dataset(folder_.file("out.h5")).attribute("skipped_cases"), "0, 2");
}

TEST_F(FailuresOnRanks, EndAllRanksWhereNoCaseIsLeft) {
    const std::string input = cases({1e3F, 1e3F, 1e3F}), bundle = model();
    on_ranks(2, [&](Communicator& world) {
        const auto backend = make_cpu_backend({.threads = 1});
        const ProcessGrid grid(world, GridShape{2, 1});
        EXPECT_THROW(Predictor(bundle, *backend, &grid).predict(input, folder_.file("out.h5"), {}), NotConverged);
    });
}

}  // namespace
}  // namespace plumecast::testing
