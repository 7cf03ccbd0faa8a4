#include <plumecast/inference/evaluation.hpp>

#include <gmock/gmock.h>

#include <cmath>

#include <plumecast/inference/prediction/physical_values.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/batches/case_lists.hpp"
#include "support/comparison.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

TEST(PhysicalValues, UndoScaleAndOffsetOfOneField) {
    const Tensor values = host_tensor<float>({1, 1, 1, 2, 2}, std::vector<float>{1.0F, -1.0F, 2.0F, 0.5F});
    const Tensor pressure = physical_values(values, 1, {"pressure_buildup", "bar", 10.0, 20.0});
    EXPECT_EQ(pressure.shape().text(), "[1, 1, 1, 2]");
    EXPECT_EQ(as_double(pressure), (std::vector<double>{-10.0, 20.0}));
}

TEST(PhysicalValues, TakeNumbersOfDoublePrecision) {
    const Tensor values = host_tensor<double>({1, 1, 1, 2, 2}, std::vector<double>{1.0, -1.0, 2.0, 0.1});
    EXPECT_EQ(as_double(physical_values(values, 0, {"pressure_buildup", "bar", 10.0, 20.0})),
              (std::vector<double>{30.0, 50.0}));
    const Tensor offset = physical_values(values, 1, {"pressure_buildup", "bar", 1e4, 1.0}, {}, {}, Limits::leave_out);
    EXPECT_EQ(offset.values<float>()[1], static_cast<float>(1e4 + 0.1)) << "0.1 is no float32";
}

TEST(PhysicalValues, LimitFractions) {
    const Tensor values = host_tensor<float>({1, 1, 1, 3, 1}, std::vector<float>{-0.25F, 0.5F, 1.5F});
    const std::vector<double> limited{0.0, 0.5, 1.0};
    EXPECT_EQ(as_double(physical_values(values, 0, {"gas_saturation", "1", 0.0, 1.0})), limited);
}

TEST(PhysicalValues, ScaleCaseByCaseAndCutOffTraces) {
    const Tensor values = host_tensor<float>({2, 1, 1, 2, 1}, std::vector<float>{0.5F, -0.03125F, 0.5F, -0.03125F});
    const Tensor scales = host_tensor<float>({2, 1, 1}, std::vector<float>{2.0F, 40.0F});
    const Field field{"pressure_buildup", "bar", 0.0, 1.0, 0.1, {{"injection_rate", 1.0}}};
    const Tensor physical = physical_values(values, 0, field, scales);
    EXPECT_THAT(physical.values<float>(), ::testing::ElementsAre(1.0F, 0.0F, 20.0F, -1.25F));
    EXPECT_THROW(physical_values(values, 0, field), InvalidInput);
    const Tensor by_time = host_tensor<float>({2, 2, 1}, std::vector<float>{2.0F, 64.0F, 40.0F, 4.0F});
    EXPECT_THAT(physical_values(values, 0, field, by_time).values<float>(),
                ::testing::ElementsAre(1.0F, -2.0F, 20.0F, -0.125F));
}

TEST(BatchesOf, KeepsOrderAndLeavesTheRestLast) {
    using Batches = std::vector<std::vector<std::int64_t>>;
    EXPECT_EQ(batches_of({4, 2, 7, 1, 9}, 2), (Batches{{4, 2}, {7, 1}, {9}}));
    EXPECT_EQ(batches_of({}, 2), Batches{});
}

class EvaluationTest : public ::testing::Test {
   protected:
    EvaluationTest() : data_(write_sample(folder_)) {
        description_.fields = default_fields();
        description_.network.fields = 2;
        network_ = std::make_unique<FieldNetwork>(*backend_, description_, 5);
    }
    Evaluation evaluated(std::int64_t batch, const std::vector<std::int64_t>& cases = {0, 1, 2}) {
        EvaluationOptions options;
        options.batch = batch;
        return evaluate(*network_, data_, cases, options);
    }

    ScratchFolder folder_;
    Dataset data_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    NetworkDescription description_ = tiny_network("fno");
    std::unique_ptr<FieldNetwork> network_;
};

TEST_F(EvaluationTest, ComparesInPhysicalUnits) {
    const Evaluation evaluation = evaluated(3);
    ASSERT_EQ(evaluation.fields.size(), 2u);
    const std::int64_t one = 1;
    const Batch batch = dataset_source(data_, description_.channels, description_.fields)->load({&one, 1});
    const Tensor prediction = described_fields(*network_, batch);
    Tensor values = host_zeros(prediction.shape());
    backend_->download(prediction.view(), values);
    for (std::size_t f = 0; f < 2; ++f) {
        const Field& field = description_.fields[f];
        const Tensor predicted = physical_values(values, static_cast<std::int64_t>(f), field, batch.scales);
        std::vector<float> truth(4 * 5 * 3);
        data_.read_output(field.name, {&one, 1}, truth);  // [T, Z, R]
        double error = 0.0;
        for (std::size_t cell = 0; cell < 15; ++cell) {  // the last of four rows is inactive
            for (std::size_t t = 0; t < 3; ++t) {
                error += std::abs(predicted.values<float>()[cell * 3 + t] - truth[t * 20 + cell]) / 45.0;
            }
        }
        EXPECT_NEAR(evaluation.fields[f].errors.cases()[1].mae, error, 1e-5 * error) << field.name;
    }
}

