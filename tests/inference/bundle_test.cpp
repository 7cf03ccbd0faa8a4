#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/io/safetensors.hpp>

#include "io/hash.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "support/comparison.hpp"

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

NetworkDescription description(std::size_t field = 0) {
    NetworkDescription result;
    result.network.architecture = "ufno";
    result.network.width = 2;
    result.network.modes = {2, 2, 2};
    result.network.fourier_blocks = result.network.extended_blocks = 1;
    result.network.hidden = 3;
    result.channels = {default_channels()[2], default_channels().back()};
    result.fields = {default_fields()[field]};
    result.network.channels = 2;
    return result;
}

class BundleTest : public testing::TemporaryFolder {
   protected:
    BundleTest() {
        write_bundle(
            path_.string(),
            {"Two fields", {{"gas", &gas_}, {"pressure", &pressure_}}, Json::Object{{"note", "a"}}, "# Card\n"});
    }
    Bundle load() { return Bundle::load(path_.string(), *backend_); }
    std::string refusal() {
        try {
            load();
        } catch (const InvalidModel& error) {
            EXPECT_THAT(error.what(), HasSubstr(path_.string()));
            return error.what();
        }
        return "accepted";
    }
    void change_model(const std::function<void(Json&)>& change) {
        const std::filesystem::path file = path_ / "model.json";
        Json model = Json::parse(read(file), "model.json");
        change(model);
        write(file, model.dump());
    }
    static Json& entry(Json& model) { return model["networks"].get_if<Json::Array>()->front(); }
    /// Replaces the first weights file by another one, with its hash.
    void replace_weights(const std::function<void(std::vector<NamedView>&)>& change) {
        const std::filesystem::path file = path_ / "gas.safetensors";
        std::vector<Tensor> tensors;
        std::vector<NamedView> arrays;
        {
            const SafetensorsFile weights(file);
            for (const std::string& name : weights.names()) {
                tensors.push_back(weights.read(name));
                arrays.push_back({name, tensors.back().view()});
            }
        }
        change(arrays);
        write_safetensors(file, arrays);
        change_model([&](Json& model) { entry(model)["sha256"] = sha256_of_file(file); });
    }

    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
    FieldNetwork gas_{*backend_, description(0), 1}, pressure_{*backend_, description(1), 2};
    std::filesystem::path path_ = folder_ / "model";
};

TEST_F(BundleTest, LoadsWhatWasWritten) {
    const Bundle bundle = load();
    EXPECT_EQ(bundle.title, "Two fields");
    EXPECT_EQ(bundle.training, Json(Json::Object{{"note", "a"}}));
    ASSERT_EQ(bundle.networks.size(), 2U);
    EXPECT_EQ(bundle.networks[0].network->description(), description(0));
    EXPECT_EQ(bundle.networks[1].file, "pressure.safetensors");
    for (const Parameter& parameter : pressure_.parameters().all()) {
        const Parameters& loaded = bundle.networks[1].network->parameters();
        testing::expect_close(loaded.download(loaded.at(parameter.name)), pressure_.parameters().download(parameter),
                              0.0, parameter.name);
    }
    EXPECT_EQ(read(path_ / "README.md"), "# Card\n");
}

TEST_F(BundleTest, HashDependsOnTheWeightsAlone) {
    const std::string first = load().hash();
    change_model([](Json& model) { model["title"] = "Another"; });
    EXPECT_EQ(load().hash(), first);
    replace_weights([](std::vector<NamedView>& arrays) {
        const_cast<float*>(arrays.front().values.as<float>())[0] += 1.0F;  // NOLINT: the test owns the values
    });
    EXPECT_NE(load().hash(), first);
}

TEST_F(BundleTest, ExtraFilesComeWithItOrNotAtAll) {
    const BundleContent content{"t", {{"gas", &gas_}}, Json(), ""};
    EXPECT_THROW(write_bundle(path_.string(), content, [](const std::string&) { throw IoError("disk full"); }),
                 IoError);
    EXPECT_EQ(load().title, "Two fields");
    write_bundle(path_.string(), content, [](const std::string& folder) { write(folder + "/state.json", "{}"); });
    EXPECT_EQ(read(path_ / "state.json"), "{}");
    EXPECT_EQ(load().networks.size(), 1U);
}

