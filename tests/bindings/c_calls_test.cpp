#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/predictor.hpp>

#include "bindings/c/handles.hpp"
#include "bindings/c/status.hpp"
#include "bindings/c_model.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string message() { return plumecast_last_error(); }

bool have_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

template <class Class>
void expect_status(plumecast_status status) {
    EXPECT_EQ(c::guarded([] { throw Class("a thing (its reason); its remedy"); }), status);
    EXPECT_STREQ(c::last_error(), "a thing (its reason); its remedy");
}

TEST(CStatus, IsOnePerClassOfErrors) {
    expect_status<InvalidInput>(PLUMECAST_INVALID_INPUT);
    expect_status<InvalidData>(PLUMECAST_INVALID_DATA);
    expect_status<InvalidModel>(PLUMECAST_INVALID_MODEL);
    expect_status<DeviceError>(PLUMECAST_DEVICE_ERROR);
    expect_status<OutOfMemory>(PLUMECAST_OUT_OF_MEMORY);
    expect_status<CommError>(PLUMECAST_COMM_ERROR);
    expect_status<IoError>(PLUMECAST_IO_ERROR);
    expect_status<NotConverged>(PLUMECAST_NOT_CONVERGED);
    expect_status<NotBuilt>(PLUMECAST_NOT_BUILT);
    expect_status<Error>(PLUMECAST_INTERNAL);
    expect_status<std::runtime_error>(PLUMECAST_INTERNAL);
    EXPECT_EQ(c::guarded([] { throw Interrupted(); }), PLUMECAST_INTERRUPTED);
    EXPECT_EQ(c::guarded([] { throw std::bad_alloc(); }), PLUMECAST_OUT_OF_MEMORY);
    EXPECT_EQ(c::guarded([] { throw 7; }), PLUMECAST_INTERNAL);
    EXPECT_EQ(c::guarded([] {}), PLUMECAST_OK);
    EXPECT_EQ(c::guarded([] { throw InvalidInput(std::string(5000, 'x')); }), PLUMECAST_INVALID_INPUT);
    EXPECT_EQ(std::strlen(c::last_error()), 2047u) << "a long message is cut";
}

class CFaceTest : public ::testing::Test {
   protected:
    CModel tiny_;
};

TEST_F(CFaceTest, RefusesAModelOverAnUnknownVersionOfThePhysics) {
    const ScratchFolder folder;
    NetworkDescription description = tiny_guided_network("fno");
    description.physics->settings.version = physics_version + 1;
    write_tiny_model(folder.file("model"), *make_cpu_backend({.threads = 1}), description);
    plumecast_model* model = nullptr;
    EXPECT_EQ(plumecast_model_load(tiny_.device, folder.file("model").c_str(), &model), PLUMECAST_INVALID_MODEL);
    EXPECT_EQ(model, nullptr);
    EXPECT_THAT(message(),
                AllOf(HasSubstr("model.json: networks[0].physics.version is"), HasSubstr("this program has version ")));
}

TEST_F(CFaceTest, GivesTheBitsOfCpp) {
    std::vector<float> values, expected(180, -7.0F);
    plumecast_options options{};
    options.size = sizeof options;
    options.batch = 2;
    ASSERT_EQ(tiny_.predict(values, &options), PLUMECAST_OK) << message();
    const auto backend = make_cpu_backend({.threads = 1});
    PredictionOptions of_cpp;
    of_cpp.batch = 2;
    const PredictedArrays outputs{{{"gas_saturation", output_to(expected.data(), {3, 3, 4, 5})}}};
    Predictor(tiny_.path(), *backend).predict(views_of(tiny_.content()), outputs, of_cpp);
    EXPECT_TRUE(have_same_bits(values, expected));
    ASSERT_EQ(plumecast_predict_file(tiny_.model, tiny_.cases, tiny_.file("out.h5").c_str(), nullptr), PLUMECAST_OK);
    EXPECT_EQ(Dataset(tiny_.file("out.h5")).cases(), 3);
}

