#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/comparison.hpp"
#include "support/fenced_kernels.hpp"
#include "support/kernels_on_host.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Predictions on backends whose memory is small, or whose work is recorded.
class PredictionMemory : public ::testing::Test {
   protected:
    PredictionMemory() {
        const auto backend = make_cpu_backend({.threads = 1});
        const FieldNetwork network(*backend, tiny_network("ufno"), 9);
        write_dataset(folder_.file("sample.h5"), sample_content());
        const Json grid = GridAndTimes::of(Dataset(folder_.file("sample.h5"))).to_json();
        write_bundle(path_, {"tiny", {{"gas_saturation", &network}}, Json::Object{{"grid", grid}}, "A tiny model.\n"});
        expected_ = predicted(*backend, 1);
    }
    /// Saturations of all cases.
    std::vector<float> predicted(Backend& backend, std::int64_t batch) {
        const Predictor predictor(path_, backend);
        return predicted(predictor, batch);
    }
    std::vector<float> predicted(const Predictor& predictor, std::int64_t batch) {
        PredictionOptions options;
        options.batch = batch;
        options.log = [this](Severity, std::string_view message) { log_.emplace_back(message); };
        done_.clear();
        options.progress = [this](std::int64_t done, std::int64_t) { done_.push_back(done); };
        predictor.predict(folder_.file("sample.h5"), output(), options);
        const Dataset fields(output());
        std::vector<float> all;
        for (std::int64_t which = 0; which < fields.cases(); ++which) {
            std::vector<float> one(3 * 4 * 5);
            fields.read_output("gas_saturation", {&which, 1}, one);
            all.insert(all.end(), one.begin(), one.end());
        }
        std::filesystem::remove(output());
        return all;
    }
    void expect_expected(const std::vector<float>& found, const std::string& what) {
        ASSERT_EQ(found.size(), expected_.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!std::isnan(expected_[i])) {
                EXPECT_NEAR(found[i], expected_[i], 1e-5) << what << ", value " << i;
            }
        }
    }
    std::string output() const { return folder_.file("fields.h5"); }

    ScratchFolder folder_;
    std::string path_ = folder_.file("bundle");
    std::vector<float> expected_;
    std::vector<std::string> log_;
    std::vector<std::int64_t> done_;
};

TEST_F(PredictionMemory, TakesAsManyCasesAtOnceAsAProcessorHasThreads) {
    for (const int threads : {1, 2}) {
        const auto backend = make_cpu_backend({.threads = threads});
        expect_expected(predicted(*backend, 0), "threads: " + std::to_string(threads));
        ASSERT_FALSE(done_.empty());
        EXPECT_EQ(done_.front(), threads);
    }
}

TEST_F(PredictionMemory, RecordedPassesAndLateDownloadsGiveTheSame) {
    const auto backend =
        make_fenced_kernels([this](Severity, std::string_view message) { log_.emplace_back(message); });
    expect_expected(predicted(*backend, 1), "one by one");
    expect_expected(predicted(*backend, 2), "in batches of two");
    EXPECT_TRUE(log_.empty()) << log_.front();
}

TEST_F(PredictionMemory, AutomaticBatchesFollowTheMemory) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    const Predictor predictor(path_, *backend);
    expect_expected(predicted(predictor, 0), "without limit");
    EXPECT_THAT(done_, ElementsAre(3));
    memory.reset_peak_bytes();
    predicted(predictor, 1);
    memory.limit(memory.peak_bytes() + memory.peak_bytes() / 8);
    expect_expected(predicted(predictor, 0), "with little memory");
    EXPECT_THAT(done_, ElementsAre(1, 2, 3));
}

TEST_F(PredictionMemory, GoesOnWithSmallerBatchesWhereverMemoryRunsOut) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    int went_on = 0;
    for (std::int64_t failing = 0;; failing += 11) {
        {
            const Predictor predictor(path_, *backend);
            memory.fail_after(failing);
            log_.clear();
            const std::vector<float> found = predicted(predictor, 0);
            memory.fail_after(-1);
            expect_expected(found, "after failure " + std::to_string(failing));
        }
        EXPECT_EQ(memory.live_bytes(), 0u) << "after failure " << failing;
        if (log_.empty()) {
            break;
        }
        ++went_on;
        EXPECT_THAT(log_.front(), HasSubstr("going on with batches of "));
    }
    EXPECT_GT(went_on, 3);
}

TEST_F(PredictionMemory, KeepsPlansFromCallToCallAndForItsCopies) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    const Predictor predictor(path_, *backend);
    const std::size_t weights = memory.live_bytes();
    predicted(predictor, 1);
    const std::size_t with_plan = memory.live_bytes();
    EXPECT_GT(with_plan, weights);
    const auto allocations_of = [&](const Predictor& one) {
        const std::int64_t before = memory.allocations();
        expect_expected(predicted(one, 1), "again");
        return memory.allocations() - before;
    };
    const std::int64_t again = allocations_of(predictor);
    const Predictor copy = predictor;
    EXPECT_EQ(allocations_of(copy), again) << "nothing is folded anew";
    EXPECT_LT(again, allocations_of(Predictor(path_, *backend)));
    EXPECT_EQ(memory.live_bytes(), with_plan);
}

TEST_F(PredictionMemory, NamesTheBatchThatFitsWhereTheUserChose) {
    auto owned = std::make_unique<CountedMemory>();
    CountedMemory& memory = *owned;
    const auto backend = make_kernels_on_host(std::move(owned));
    const Predictor predictor(path_, *backend);
    memory.reset_peak_bytes();
    predicted(predictor, 1);
    memory.limit(memory.peak_bytes() + memory.peak_bytes() / 8);
    try {
        predicted(predictor, 3);
        FAIL() << "nothing was thrown";
    } catch (const OutOfMemory& error) {
        EXPECT_THAT(error.what(), HasSubstr("batches of 3 cases do not fit (no memory for "));
        EXPECT_THAT(error.what(), HasSubstr("; use PredictionOptions::batch = 1, or 0 for as many as fit"));
    }
    EXPECT_FALSE(std::filesystem::exists(output()));
}

}  // namespace
}  // namespace plumecast::testing