TEST_F(EvaluationTest, DoesNotDependOnTheBatch) {
    const Evaluation whole = evaluated(3), single = evaluated(1);
    EXPECT_NEAR(whole.loss, single.loss, 1e-6 * whole.loss);
    EXPECT_GT(whole.loss, 0.0);
    for (std::size_t f = 0; f < 2; ++f) {
        EXPECT_NEAR(whole.fields[f].errors.mean().relative_l2, single.fields[f].errors.mean().relative_l2, 1e-6);
    }
}

TEST_F(EvaluationTest, KeepsTheOrderOfTheCases) {
    const Evaluation forward = evaluated(2), backward = evaluated(2, {2, 0});
    ASSERT_EQ(backward.fields[0].errors.cases().size(), 2u);
    EXPECT_EQ(backward.cases, (std::vector<std::int64_t>{2, 0}));
    EXPECT_NEAR(backward.fields[1].errors.cases()[0].mae, forward.fields[1].errors.cases()[2].mae, 1e-5);
    EXPECT_NEAR(backward.fields[1].errors.cases()[1].mae, forward.fields[1].errors.cases()[0].mae, 1e-5);
}

TEST_F(EvaluationTest, TellsProgressAndStopsWhenAsked) {
    std::vector<std::int64_t> done;
    EvaluationOptions options;
    options.batch = 2;
    options.progress = [&](std::int64_t cases) { done.push_back(cases); };
    evaluate(*network_, data_, {0, 1, 2}, options);
    EXPECT_EQ(done, (std::vector<std::int64_t>{2, 3}));
    options.stop_requested = [] { return true; };
    EXPECT_THROW(evaluate(*network_, data_, {0, 1, 2}, options), Interrupted);
}

TEST_F(EvaluationTest, RefusesDataWithoutOutputs) {
    DatasetContent content = sample_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    write_dataset(folder_.file("inputs.h5"), content);
    const Dataset inputs(folder_.file("inputs.h5"));
    try {
        evaluate(*network_, inputs, {0}, {});
        FAIL();
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("no /outputs to compare with"));
    }
}

TEST_F(EvaluationTest, MeasuresErrorsOnACartesianGrid) {
    const Dataset data(write_cartesian_sample(folder_));
    const FieldNetwork network(*backend_, tiny_network_3d("conv_fno"), 5);
    const Evaluation result = evaluate(network, data, {0, 1}, {});
    ASSERT_EQ(result.fields.size(), 1U);
    const std::vector<Field> fields = network.description().fields;
    const std::int64_t which = 1;
    const Batch batch = dataset_source(data, network.description().channels, fields)->load({&which, 1});
    const Tensor prediction = described_fields(network, batch);
    Tensor values = host_zeros(prediction.shape());
    backend_->download(prediction.view(), values);
    const Tensor predicted = physical_values(values, 0, fields[0], batch.scales);
    std::vector<float> truth(48);
    data.read_output("gas_saturation", {&which, 1}, truth);
    double sum = 0.0, gas = 0.0, gas_error = 0.0;
    for (std::size_t cell = 0; cell < 24; ++cell) {
        if (cell / 4 % 3 == 2) {
            continue;  // inactive
        }
        for (std::size_t t = 0; t < 2; ++t) {
            sum += std::abs(static_cast<double>(predicted.values<float>()[cell * 2 + t]) -
                            static_cast<double>(truth[t * 24 + cell]));
        }
        constexpr double x[] = {100.0, 100.0, 200.0, 400.0}, z[] = {5.0, 10.0};  // lines are 50 m wide
        const double pores = x[cell % 4] * 50.0 * z[cell / 12] * (0.1 + 0.002 * static_cast<double>(24 + cell));
        gas += pores * static_cast<double>(truth[24 + cell]);
        gas_error += pores * (static_cast<double>(predicted.values<float>()[cell * 2 + 1]) -
                              static_cast<double>(truth[24 + cell]));
    }
    EXPECT_NEAR(result.fields[0].errors.cases()[1].mae, sum / 32.0, 1e-6);
    EXPECT_NEAR(result.fields[0].errors.cases()[1].mass_error, std::abs(gas_error) / gas, 1e-5);
}

TEST_F(EvaluationTest, LeavesRunningStatisticsAlone) {
    const FieldNetwork ufno(*backend_, tiny_network("ufno"), 5);
    const std::string name = "blocks.1.unet.conv1.norm.running_mean";
    const std::vector<double> before = as_double(ufno.parameters().download(ufno.parameters().at(name)));
    evaluate(ufno, data_, {0, 1, 2}, {});
    EXPECT_EQ(as_double(ufno.parameters().download(ufno.parameters().at(name))), before);
}

}  // namespace
}  // namespace plumecast::testing