TEST_F(CFaceTest, GivesThreadsThatShareAModelTheBitsOfOne) {
    std::vector<float> alone, first, second;
    ASSERT_EQ(tiny_.predict(alone), PLUMECAST_OK);
    const auto repeat = [this](std::vector<float>& values) {
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(tiny_.predict(values), PLUMECAST_OK) << message();
        }
    };
    std::thread other([&] { repeat(first); });
    repeat(second);
    other.join();
    EXPECT_TRUE(have_same_bits(first, alone) && have_same_bits(second, alone));
}

TEST_F(CFaceTest, SharesTheWeightsOfAModelThatIsLoadedAgain) {
    const auto load = [this] {
        plumecast_model* model = nullptr;
        EXPECT_EQ(plumecast_model_load(tiny_.device, tiny_.path().c_str(), &model), PLUMECAST_OK) << message();
        return std::unique_ptr<plumecast_model, decltype(&plumecast_model_release)>(model, &plumecast_model_release);
    };
    const auto again = load();
    EXPECT_EQ(again->predictor, tiny_.model->predictor);
    CModel other(tiny_guided_network("ufno"));
    std::filesystem::remove_all(tiny_.path());
    std::filesystem::copy(other.path(), tiny_.path(), std::filesystem::copy_options::recursive);
    const auto changed = load();
    EXPECT_NE(changed->predictor, tiny_.model->predictor) << "of another model in the same place";
    EXPECT_EQ(changed->hash, other.model->hash);
    std::vector<float> values;
    EXPECT_EQ(tiny_.predict(values), PLUMECAST_OK) << message();
}

TEST_F(CFaceTest, KeepsWhatHandlesNeedInAnyOrderOfRelease) {
    plumecast_device_release(tiny_.device);
    tiny_.device = nullptr;
    std::filesystem::remove_all(tiny_.path());
    std::vector<float> values;
    EXPECT_EQ(tiny_.predict(values), PLUMECAST_OK) << message();
}

TEST_F(CFaceTest, RefusesNullsAndReleasesThem) {
    plumecast_device_release(nullptr);
    plumecast_model_release(nullptr);
    plumecast_cases_release(nullptr);
    const char* text = nullptr;
    std::size_t count = 0;
    plumecast_model* model = nullptr;
    plumecast_cases* cases = nullptr;
    plumecast_device* device = nullptr;
    const double* numbers = nullptr;
    for (const plumecast_status status : {plumecast_device_open("cpu", nullptr, nullptr),
                                          plumecast_device_open(nullptr, nullptr, &device),
                                          plumecast_device_describe(nullptr, &text),
                                          plumecast_device_describe(tiny_.device, nullptr),
                                          plumecast_device_trim(nullptr),
                                          plumecast_model_load(nullptr, "model", &model),
                                          plumecast_model_load(tiny_.device, nullptr, &model),
                                          plumecast_model_load(tiny_.device, "model", nullptr),
                                          plumecast_model_describe(nullptr, &text),
                                          plumecast_model_describe(tiny_.model, nullptr),
                                          plumecast_model_input_count(nullptr, &count),
                                          plumecast_model_input_count(tiny_.model, nullptr),
                                          plumecast_model_input(tiny_.model, 0, nullptr),
                                          plumecast_model_field(nullptr, 0, nullptr),
                                          plumecast_model_field_count(tiny_.model, nullptr),
                                          plumecast_model_hash(nullptr, nullptr),
                                          plumecast_model_axis(nullptr, "times", &numbers, &count),
                                          plumecast_model_axis(tiny_.model, nullptr, &numbers, &count),
                                          plumecast_model_axis(tiny_.model, "times", nullptr, &count),
                                          plumecast_model_axis(tiny_.model, "times", &numbers, nullptr),
                                          plumecast_cases_create(nullptr),
                                          plumecast_cases_open(nullptr, &cases),
                                          plumecast_cases_open("cases.h5", nullptr),
                                          plumecast_cases_set(nullptr, nullptr, nullptr, nullptr),
                                          plumecast_cases_set(tiny_.cases, "porosity", "1", nullptr),
                                          plumecast_cases_check(nullptr, nullptr),
                                          plumecast_cases_info(tiny_.cases, nullptr),
                                          plumecast_predict(tiny_.model, tiny_.cases, nullptr, 1, nullptr),
                                          plumecast_predict(nullptr, nullptr, nullptr, 0, nullptr),
                                          plumecast_predict_file(tiny_.model, tiny_.cases, nullptr, nullptr)}) {
        EXPECT_EQ(status, PLUMECAST_INVALID_INPUT);
    }
    EXPECT_EQ(message(), "path is NULL (the call needs it); give one");
}

