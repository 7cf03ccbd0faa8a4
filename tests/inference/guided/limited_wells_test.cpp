#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/h5/file.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A network over two-phase physics, and three cases whose wells have limits of their pressure.
class LimitedWellsTest : public ::testing::Test {
   protected:
    LimitedWellsTest() { write_model(grid_record(Dataset(write_guided_sample(folder_)))); }

    void write_model(const Json& record) {
        write_tiny_model(bundle_, *backend_, tiny_guided_network("fno"), 3, record);
    }
    std::string cases_with(const std::vector<float>& limits) const {
        DatasetContent content = guided_content();
        content.arrays["bottom_hole_pressure_limit"] = limits;
        content.arrays.erase("gas_saturation");
        content.arrays.erase("pressure_buildup");
        write_dataset(folder_.file("limited.h5"), content);
        return folder_.file("limited.h5");
    }
    /// Of the second and the third case: half of the pressure that drives them without a limit [bar].
    std::vector<float> half_of_the_drive() const {
        const Dataset free(cases_with({9999.0F, 9999.0F, 9999.0F}));
        const auto physics = CasePhysics(free, {2}).load(std::vector<std::int64_t>{1, 2});
        std::vector<float> limits;
        for (std::size_t i = 0; i < 2; ++i) {
            limits.push_back(0.5F * (free.scalar("initial_pressure")[i + 1] + physics[i]->bottom_hole_pressure.back()));
        }
        return limits;
    }
    PredictionReport predict(const std::string& input, const std::vector<std::string>& fields = {}) const {
        PredictionOptions options;
        options.fields = fields;
        return Predictor(bundle_, *backend_).predict(input, output_, options);
    }
    std::vector<float> injected() const { return h5::File::open(output_).read<float>("/case/injected_mass"); }
    static std::string reasons(const PredictionReport& report, std::size_t which) {
        return fmt::format("{}", fmt::join(report.verdicts.cases[which].reasons, "; "));
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    std::string bundle_ = folder_.file("bundle"), output_ = folder_.file("fields.h5");
};

TEST_F(LimitedWellsTest, InjectTheSameWhateverFieldsAreAskedFor) {
    const std::vector<float> limits = half_of_the_drive();
    const std::string input = cases_with({9999.0F, limits[0], limits[1]});
    const PredictionReport all = predict(input);
    const std::vector<float> expected = injected();
    ASSERT_EQ(expected.size(), 9U);
    EXPECT_LT(expected[5], 0.9 * 0.1 * 1000.0 / 365.25);
    EXPECT_EQ(all.verdicts.injected, expected);
    for (const char* field : {"gas_saturation", "pressure_buildup", "dissolved_co2"}) {
        const PredictionReport report = predict(input, {field});
        EXPECT_EQ(injected(), expected) << field;
        EXPECT_THAT(reasons(report, 1), HasSubstr("corrects those that the physics limits")) << field;
        EXPECT_THAT(reasons(report, 1), HasSubstr("rate limited by bottom-hole pressure from day")) << field;
        EXPECT_THAT(reasons(report, 0), Not(HasSubstr("limit"))) << field;
    }
}

TEST_F(LimitedWellsTest, AreNoReasonForDoubtWhereTheNetworkLearnedThem) {
    const std::vector<float> limits = half_of_the_drive();
    const std::string input = cases_with({9999.0F, limits[0], limits[1]});
    Json record = grid_record(Dataset(input));
    record["pressure_limits"] = true;
    write_model(record);
    const PredictionReport report = predict(input);
    EXPECT_THAT(reasons(report, 1), Not(HasSubstr("trained on rates")));
    EXPECT_THAT(reasons(report, 1), HasSubstr("rate limited by bottom-hole pressure from day"));
}

/// Ranks that take cases in turn, and ranks that share them, beside a case that cannot be computed.
TEST_F(LimitedWellsTest, InjectTheSameOnRanks) {
    const std::vector<float> limits = half_of_the_drive();
    const std::string input = cases_with({1.0F, limits[0], limits[1]});  // the first below the initial pressure
    predict(input);
    const auto dissolved = [&] {
        const Dataset fields(output_);
        std::vector<float> values(3 * 60);
        fields.read_output("dissolved_co2", std::vector<std::int64_t>{0, 1, 2}, values);
        return values;
    };
    const std::vector<float> expected = injected(), expected_dissolved = dissolved();
    EXPECT_LT(expected[5], 0.9 * 0.1 * 1000.0 / 365.25);
    for (const GridShape& shape : {GridShape{2, 1, 1}, GridShape{1, 2, 1}}) {
        on_ranks(2, [&](Communicator& world) {
            const auto backend = make_cpu_backend({.threads = 1});
            const ProcessGrid grid(world, shape);
            Predictor(bundle_, *backend, &grid).predict(input, output_, {});
        });
        EXPECT_EQ(injected(), expected) << shape.text();
        const std::vector<float> found = dissolved();
        for (std::size_t i = 60; i < found.size(); ++i) {
            EXPECT_TRUE(std::isnan(expected_dissolved[i]) ? std::isnan(found[i])
                                                          : std::abs(found[i] - expected_dissolved[i]) < 1e-3F)
                << shape.text() << ", " << i;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
