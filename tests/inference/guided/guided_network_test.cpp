#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/guided/guided_cases.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include "training/rank_plan.hpp"

#include "inference/prediction/prediction_slot.hpp"
#include "support/comparison.hpp"
#include "support/fenced_kernels.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/samples/network_pass.hpp"
#include "support/samples/tiny_run.hpp"
#include "training/training_pass.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<std::int64_t> all{0, 1, 2};

template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

class GuidedNetworkTest : public ::testing::Test {
   protected:
    Batch batch(const NetworkDescription& description) const {
        return cases_for(description, dataset_, Targets::read)->load(all);
    }
    static std::vector<double> predicted(const FieldNetwork& network, const Batch& batch) {
        return as_double(described_fields(network, batch));
    }
    /// Sets all elements of a parameter.
    static void set(const FieldNetwork& network, const std::string& name, double value) {
        network.backend().fill(network.parameters().at(name).weight.mutable_value(), value);
    }

    ScratchFolder folder_;
    Dataset dataset_{write_guided_sample(folder_)};
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    NetworkDescription description_ = tiny_guided_network("fno");
};

TEST_F(GuidedNetworkTest, PredictsTheBaseWhereItsLastLayerIsZero) {
    const Batch cases = batch(description_);
    const FieldNetwork network(*backend_, description_, 5);
    EXPECT_NE(predicted(network, cases), as_double(cases.base));
    set(network, "projection.second.weight", 0.0);
    set(network, "projection.second.bias", 0.0);
    EXPECT_EQ(predicted(network, cases), as_double(cases.base));
}

TEST_F(GuidedNetworkTest, PredictsTheSameBitsFromAFileAndFromMemory) {
    const DatasetContent content = guided_content();
    const Dataset memory(views_of(content));
    const FieldNetwork network(*backend_, description_, 5);
    const Batch from_memory = cases_for(description_, memory, Targets::skip)->load(all);
    EXPECT_EQ(predicted(network, from_memory), predicted(network, batch(description_)));
}

TEST_F(GuidedNetworkTest, AddsTheCorrectionTimesItsWeight) {
    const Batch cases = batch(description_);
    const FieldNetwork network(*backend_, description_, 5);
    set(network, "projection.second.weight", 0.0);
    set(network, "projection.second.bias", 3.0);
    const std::vector<double> found = predicted(network, cases), base = as_double(cases.base),
                              weight = as_double(cases.correction);
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], base[i] + 3.0 * weight[i], 1e-6) << i;
    }
}

TEST_F(GuidedNetworkTest, IsTheSameOnEveryBackendAndInASlot) {
    const Batch cases = batch(description_);
    const auto oracle = make_oracle_backend(), kernels = make_fenced_kernels();
    const FieldNetwork judge(*oracle, description_, 5), other(*kernels, description_, 5);
    const FieldNetwork own(*backend_, description_, 5);
    const Tensor truth = described_fields(judge, cases);
    for (const FieldNetwork* network : {&own, &other}) {
        const Tensor prediction = FieldPlans(*network).predict(cases);
        Tensor values = host_zeros(prediction.shape());
        network->backend().download(prediction.view(), values);
        expect_close(values, truth, 1e-5);
        FieldPlans plans(*network);
        PredictionSlot slot(*network, plans);
        for (int pass = 0; pass < 3; ++pass) {  // the first two warm a recording up
            slot.start(cases);
            expect_close(slot.finish(), values, 0.0);
        }
    }
}

TEST_F(GuidedNetworkTest, ASlotTakesTheBaseOfEachBatch) {
    const FieldNetwork network(*backend_, description_, 5);
    const auto source = cases_for(description_, dataset_, Targets::skip);
    FieldPlans plans(network);
    PredictionSlot slot(network, plans);
    for (const std::int64_t which : all) {
        const Batch one = source->load({&which, 1});
        slot.start(one);
        EXPECT_EQ(as_double(slot.finish()), predicted(network, one)) << which;
    }
}

TEST_F(GuidedNetworkTest, HasTheGradientOfItsLoss) {
    description_.network.activation = {Activation::Kind::gelu};
    const auto oracle = make_oracle_backend();
    const FieldNetwork network(*oracle, description_, 5);
    const Batch cases = batch(description_);
    const auto on_oracle = [&](ConstView host) {
        Tensor tensor(oracle->memory(), host.shape, DType::float64);
        oracle->upload(host, tensor);
        return tensor;
    };
    const std::vector<double> inverse = inverse_center_distances(dataset_.last_edges());
    const LossTarget target{on_oracle(cases.targets),
                            on_oracle(cases.active),
                            {ConstView({dataset_.columns()}, DType::float64, inverse.data())}};
    const auto loss = [&] {
        TrainingPass pass(network, {});
        const double value = pass.run(cases, target).wait();
        for (const Parameter& parameter : network.parameters().all()) {
            parameter.weight.clear_gradient();
        }
        return value;
    };
    TrainingPass(network, {}).run(cases, target).wait();
    std::map<std::string, Tensor> found;
    for (const Parameter& parameter : network.parameters().all()) {
        if (parameter.weight.has_gradient()) {
            found.emplace(parameter.name, converted(parameter.weight.gradient(), DType::float64));
            parameter.weight.clear_gradient();
        }
    }
    for (const char* name : {"projection.second.weight", "projection.first.bias", "lift.bias"}) {
        expect_gradient(network.parameters().at(name).weight.mutable_value(), loss, found.at(name), 1e-6);
    }
}