TEST_F(CFaceTest, TellsWhatTheModelTakesAndPredicts) {
    std::size_t inputs = 0, fields = 0;
    ASSERT_EQ(plumecast_model_input_count(tiny_.model, &inputs), PLUMECAST_OK);
    ASSERT_EQ(plumecast_model_field_count(tiny_.model, &fields), PLUMECAST_OK);
    EXPECT_EQ(fields, 3u) << "with the dissolved CO2 of the physics";
    plumecast_quantity one{};
    one.size = sizeof one;
    std::string names;
    for (std::size_t i = 0; i < inputs; ++i) {
        ASSERT_EQ(plumecast_model_input(tiny_.model, i, &one), PLUMECAST_OK);
        names += std::string(one.name) + " [" + one.axes + "] " + one.unit + "; ";
    }
    EXPECT_THAT(names, AllOf(HasSubstr("r_edges [R+1] m; "), HasSubstr("permeability_r [N,Z,R] mD; ")));
    EXPECT_EQ(plumecast_model_input(tiny_.model, inputs, &one), PLUMECAST_INVALID_INPUT);
    const char *json = nullptr, *hash = nullptr;
    ASSERT_EQ(plumecast_model_describe(tiny_.model, &json), PLUMECAST_OK);
    ASSERT_EQ(plumecast_model_hash(tiny_.model, &hash), PLUMECAST_OK);
    EXPECT_EQ(*Json::parse(json, "model").find("hash")->get_if<std::string>(), hash);
    plumecast_cases_extents extents{};
    extents.size = sizeof extents;
    ASSERT_EQ(plumecast_cases_info(tiny_.cases, &extents), PLUMECAST_OK);
    EXPECT_EQ(extents.cases * 1000 + extents.times * 100 + extents.rows * 10 + extents.columns, 3345);
    EXPECT_EQ(plumecast_abi(), PLUMECAST_ABI);
    EXPECT_THAT(plumecast_build_info(), HasSubstr(plumecast_version()));
}

