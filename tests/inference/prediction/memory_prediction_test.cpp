#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "inference/trust/calibration.hpp"
#include "support/repository.hpp"
#include "support/samples/first_cases.hpp"
#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// All values of a field in a file.
std::vector<float> field_of(const std::string& path, const std::string& name) {
    const Dataset dataset(path);
    std::vector<float> values(static_cast<std::size_t>(dataset.cases() * dataset.cells() * dataset.snapshots()));
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::int64_t>(i);
    }
    dataset.read_output(name, all, values);
    return values;
}

/// Whether two values have the same bits, or none is a number.
bool is_same_value(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        different += is_same_value(a[i], b[i]) ? 0 : 1;
    }
    EXPECT_EQ(different, 0u) << what;
}

/// [N, T, space...] of fields of some cases.
std::vector<std::int64_t> extents_for(const DatasetContent& content) {
    const Dataset dataset(views_of(content));
    std::vector<std::int64_t> extents = {dataset.cases(), dataset.snapshots()};
    const Shape space = dataset.space();
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    return extents;
}

class MemoryPrediction : public ::testing::Test {
   protected:
    /// Predicts cases from memory to memory, from memory to a file and from a file to memory, and expects the bits of
    /// the way from a file to a file.
    void expect_one_way(const std::string& model, const DatasetContent& content, const std::vector<std::string>& fields,
                        std::int64_t batch) {
        const Predictor predictor(model, *backend_);
        const std::string input = folder_.file("cases.h5"), direct = folder_.file("direct.h5");
        write_dataset(input, content);
        PredictionOptions options;
        options.batch = batch;
        const PredictionReport report = predictor.predict(input, direct, options);
        const std::string from_memory = folder_.file("from_memory.h5");
        predictor.predict(views_of(content), from_memory, options);
        const std::vector<std::int64_t> extents = extents_for(content);
        for (const PredictionInput& from : {PredictionInput(input), PredictionInput(views_of(content))}) {
            std::map<std::string, std::vector<float>> values;
            PredictedArrays outputs;
            for (const std::string& name : fields) {
                values[name].resize(field_of(direct, name).size(), -7.0F);
                outputs.arrays[name] = output_to(values[name].data(), extents);
            }
            const PredictionReport own = predictor.predict(from, outputs, options);
            for (const std::string& name : fields) {
                expect_same_bits(values[name], field_of(direct, name), name);
            }
            ASSERT_EQ(own.verdicts.cases.size(), report.verdicts.cases.size());
            for (std::size_t i = 0; i < own.verdicts.cases.size(); ++i) {
                EXPECT_EQ(own.verdicts.cases[i].trust, report.verdicts.cases[i].trust);
                EXPECT_EQ(own.verdicts.cases[i].reasons, report.verdicts.cases[i].reasons);
            }
        }
        for (const std::string& name : fields) {
            expect_same_bits(field_of(from_memory, name), field_of(direct, name), name + " in a file");
        }
        EXPECT_EQ(Dataset(from_memory).attribute("trust"), Dataset(direct).attribute("trust"));
        EXPECT_EQ(Dataset(from_memory).place(), Dataset(direct).place());
    }
    /// A bundle of a network with weights from a seed.
    std::string bundle(const NetworkDescription& description, const std::string& data) {
        write_tiny_model(folder_.file("model"), *backend_, description, 3, grid_record(Dataset(data)));
        return folder_.file("model");
    }
    std::string guided_model() { return bundle(tiny_guided_network("fno"), write_guided_sample(folder_)); }
    /// The message with which a prediction of the guided sample into such arrays is refused.
    std::string refusal(const PredictedArrays& outputs, const MemoryCases& cases) {
        try {
            Predictor(folder_.file("model"), *backend_).predict(cases, outputs, {});
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "predicted";
    }

    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(MemoryPrediction, GivesTheBitsOfFilesWithTheShippedModel) {
    const std::string root = repository_folder();
    expect_one_way(root + "/models/radial-co2", first_cases(root + "/data/radial_sample.h5", 3),
                   {"gas_saturation", "pressure_buildup", "dissolved_co2"}, 2);
}

TEST_F(MemoryPrediction, GivesTheBitsOfFilesOnACartesianGrid) {
    const std::string data = write_cartesian_sample(folder_);
    NetworkDescription description = tiny_network_3d("fno");
    expect_one_way(bundle(description, data), first_cases(data, 2), {description.fields[0].name}, 1);
}

TEST_F(MemoryPrediction, GivesTheBitsOfFilesOnAnotherGrid) {
    const std::string model = guided_model();
    DatasetContent content = first_cases(folder_.file("guided.h5"), 3);
    content.times = {30.0, 100.0, 800.0};
    content.z_edges[1] *= 0.9;
    expect_one_way(model, content, {"gas_saturation", "pressure_buildup", "dissolved_co2"}, 2);
}

TEST_F(MemoryPrediction, JudgesForBandsByAllFieldsWhateverIsAskedFor) {
    const std::string model = guided_model();
    TrustRecord record;
    record.limits.reach = {0.0, 0.0};  // which the saturation tells: each case with a plume is bad
    record.field_bands = {0.9, 0.9, 150, std::string(64, '0'), false, {{"pressure_buildup", BandScale{{0.1}}, 0.5}}};
    record_trust(model, record);
    const DatasetContent content = first_cases(folder_.file("guided.h5"), 3);
    const Predictor predictor(model, *backend_);
    const std::vector<std::int64_t> extents = extents_for(content);
    std::vector<std::string> messages;
    PredictionOptions options;
    options.log = [&](Severity, std::string_view text) { messages.emplace_back(text); };
    const auto predicted = [&](const std::vector<std::string>& fields, std::vector<float>& low) {
        std::map<std::string, std::vector<float>> values;
        PredictedArrays outputs;
        for (const std::string& name : fields) {
            values[name].resize(3 * 3 * 4 * 5, -7.0F);
            outputs.arrays[name] = output_to(values[name].data(), extents);
        }
        const ResultVerdicts verdicts = predictor.predict(views_of(content), outputs, options).verdicts;
        low = values.at("pressure_buildup_low");
        return verdicts;
    };
    std::vector<float> low, low_alone;
    const ResultVerdicts all =
        predicted({"gas_saturation", "pressure_buildup", "dissolved_co2", "pressure_buildup_low"}, low);
    ASSERT_EQ(all.counts().bad, 3U);
    messages.clear();
    const ResultVerdicts alone = predicted({"pressure_buildup_low"}, low_alone);
    EXPECT_EQ(alone.band_notes, all.band_notes);
    expect_same_bits(low_alone, low, "pressure_buildup_low");
    EXPECT_THAT(messages, ::testing::Contains(HasSubstr("no band in 3 of 3 cases")));
    options.fields = {"pressure_buildup"};
    options.uncertainty = true;
    const std::string path = folder_.file("some.h5");
    EXPECT_EQ(predictor.predict(views_of(content), path, options).verdicts.band_notes, all.band_notes);
    EXPECT_FALSE(Dataset(path).has("gas_saturation"));
    EXPECT_FALSE(std::filesystem::exists(path + ".judged"));
}

TEST_F(MemoryPrediction, GoesThroughAnyStridesInBothElementTypes) {
    const std::string model = guided_model();
    const DatasetContent content = first_cases(folder_.file("guided.h5"), 3);
    const Predictor predictor(model, *backend_);
    constexpr std::int64_t n = 3, t = 3, z = 4, r = 5;
    std::vector<float> plain(n * t * z * r);
    predictor.predict(views_of(content), PredictedArrays{{{"gas_saturation", output_to(plain.data(), {n, t, z, r})}}},
                      {});
    std::vector<double> both(2 * n * t * z * r, -7.0);  // [Z, R, T, N backwards], two fields in turn
    const std::vector<std::int64_t> strides = {-2, 2 * n, 2 * n * t * r, 2 * n * t};
    const PredictedArrays outputs{
        {{"gas_saturation", output_to(both.data() + 2 * (n - 1), {n, t, z, r}, strides)},
         {"pressure_buildup", output_to(both.data() + 2 * (n - 1) + 1, {n, t, z, r}, strides)}}};
    predictor.predict(views_of(content), outputs, {});
    std::size_t at = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t k = 0; k < t; ++k) {
            for (std::int64_t cell = 0; cell < z * r; ++cell, ++at) {
                const std::int64_t place = 2 * ((cell * t + k) * n + (n - 1 - i));
                EXPECT_TRUE(is_same_value(static_cast<float>(both[static_cast<std::size_t>(place)]), plain[at])) << at;
            }
        }
    }
    EXPECT_EQ(std::ranges::count(both, -7.0), 0) << "an entry was left out";
}