TEST_F(BundleTest, WritingRefusesAFieldPredictedTwiceAndPathsAsStems) {
    const std::string path = (folder_ / "other").string();
    EXPECT_THROW(write_bundle(path, {"t", {{"a", &gas_}, {"b", &gas_}}, Json(), ""}), InvalidInput);
    EXPECT_THROW(write_bundle(path, {"t", {{"a", &gas_}, {"a", &pressure_}}, Json(), ""}), InvalidInput);
    EXPECT_THROW(write_bundle(path, {"t", {{"../a", &gas_}}, Json(), ""}), InvalidInput);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(BundleTest, WritingRefusesWeightsThatAreNotFinite) {
    gas_.parameters().assign("lift.bias",
                             host_tensor<float>({2}, std::vector<float>{0.0F, std::numeric_limits<float>::infinity()}));
    EXPECT_THROW(write_bundle((folder_ / "other").string(), {"t", {{"a", &gas_}}, Json(), ""}), InvalidInput);
}

TEST_F(BundleTest, RefusesAFolderThatIsNoBundle) {
    std::filesystem::remove(path_ / "model.json");
    EXPECT_THAT(refusal(), HasSubstr("no model.json"));
}

TEST_F(BundleTest, LoadsADescriptionAsLargeAsConstantsOfManyPoints) {
    const std::filesystem::path file = path_ / "model.json";
    write(file, read(file) + std::string(std::size_t{20} << 20U, ' '));
    EXPECT_EQ(Bundle::load(path_.string(), *backend_).networks.size(), 2U);
    std::filesystem::resize_file(file, std::uintmax_t{257} << 20U);  // takes no room
    EXPECT_THAT(refusal(), HasSubstr("larger than 256 MiB"));
}

TEST_F(BundleTest, RefusesModelJsonWithUnknownMissingOrWrongEntries) {
    const std::string good = read(path_ / "model.json");
    const std::vector<std::pair<std::string, std::function<void(Json&)>>> changes{
        {"'titel'", [](Json& model) { model["titel"] = "x"; }},
        {"format", [](Json& model) { model["format"] = "other"; }},
        {"format_version", [](Json& model) { model["format_version"] = 2; }},
        {"networks", [](Json& model) { model["networks"] = Json::Array{}; }},
        {"training", [](Json& model) { model["training"] = 1; }},
        {"'widht'", [](Json& model) { entry(model)["widht"] = 3; }},
        {"modes",
         [](Json& model) {
             std::erase_if(*entry(model).get_if<Json::Object>(), [](auto& e) { return e.first == "modes"; });
         }},
        {"architecture", [](Json& model) { entry(model)["architecture"] = "transformer"; }},
        {"'width'", [](Json& model) { entry(model)["width"] = 0; }},
        {"predicted twice", [](Json& model) {
             Json& networks = model["networks"];
             networks.get_if<Json::Array>()->push_back(entry(model));
         }}};
    for (const auto& [words, change] : changes) {
        write(path_ / "model.json", good);
        change_model(change);
        EXPECT_THAT(refusal(), HasSubstr(words));
    }
    write(path_ / "model.json", good.substr(0, good.size() / 2));
    EXPECT_THAT(refusal(), HasSubstr("line"));
}

TEST_F(BundleTest, RefusesWeightsOutsideItsFolder) {
    std::filesystem::copy(path_ / "gas.safetensors", folder_ / "gas.safetensors");
    for (const std::string& file : {std::string("../gas.safetensors"), (folder_ / "gas.safetensors").string(),
                                    std::string(".."), std::string("a\\gas.safetensors"), std::string()}) {
        change_model([&](Json& model) { entry(model)["file"] = file; });
        EXPECT_THAT(refusal(), HasSubstr("in the bundle itself"));
    }
}

TEST_F(BundleTest, RefusesDamagedOrMissingWeights) {
    std::string bytes = read(path_ / "gas.safetensors");
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write(path_ / "gas.safetensors", bytes);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("gas.safetensors"), HasSubstr("SHA-256")));
    std::filesystem::remove(path_ / "gas.safetensors");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("gas.safetensors"), HasSubstr("missing")));
}

TEST_F(BundleTest, RefusesADescriptionThatItsWeightsCannotFill) {
    for (const std::int64_t width : {std::int64_t{1000000}, std::numeric_limits<std::int64_t>::max()}) {
        change_model([&](Json& model) { entry(model)["width"] = width; });
        EXPECT_THAT(refusal(), HasSubstr("too small"));
    }
}

TEST_F(BundleTest, RefusesMissingLeftOverMisshapenAndNonFiniteArrays) {
    const std::string model = read(path_ / "model.json"), weights = read(path_ / "gas.safetensors");
    const Tensor other = host_zeros({7}), real = host_zeros({2}, DType::float64);
    const Tensor nan = host_tensor<float>({2}, std::vector<float>{0.0F, std::numeric_limits<float>::quiet_NaN()});
    const auto replace = [](std::vector<NamedView>& arrays, const std::string& name, ConstView values) {
        for (NamedView& array : arrays) {
            array.values = array.name == name ? values : array.values;
        }
    };
    const std::vector<std::pair<std::string, std::function<void(std::vector<NamedView>&)>>> changes{
        {"is missing", [](auto& arrays) { arrays.pop_back(); }},
        {"left over",
         [&](auto& arrays) {
             arrays.push_back({"other", other.view()});
         }},
        {"has shape [7]", [&](auto& arrays) { replace(arrays, "lift.bias", other.view()); }},
        {"holds F64", [&](auto& arrays) { replace(arrays, "lift.bias", real.view()); }},
        {"NaN", [&](auto& arrays) { replace(arrays, "lift.bias", nan.view()); }}};
    for (const auto& [words, change] : changes) {
        write(path_ / "model.json", model);
        write(path_ / "gas.safetensors", weights);
        replace_weights(change);
        EXPECT_THAT(refusal(), AllOf(HasSubstr("gas.safetensors"), HasSubstr(words)));
    }
}

}  // namespace
}  // namespace plumecast
