#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

/// A model of generic data and what it predicted, as an earlier release left them; bench/operators/stored_models.py
/// made them.
class StoredGenericModel : public ::testing::TestWithParam<const char*> {
   protected:
    std::string stored(const std::string& name) const {
        const char* moved = std::getenv("PLUMECAST_REFERENCE_FOLDER");
        return (moved != nullptr ? moved : repository_folder() + "/tests/reference") + "/generic/" + GetParam() + "/" +
               name;
    }
};

TEST_P(StoredGenericModel, PredictsWhatItDid) {
    EXPECT_TRUE(validate(stored("fields.h5")).empty());
    const ScratchFolder folder;
    const auto backend = make_cpu_backend({.threads = 1});
    Predictor(stored("model"), *backend).predict(stored("fields.h5"), folder.file("again.h5"), {});
    const Dataset before(stored("fields.h5")), now(folder.file("again.h5"));
    ASSERT_EQ(now.outputs(), before.outputs());
    std::vector<std::int64_t> cases(static_cast<std::size_t>(before.cases()));
    std::iota(cases.begin(), cases.end(), std::int64_t{0});
    for (const std::string& field : before.outputs()) {
        EXPECT_EQ(now.find(field)->unit, before.find(field)->unit) << field;
        std::vector<float> expected(cases.size() * static_cast<std::size_t>(before.snapshots() * before.cells()));
        std::vector<float> found(expected.size());
        before.read_output(field, cases, expected);
        now.read_output(field, cases, found);
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << field << ' ' << i;
            if (!std::isnan(expected[i])) {
                EXPECT_NEAR(found[i], expected[i], 1e-5F * (1.0F + std::abs(expected[i]))) << field << ' ' << i;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, StoredGenericModel, ::testing::Values("plane", "line", "box"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace plumecast::testing