TEST_F(MemoryPrediction, ComputesOnlyTheNetworksOfFieldsThatAreWanted) {
    const FieldNetwork saturation(*backend_, tiny_network("fno"), 3);
    NetworkDescription description = tiny_network("fno");
    description.fields = {default_fields()[1]};
    const FieldNetwork pressure(*backend_, description, 4);
    write_bundle(
        folder_.file("model"),
        {"tiny", {{"gas_saturation", &saturation}, {"pressure", &pressure}}, Json::Object{}, "A tiny model.\n"});
    const Predictor predictor(folder_.file("model"), *backend_);
    const DatasetContent content = sample_content();
    std::vector<float> values(180);
    const PredictedArrays outputs{{{"pressure_buildup", output_to(values.data(), {3, 3, 4, 5})}}};
    EXPECT_EQ(predictor.predict(views_of(content), outputs, {}).passes, 3);
    PredictionOptions options;
    options.fields = {"pressure_buildup"};
    EXPECT_EQ(predictor.predict(views_of(content), folder_.file("one.h5"), options).passes, 3);
    EXPECT_EQ(Dataset(folder_.file("one.h5")).outputs(), std::vector<std::string>{"pressure_buildup"});
    expect_same_bits(field_of(folder_.file("one.h5"), "pressure_buildup"), values, "a subset in a file");
    EXPECT_EQ(predictor.predict(views_of(content), folder_.file("all.h5"), {}).passes, 6);
    expect_same_bits(field_of(folder_.file("all.h5"), "pressure_buildup"), values, "all in a file");
}