TEST_F(CFaceTest, HasNoAxesOfAModelThatDoesNotSayOnWhichGridItLearned) {
    const double* numbers = nullptr;
    std::size_t count = 7;
    ASSERT_EQ(plumecast_model_axis(tiny_.model, "times", &numbers, &count), PLUMECAST_OK);
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(plumecast_model_axis(tiny_.model, "r_edge", &numbers, &count), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(message(), HasSubstr("did you mean 'r_edges'?"));
}

TEST_F(CFaceTest, TakesSmallerStructsOfOptionsAndRefusesThoseWithoutASize) {
    plumecast_options options{};
    options.batch = 1;
    std::vector<float> values;
    EXPECT_EQ(tiny_.predict(values, &options), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(message(), StartsWith("options has no size"));
    options.size = offsetof(plumecast_options, stop);
    options.stop = [](void*) { return 1; };
    EXPECT_EQ(tiny_.predict(values, &options), PLUMECAST_OK) << "beyond its size";
    options.size = sizeof options;
    EXPECT_EQ(tiny_.predict(values, &options), PLUMECAST_INTERRUPTED);
}

TEST_F(CFaceTest, TakesAndFillsWhatItKnowsOfLargerStructs) {
    struct {
        plumecast_options known{};
        std::int64_t later = -1;
    } options;
    options.known.size = sizeof options;
    std::vector<float> values;
    EXPECT_EQ(tiny_.predict(values, &options.known), PLUMECAST_OK);
    options.known.stop = [](void*) { return 1; };
    EXPECT_EQ(tiny_.predict(values, &options.known), PLUMECAST_INTERRUPTED);
    struct {
        plumecast_cases_extents known{};
        std::int64_t later = -1;
    } answer;
    answer.known.size = sizeof answer;
    ASSERT_EQ(plumecast_cases_info(tiny_.cases, &answer.known), PLUMECAST_OK) << message();
    EXPECT_EQ(answer.known.size, sizeof answer);
    EXPECT_EQ(answer.later, -1);
}

TEST_F(CFaceTest, TellsProgressToTheCallback) {
    std::vector<std::int64_t> told;
    plumecast_options options{};
    options.size = sizeof options;
    options.batch = 2;
    options.user = &told;
    options.progress = [](std::int64_t done, std::int64_t all, void* user) {
        static_cast<std::vector<std::int64_t>*>(user)->push_back(10 * done + all);
    };
    std::vector<float> values;
    ASSERT_EQ(tiny_.predict(values, &options), PLUMECAST_OK);
    EXPECT_EQ(told, (std::vector<std::int64_t>{23, 33}));
}

/// Verdicts as the callback is told them.
struct ToldVerdicts {
    std::vector<std::int32_t> trust;
    std::vector<std::string> reasons;

    static void tell(std::int64_t which, std::int32_t trust, const char* reasons, void* user) {
        auto& told = *static_cast<ToldVerdicts*>(user);
        EXPECT_EQ(which, std::ssize(told.trust));
        told.trust.push_back(trust);
        told.reasons.emplace_back(reasons);
    }
};

TEST_F(CFaceTest, GoesOnWithoutCasesThatCannotBeComputed) {
    std::vector<float> sound, values;
    ASSERT_EQ(tiny_.predict(sound), PLUMECAST_OK) << message();
    DatasetContent content = tiny_.content();
    content.arrays["temperature"][0] = 200.0F;  // beyond what the physics knows of CO2
    content.arrays["injection_rate"][1] = 0.0F;
    plumecast_cases_release(tiny_.cases);
    tiny_.cases = CModel::cases_of(content);
    ToldVerdicts told;
    plumecast_options options{};
    options.size = sizeof options;
    options.user = &told;
    options.verdict = ToldVerdicts::tell;
    ASSERT_EQ(tiny_.predict(values, &options), PLUMECAST_OK) << message();
    ASSERT_EQ(told.trust.size(), 3u);
    EXPECT_EQ(told.trust[0], 2);
    EXPECT_THAT(told.reasons[0], AllOf(StartsWith("has no values: cases in memory: case 0: "), HasSubstr("200")));
    EXPECT_EQ(told.trust[1], 0) << told.reasons[1];
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_TRUE(std::isnan(values[i])) << i;
        EXPECT_TRUE(values[60 + i] == 0.0F || std::isnan(sound[60 + i])) << i;
    }
    EXPECT_TRUE(have_same_bits({values.begin() + 120, values.end()}, {sound.begin() + 120, sound.end()}));
    options.strict = 1;
    told = {};
    EXPECT_EQ(tiny_.predict(values, &options), PLUMECAST_INVALID_DATA);
    EXPECT_THAT(message(), AllOf(HasSubstr("bad"), HasSubstr("strict makes that an error")));
    EXPECT_TRUE(have_same_bits({values.begin() + 120, values.end()}, {sound.begin() + 120, sound.end()}));
}

TEST_F(CFaceTest, RefusesOptionsThatCannotBe) {
    std::vector<float> values;
    const auto refused = [&](const auto& change, const char* says) {
        plumecast_options options{};
        options.size = sizeof options;
        change(options);
        EXPECT_EQ(tiny_.predict(values, &options), PLUMECAST_INVALID_INPUT);
        EXPECT_THAT(message(), HasSubstr(says));
    };
    refused([](plumecast_options& options) { options.batch = -3; }, "batch is -3");
    refused([](plumecast_options& options) { options.buildup_limit = -1.0; }, "limit of the build-up is -1 bar");
    refused([](plumecast_options& options) { options.extrapolate = 7; }, "extrapolate is 7");
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(tiny_.path(), *backend);
    PredictionOptions options;
    options.batch = -3;
    const PredictedArrays outputs{{{"gas_saturation", output_to(values.data(), {3, 3, 4, 5})}}};
    EXPECT_THROW(predictor.predict(views_of(tiny_.content()), outputs, options), InvalidInput);
    EXPECT_THROW(predictor.record(views_of(tiny_.content()), options), InvalidInput);
    EvaluationOptions evaluation;
    evaluation.batch = -3;
    EXPECT_THROW(predictor.evaluate(Dataset(tiny_.data()), evaluation), InvalidInput);
}

TEST_F(CFaceTest, NamesWhatIsWrongWithCasesAndArrays) {
    DatasetContent content = tiny_.content();
    content.arrays["porosity"][3] = 3.0F;
    content.arrays["injection_rate"][1] = -1.0F;
    plumecast_cases* wrong = CModel::cases_of(content);
    const char* report = nullptr;
    EXPECT_EQ(plumecast_cases_check(wrong, &report), PLUMECAST_INVALID_DATA);
    EXPECT_GE(Json::parse(report, "report").get_if<Json::Array>()->size(), 2u);
    EXPECT_THAT(message(), AllOf(StartsWith("cases in memory: /inputs/"), HasSubstr("case")));
    plumecast_cases_release(wrong);
    std::vector<std::int64_t> shape = {3, 4, 5};
    plumecast_array array = c_array(content.arrays["porosity"].data(), ElementType::float32, shape);
    array.device.device_type = 2;
    EXPECT_EQ(plumecast_cases_set(tiny_.cases, "porosity", "1", &array), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(message(), HasSubstr("porosity lies on a device"));
    double value = 20.0;
    std::vector<std::int64_t> none;
    array = c_array(&value, ElementType::float64, none);
    EXPECT_EQ(plumecast_cases_set(tiny_.cases, "initial_brine_temperature", "degC", &array), PLUMECAST_OK);
    EXPECT_EQ(plumecast_cases_set(tiny_.cases, "porosity", "1", &array), PLUMECAST_INVALID_INPUT);
    plumecast_model* model = nullptr;
    EXPECT_EQ(plumecast_model_load(tiny_.device, tiny_.data().c_str(), &model), PLUMECAST_INVALID_MODEL);
    EXPECT_EQ(plumecast_cases_open(tiny_.file("none.h5").c_str(), &wrong), PLUMECAST_IO_ERROR);
    plumecast_device* device = nullptr;
    EXPECT_EQ(plumecast_device_open("gpu", nullptr, &device), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(message(), StartsWith("device 'gpu' is not known"));
    plumecast_device_options options{};
    options.size = sizeof options;
    for (const std::int32_t unknown : {int{PLUMECAST_SPECTRAL_CUFFT}, 3, -1}) {
        options.spectral = unknown;
        EXPECT_EQ(plumecast_device_open("cpu", &options, &device), PLUMECAST_INVALID_INPUT) << unknown;
    }
    options.spectral = PLUMECAST_SPECTRAL_AUTO;
    options.memory_share = 0.5;
    EXPECT_EQ(plumecast_device_open("cpu", &options, &device), PLUMECAST_INVALID_INPUT);
    EXPECT_THAT(message(), StartsWith("memory_share is 0.5 (the CPU takes memory as it needs it)"));
}

}  // namespace
}  // namespace plumecast::testing