TEST_F(GuidedNetworkTest, LimitsPhysicalSaturationByTheIrreducibleWater) {
    const Field& field = description_.fields[0];
    const Tensor values = host_tensor<float>({2, 1, 1, 1, 1}, std::vector<float>{0.95F, 0.95F});
    const Tensor limits = host_tensor<float>({2, 1}, std::vector<float>{0.9F, 0.7F});
    EXPECT_THAT(physical_values(values, 0, field, {}, limits).values<float>(), ::testing::ElementsAre(0.9F, 0.7F));
    EXPECT_THAT(refusal([&] { physical_values(values, 0, field); }), HasSubstr("irreducible water saturation"));
}

TEST_F(GuidedNetworkTest, PlansTheMemoryOfItsBase) {
    NetworkDescription plain = description_;
    for (Field& field : plain.fields) {
        field.base.clear();
        field.confined = -1;
    }
    const Shape extents{4, 5, 3};
    const InferencePlan guided = plan_inference(description_, extents), whole = plan_inference(plain, extents);
    EXPECT_GE(guided.per_case, whole.per_case + 2 * 60 * 2 * sizeof(float));  // base and weight of two fields
}

TEST_F(GuidedNetworkTest, RefusesABatchWithoutPhysics) {
    const FieldNetwork network(*backend_, description_, 5);
    Batch cases = batch(description_);
    cases.base = Tensor();
    EXPECT_THAT(refusal([&] { network.input_for(cases); }), HasSubstr("corrects what is known"));
    NetworkDescription plain = description_;
    for (Field& field : plain.fields) {
        field.base.clear();
        field.confined = -1;
    }
    const FieldNetwork other(*backend_, plain, 5);
    const Batch guided = batch(description_);
    EXPECT_THAT(refusal([&] { other.input_for(guided); }), HasSubstr("predicts whole fields"));
}

TEST_F(GuidedNetworkTest, RefusesDescriptionsThatContradictTheirPhysics) {
    const auto made = [&](const auto& change) {
        NetworkDescription description = description_;
        change(description);
        return refusal([&] { const FieldNetwork network(*backend_, description, 5); });
    };
    EXPECT_THAT(made([](NetworkDescription& d) { d.physics.reset(); }), HasSubstr("the network has none"));
    EXPECT_THAT(made([](NetworkDescription& d) { d.physics->settings.substeps = 0; }), HasSubstr("substeps is 0"));
    NetworkDescription box = tiny_guided_network_3d("fno");
    EXPECT_EQ(refusal([&] { const FieldNetwork network(*backend_, box, 5); }), "accepted");
}

TEST_F(GuidedNetworkTest, RefusesAVersionOfThePhysicsThatItDoesNotHave) {
    for (const int version : {1, physics_version - 1, physics_version + 1}) {
        description_.physics->settings.version = version;
        EXPECT_THAT(refusal([&] { physics_for(description_, dataset_); }),
                    HasSubstr("physics.version is " + std::to_string(version) + " (this program has version "));
        write_tiny_model(folder_.file("model"), *backend_, description_);
        try {
            Bundle::load(folder_.file("model"), *backend_);
            ADD_FAILURE() << "loaded version " << version;
        } catch (const InvalidModel& error) {
            EXPECT_THAT(error.what(), HasSubstr(folder_.file("model") + "/model.json: networks[0].physics.version is " +
                                                std::to_string(version) + " (this program has version "));
            EXPECT_THAT(error.what(),
                        HasSubstr(version < physics_version ? "use an earlier Plumecast" : "use a later Plumecast"));
        }
        std::filesystem::remove_all(folder_.file("model"));
    }
}

TEST_F(GuidedNetworkTest, SurvivesItsJson) {
    const NetworkDescription description = tiny_guided_network("ufno");
    const Json json = to_json(description);
    EXPECT_EQ(*json.find("physics"),
              Json(Json::Object{{"kind", "two_phase"}, {"substeps", 2}, {"version", physics_version}}));
    JsonReader reader(json, "model.json");
    EXPECT_EQ(read_network_description(reader), description);
}

TEST_F(GuidedNetworkTest, RefusesPhysicsOfAnotherKind) {
    const auto message = [&](const char* kind) {
        Json json = to_json(description_);
        json["physics"]["kind"] = kind;
        JsonReader reader(json, "model.json");
        return refusal([&] { read_network_description(reader); });
    };
    EXPECT_THAT(message("single_phase"),
                HasSubstr("physics.kind is \"single_phase\" (the physics of brine alone is gone"));
    EXPECT_THAT(message("three_phase"), HasSubstr("physics.kind is \"three_phase\" (known: two_phase)"));
}

}  // namespace
}  // namespace plumecast::testing