TEST_F(MemoryPrediction, RefusesOutputsThatCannotBeWritten) {
    guided_model();
    DatasetContent content = first_cases(folder_.file("guided.h5"), 3);
    const MemoryCases cases = views_of(content);
    std::vector<float> values(600);
    const auto with = [&](const std::string& name, const OutputArray& array) {
        return refusal({{{name, array}}}, cases);
    };
    const std::vector<std::int64_t> right = {3, 3, 4, 5};
    EXPECT_THAT(with("gas_saturatoin", output_to(values.data(), right)), HasSubstr("did you mean gas_saturation?"));
    EXPECT_THAT(with("gas_saturation", output_to(values.data(), {3, 4, 5})),
                HasSubstr("has the shape [3, 4, 5] (cases, times and grid want [3, 3, 4, 5])"));
    EXPECT_THAT(with("gas_saturation", output_to(reinterpret_cast<std::int32_t*>(values.data()), right)),
                HasSubstr("has int32 elements"));
    EXPECT_THAT(with("gas_saturation", output_to<float>(nullptr, right)), HasSubstr("has no memory"));
    EXPECT_THAT(with("gas_saturation", output_to(values.data(), right, {60, 20, 5})),
                HasSubstr("has 3 strides for 4 axes"));
    EXPECT_THAT(with("gas_saturation", output_to(values.data(), right, {60, 20, 5, 0})),
                HasSubstr("has entries that share memory"));
    EXPECT_THAT(
        with("gas_saturation", output_to(values.data(), right, {std::numeric_limits<std::int64_t>::min(), 20, 5, 1})),
        HasSubstr("reaches over more than 2^40 elements"));
    EXPECT_THAT(refusal({}, cases), HasSubstr("no output is asked for"));
    const auto second_at = [&](std::int64_t offset, const std::vector<std::int64_t>& strides) {
        return refusal({{{"gas_saturation", output_to(values.data(), right, strides)},
                         {"pressure_buildup", output_to(values.data() + offset, right, strides)}}},
                       cases);
    };
    EXPECT_THAT(second_at(179, {}), HasSubstr("outputs gas_saturation and pressure_buildup share memory"));
    EXPECT_EQ(second_at(180, {}), "predicted");
    EXPECT_EQ(second_at(1, {120, 40, 10, 2}), "predicted") << "interleaved";
    EXPECT_THAT(second_at(2, {120, 40, 10, 2}), HasSubstr("share memory"));
    std::vector<float>& porosity = content.arrays.at("porosity");
    porosity.resize(180, 0.1F);
    MemoryCases beside = cases;
    beside.arrays["porosity"] = view_of(porosity.data(), {3, 4, 5}, "1");
    EXPECT_THAT(refusal({{{"gas_saturation", output_to(porosity.data(), right)}}}, beside),
                HasSubstr("output gas_saturation shares memory with the input porosity"));
}

TEST_F(MemoryPrediction, GivesThreadsThatShareAModelTheBitsOfOne) {
    const std::string model = guided_model();
    const DatasetContent content = first_cases(folder_.file("guided.h5"), 3);
    const Predictor predictor(model, *backend_);
    const auto predicted = [&] {
        std::vector<float> values(180);
        const PredictedArrays outputs{{{"gas_saturation", output_to(values.data(), {3, 3, 4, 5})}}};
        predictor.predict(views_of(content), outputs, {});
        return values;
    };
    const std::vector<float> alone = predicted();
    std::vector<float> first, second;
    std::thread other([&] {
        for (int i = 0; i < 5; ++i) {
            first = predicted();
        }
    });
    for (int i = 0; i < 5; ++i) {
        second = predicted();
    }
    other.join();
    expect_same_bits(first, alone, "first thread");
    expect_same_bits(second, alone, "second thread");
}

}  // namespace
}  // namespace plumecast::testing
