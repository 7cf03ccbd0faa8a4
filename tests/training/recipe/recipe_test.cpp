#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/training/recipe.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "support/repository.hpp"

namespace plumecast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Recipe parsed(const std::string& text, const std::string& folder = "") {
    return Recipe::from_json(Json::parse(text, "recipe.json"), "recipe.json", folder);
}

template <class F>
std::string refusal(const F& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

Recipe complete() {
    Recipe recipe = Recipe::defaults("ufno");
    recipe.train_files = {"train.h5"};
    recipe.output = "run";
    return recipe;
}

TEST(Recipe, DefaultsOfEveryArchitectureSurviveTheirJson) {
    for (const std::string& architecture : architecture_names()) {
        const Recipe recipe = Recipe::defaults(architecture);
        EXPECT_EQ(recipe, Recipe::from_json(recipe.to_json(), "recipe.json", ""));
        EXPECT_EQ(recipe.network.network.architecture, architecture);
    }
}

TEST(Recipe, PhysicsBringsGuidedChannelsAndFields) {
    for (const std::string& kind : {std::string(), std::string("\"kind\": \"two_phase\", ")}) {
        const std::string entry = "\"physics\": {" + kind + "\"substeps\": 4}";
        const std::string fields = "\"fields\": [\"gas_saturation\", \"pressure_buildup\"]";
        for (const std::string& channels : {std::string(), std::string(", \"channels\": \"guided\"")}) {
            const Recipe recipe = parsed("{" + entry + ", " + fields + channels + "}");
            EXPECT_EQ(recipe.network.physics, (NetworkPhysics{{4}}));
            EXPECT_EQ(recipe.network.channels, guided_channels());
            EXPECT_EQ(recipe.network.fields, guided_fields());
            EXPECT_EQ(recipe, Recipe::from_json(recipe.to_json(), "recipe.json", ""));
        }
    }
    EXPECT_EQ(parsed("{\"physics\": null}"), parsed("{}"));
    EXPECT_EQ(parsed("{}").network.physics, std::nullopt);
}

TEST(Recipe, KeepsTheVersionOfItsPhysics) {
    EXPECT_EQ(parsed("{\"physics\": {\"kind\": \"two_phase\"}}").network.physics->settings.version, physics_version);
    EXPECT_THAT(refusal([] { parsed("{\"physics\": {\"kind\": \"two_phase\", \"version\": 1}}"); }),
                HasSubstr("physics.version is 1 (this program has version "));
    Recipe recipe = parsed("{\"physics\": {\"kind\": \"two_phase\"}}");
    EXPECT_EQ(recipe, Recipe::from_json(recipe.to_json(), "recipe.json", ""));
    EXPECT_THAT(refusal([&] { recipe.set("physics.version=" + std::to_string(physics_version + 1)); }),
                HasSubstr("physics.version"));
    recipe.network.physics->settings.version = physics_version + 1;
    recipe.train_files = {"train.h5"};
    recipe.output = "run";
    EXPECT_THAT(refusal([&] { recipe.check(); }), HasSubstr("physics.version"));
}

TEST(Recipe, RecordsWithoutAVersionHaveTheFirstPhysics) {
    const auto recorded = [](const std::string& physics) {
        return as_recorded(Json::parse("{\"physics\": " + physics + "}", "recipe.json"));
    };
    EXPECT_EQ(*recorded("{\"kind\": \"two_phase\"}").find("physics")->find("version"), Json(1));
    EXPECT_EQ(*recorded("{\"kind\": \"two_phase\", \"version\": 2}").find("physics")->find("version"), Json(2));
    EXPECT_TRUE(recorded("null").find("physics")->is_null());
}

TEST(Recipe, RefusesPhysicsThatDoesNotFit) {
    EXPECT_THAT(refusal([] { parsed("{\"channels\": \"guided\"}"); }), HasSubstr("there is no entry physics"));
    EXPECT_THAT(refusal([] { parsed("{\"physics\": {\"kind\": \"two_phases\"}}"); }),
                HasSubstr("did you mean \"two_phase\"?"));
    EXPECT_THAT(refusal([] { parsed("{\"physics\": {\"kind\": \"two_phase\", \"steps\": 2}}"); }), HasSubstr("steps"));
    Recipe recipe = complete();
    recipe.network.channels = guided_channels();
    EXPECT_THAT(refusal([&] { recipe.check(); }), HasSubstr("comes from the reduced physics (the network has none)"));
    recipe.network.physics = NetworkPhysics{{0}};
    EXPECT_THAT(refusal([&] { recipe.check(); }), HasSubstr("physics.substeps is 0"));
}

TEST(Recipe, SettingOtherPhysicsBringsItsChannelsAndFields) {
    Recipe recipe = complete();
    recipe.set("fields=pressure_buildup");
    recipe.set("physics={\"kind\": \"two_phase\"}");
    EXPECT_EQ(recipe.network.channels, guided_channels());
    EXPECT_EQ(recipe.network.fields, std::vector<Field>{guided_fields()[1]});
    recipe.set("physics.kind=two_phase");  // which it is anyway
    EXPECT_EQ(recipe.network.channels, guided_channels());
    EXPECT_THAT(refusal([&] { recipe.set("physics.kind=single_phase"); }),
                HasSubstr("physics.kind is \"single_phase\" (the physics of brine alone is gone"));
    recipe.set("physics=null");
    EXPECT_EQ(recipe.network.channels, default_channels());
    EXPECT_EQ(recipe.network.fields, std::vector<Field>{default_fields()[1]});
}

TEST(Recipe, OtherStepsOfThePhysicsKeepChannelsAndFields) {
    Recipe recipe = complete();
    recipe.set("fields=[\"gas_saturation\", \"pressure_buildup\"]");
    recipe.set("physics={\"kind\": \"two_phase\"}");
    recipe.set("channels=\"scheduled\"");
    EXPECT_EQ(recipe.network.fields, scheduled_fields());
    recipe.set("physics.substeps=4");
    recipe.set("physics={\"kind\": \"two_phase\", \"substeps\": 3}");
    EXPECT_EQ(recipe.network.physics->settings.substeps, 3);
    EXPECT_EQ(recipe.network.channels, scheduled_channels());
    EXPECT_EQ(recipe.network.fields, scheduled_fields());
    recipe.set("channels=guided");
    const std::vector<Field> guided = guided_fields();
    EXPECT_EQ(recipe.network.channels, guided_channels());
    EXPECT_EQ(recipe.network.fields, std::vector<Field>(guided.begin(), guided.begin() + 2));
}

TEST(Recipe, ChannelsOfSchedulesBringFieldsScaledAtEachTime) {
    Recipe recipe = complete();
    EXPECT_THAT(refusal([&] { recipe.set("channels=scheduled"); }), HasSubstr("no entry physics"));
    recipe.set("physics={\"kind\": \"two_phase\"}");
    for (const bool fields_first : {true, false}) {
        Recipe one = recipe;
        const std::string fields = "fields=[\"gas_saturation\", \"pressure_buildup\"]";
        one.set(fields_first ? fields : "channels=scheduled");
        one.set(fields_first ? "channels=scheduled" : fields);
        EXPECT_EQ(one.network.channels, scheduled_channels());
        EXPECT_EQ(one.network.fields, scheduled_fields());
        EXPECT_NO_THROW(one.check());
    }
}

TEST(Recipe, EverythingSurvivesItsJson) {
    Recipe recipe = complete();
    recipe.network.network.activation = Activation::leaky_relu(0.2);
    recipe.network.network.edges[0] = Padding::Edge::replicate;
    recipe.network.network.modes = {3, 4, 5};
    recipe.network.channels = published_channels();
    recipe.network.fields = published_fields();
    recipe.network.network.channels = 12;
    recipe.network.network.fields = 2;
    recipe.schedule = {ScheduleOptions::Kind::cosine, 0.1 + 0.2, 1e-7, 0.3, 4, 6, 17};
    recipe.optimizer = {OptimizerOptions::Kind::adamw, 0.8, 0.99, 1e-7, 0.0, 1.5};
    recipe.early_stopping = {3, 1e-5};
    recipe.seed = 12345678901;
    recipe.checkpoint_minutes = 2.5;
    recipe.precision = Precision::bf16;
    recipe.train_files = {"a.h5", "b.h5"};
    recipe.validation_files = {"c.h5", "d.h5"};
    recipe.weights = "models/start";
    recipe.freeze = {"lift", "blocks.0"};
    recipe.accumulate = 4;
    recipe.recompute_blocks = 2;
    recipe.average_weights = 0.99;
    EXPECT_EQ(recipe, parsed(recipe.to_json().dump()));
}

TEST(Recipe, ShorthandsStandForListsOfTheFormat) {
    const Recipe recipe = parsed(R"({"channels": "published", "fields": ["pressure_buildup", "gas_saturation"]})");
    EXPECT_EQ(recipe.network.channels, published_channels());
    EXPECT_EQ(recipe.network.fields, (std::vector<Field>{default_fields()[1], default_fields()[0]}));
    EXPECT_EQ(recipe.network.network.channels, 12);
    EXPECT_EQ(recipe.network.network.fields, 2);
    EXPECT_EQ(parsed(R"({"network": {"activation": "gelu"}})").network.network.activation.kind, Activation::Kind::gelu);
}

TEST(Recipe, ArchitectureBringsItsPublishedDepth) {
    EXPECT_EQ(parsed(R"({"network": {"architecture": "fno"}})").network.network.fourier_blocks, 6);
    EXPECT_EQ(parsed(R"({"network": {"architecture": "cnn"}})").network.network.width, 32);
}

TEST(Recipe, RelativePathsCountFromTheFolderOfTheFile) {
    const Recipe recipe = parsed(R"({"data": {"train": "../a.h5", "validation": "/b.h5"}, "output": "out"})", "/x/y");
    EXPECT_EQ(recipe.train_files.front(), "/x/a.h5");
    EXPECT_EQ(recipe.validation_files.front(), "/b.h5");
    EXPECT_EQ(recipe.output, "/x/y/out");
}

TEST(Recipe, StatesItsPathsAsSeenFromItsFolder) {
    Recipe recipe = complete();
    recipe.train_files = {"data/a.h5"};
    recipe.validation_files = {"/b.h5"};
    recipe.output = "runs/one";
    const Recipe seen = recipe.seen_from(recipe.output);
    EXPECT_EQ(seen.train_files.front(), "../../data/a.h5");
    EXPECT_EQ(seen.validation_files.front(), "/b.h5");
    const Recipe again = Recipe::from_json(seen.to_json(), "recipe.json", recipe.output);
    EXPECT_EQ(again.train_files.front(), recipe.train_files.front());
    EXPECT_EQ(std::filesystem::path(again.output), std::filesystem::path("runs/one/"));
}

TEST(Recipe, NamesTheNearestKeyOfAMisspeltOne) {
    EXPECT_THAT(refusal([] { parsed(R"({"schedule": {"learning_rat": 1}})"); }),
                AllOf(HasSubstr("recipe.json: schedule"), HasSubstr("learning_rat'"), HasSubstr("'learning_rate'?")));
    EXPECT_THAT(refusal([] { parsed(R"({"epoch": 1})"); }), HasSubstr("'epochs'?"));
    EXPECT_THAT(refusal([] { parsed(R"({"schedule": {"kind": "cosin"}})"); }),
                AllOf(HasSubstr("schedule.kind"), HasSubstr("\"cosine\"?")));
    EXPECT_THAT(refusal([] { parsed(R"({"fields": ["gas_saturations"]})"); }), HasSubstr("\"gas_saturation\"?"));
}

TEST(Recipe, RefusesValuesOfTheWrongKind) {
    for (const char* text :
         {R"({"epochs": "many"})", R"({"epochs": 1.5})", R"({"network": {"modes": 3}})", R"({"seed": -1})",
          R"({"network": {"activation": {"kind": "relu", "slope": 1}}})", R"({"channels": "mine"})", R"([])",
          R"({"network": {"edges": ["none", "zero", "zero"]}})", R"({"fields": [1]})", R"({"data": {"test": ""}})"}) {
        EXPECT_THAT(refusal([&] { parsed(text); }), HasSubstr("recipe.json")) << text;
    }
}

TEST(Recipe, SetChangesOneEntry) {
    Recipe recipe = complete();
    recipe.set("schedule.learning_rate=3e-4");
    recipe.set("network.modes=[2,3,4]");
    recipe.set("schedule.kind=plateau");
    recipe.set("output=17");
    recipe.set("fields=pressure_buildup");
    EXPECT_DOUBLE_EQ(recipe.schedule.learning_rate, 3e-4);
    EXPECT_EQ(recipe.network.network.modes, (std::vector<std::int64_t>{2, 3, 4}));
    EXPECT_EQ(recipe.schedule.kind, ScheduleOptions::Kind::plateau);
    EXPECT_EQ(recipe.output, "17");
    EXPECT_EQ(recipe.network.fields.front().name, "pressure_buildup");
    EXPECT_EQ(recipe.train_files.front(), "train.h5");
}

TEST(Recipe, SetOfAnotherArchitectureTakesItsDepth) {
    Recipe recipe = complete();
    recipe.set("network.architecture=fno");
    EXPECT_EQ(recipe.network.network.fourier_blocks, 6);
    EXPECT_NO_THROW(recipe.check());
}

TEST(Recipe, SetRefusesWhatDoesNotExistOrFit) {
    Recipe recipe = complete();
    EXPECT_THAT(refusal([&] { recipe.set("schedule.learningrate=1"); }), HasSubstr("'learning_rate'?"));
    EXPECT_THAT(refusal([&] { recipe.set("epochs.x=1"); }), HasSubstr("epochs.x"));
    EXPECT_THAT(refusal([&] { recipe.set("epochs=few"); }), HasSubstr("epochs"));
    EXPECT_THAT(refusal([&] { recipe.set("epochs"); }), HasSubstr("key=value"));
    EXPECT_EQ(recipe, complete());
}

TEST(Recipe, CheckNamesTheEntryOutOfRange) {
    EXPECT_NO_THROW(complete().check());
    for (const char* assignment :
         {"data.train=", "output=", "epochs=0", "batch_size=0", "schedule.learning_rate=0", "schedule.minimum=1",
          "schedule.factor=1.5", "schedule.kind=plateau", "early_stopping.patience=3", "optimizer.beta1=1",
          "optimizer.epsilon=0", "loss.derivative_weight=-1", "rollout.steps=-1", "rollout_noise=0.1",
          "augment.flip=[\"r\"]", "threads=-1", "checkpoint_minutes=0", "network.width=0", "fields=[]"}) {
        Recipe recipe = complete();
        recipe.set(assignment);
        const std::string entry = std::string(assignment).substr(0, std::string(assignment).find('='));
        EXPECT_THAT(refusal([&] { recipe.check(); }), HasSubstr(entry.substr(entry.find('.') + 1)));
    }
}

TEST(Recipe, TakesALossOfAnotherKindWithoutTheWeightOfTheUsualOne) {
    Recipe recipe = complete();
    recipe.set("loss.kind=mse");
    EXPECT_NO_THROW(recipe.check());
    EXPECT_EQ(recipe.loss, (LossOptions{.derivative_weight = 0.0, .kind = LossKind::mse}));
    recipe.set("loss.derivative_weight=0.5");
    EXPECT_THAT(refusal([&] { recipe.check(); }), HasSubstr("loss.derivative_weight"));
    EXPECT_EQ(Recipe::from_json(Json::parse(R"({"loss": {"kind": "h1"}})", "r"), "r", "").loss,
              (LossOptions{.derivative_weight = 0.0, .kind = LossKind::h1}));
    EXPECT_THAT(refusal([&] { recipe.set("loss.kind=h2"); }), HasSubstr("loss.kind"));
}

TEST(Recipe, AStateIsOfOneOutput) {
    Recipe recipe = complete();
    const std::string field = recipe.network.fields[0].name;
    recipe.rollout = {1, {{field, {"w0", "w0"}}}};
    EXPECT_THAT(refusal([&] { recipe.check(); }),
                HasSubstr("the input w0 is the state of two outputs, or twice of one"));
}

TEST(Recipe, RecordedBeforeThereWereKindsOfLossAndMovesIsOfTheUsualOnes) {
    Json old = complete().to_json();
    std::erase_if(*old.get_if<Json::Object>(),
                  [](const auto& entry) { return entry.first == "augment" || entry.first.starts_with("rollout"); });
    std::erase_if(*old["loss"].get_if<Json::Object>(), [](const auto& entry) { return entry.first == "kind"; });
    EXPECT_EQ(as_recorded(old), complete().to_json());
}

using RecipeFile = testing::TemporaryFolder;

TEST_F(RecipeFile, StatesPathsAlikeWhetherTheirFoldersExistOrNot) {
    const auto home = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    Recipe recipe = complete();
    recipe.train_files = {"data/a.h5"};
    recipe.output = "runs/one";
    std::filesystem::create_directory("data");
    const Recipe before = recipe.seen_from(recipe.output);
    std::filesystem::create_directories("elsewhere/one");
    std::filesystem::create_directory_symlink("elsewhere", "runs");
    const Recipe after = recipe.seen_from(recipe.output);
    std::filesystem::current_path(home);
    EXPECT_EQ(before.train_files.front(), "../../data/a.h5");
    EXPECT_EQ(after.train_files.front(), before.train_files.front());
}

TEST_F(RecipeFile, IsReadFromAFile) {
    write(folder_ / "recipe.json", R"({"$schema": "s", "data": {"train": "a.h5"}, "epochs": 3})");
    const Recipe recipe = Recipe::from_file((folder_ / "recipe.json").string());
    EXPECT_EQ(recipe.train_files.front(), (folder_ / "a.h5").string());
    EXPECT_EQ(recipe.epochs, 3);
    EXPECT_THROW(Recipe::from_file((folder_ / "none.json").string()), IoError);
}

/// Paths of all keys in a value; entries of lists count as one.
void keys_of(const Json& value, const std::string& path, std::set<std::string>& keys) {
    if (const auto* object = value.get_if<Json::Object>()) {
        for (const auto& [key, entry] : *object) {
            keys.insert(path + "/" + key);
            keys_of(entry, path + "/" + key, keys);
        }
    } else if (const auto* list = value.get_if<Json::Array>()) {
        for (const Json& entry : *list) {
            keys_of(entry, path, keys);
        }
    }
}

void properties_of(const Json& schema, const std::string& path, std::set<std::string>& keys) {
    if (const Json* properties = schema.find("properties")) {
        for (const auto& [key, entry] : *properties->get_if<Json::Object>()) {
            keys.insert(path + "/" + key);
            properties_of(entry, path + "/" + key, keys);
        }
    }
    if (const Json* items = schema.find("items")) {
        properties_of(*items, path, keys);
    }
    if (const Json* choices = schema.find("anyOf")) {
        for (const Json& choice : *choices->get_if<Json::Array>()) {
            properties_of(choice, path, keys);
        }
    }
}

TEST(Recipe, PublishedSchemaHasTheKeysOfTheDefaults) {
    std::ifstream file(testing::repository_folder() + "/docs/recipe.schema.json");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    Recipe recipe = Recipe::defaults("ufno");
    recipe.network.network.activation = Activation::leaky_relu(0.1);
    recipe.network.physics = NetworkPhysics{};
    recipe.network.channels = guided_channels();
    recipe.network.fields = guided_fields();
    recipe.network.channels.front().points = recipe.network.fields.front().points = {{1}, {0.0}, {1.0}};
    recipe.rollout.states = {{"w", {"w0"}}};
    std::set<std::string> ours, published;
    keys_of(recipe.to_json(), "", ours);
    properties_of(Json::parse(text, "recipe.schema.json"), "", published);
    published.erase("/$schema");
    EXPECT_EQ(ours, published);
    EXPECT_EQ(text.find("\"kind\"\n          ]"), std::string::npos) << "physics.kind may be left out";
}

}  // namespace
}  // namespace plumecast
