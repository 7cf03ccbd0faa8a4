
#include <filesystem>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <support/samples/sample_dataset.hpp>

#include "io/atomic_file.hpp"
#include "training/records/run_history.hpp"
#include "training/training_state.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

EpochReport epoch_of(int number) {
    EpochReport report;
    report.epoch = number;
    report.learning_rate = 1e-3;
    report.train_loss = 0.1 * number;
    report.fields = {{"pressure_buildup", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
    report.best = number == 1;
    return report;
}

std::string parent_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

TEST(RunHistory, IsReadBackAsItWasRecorded) {
    const ScratchFolder folder;
    std::vector<EpochReport> written{epoch_of(1), epoch_of(2)};
    written[1].validation_loss = 0.25;
    write_text_atomically(folder.file("metrics.jsonl"), metrics_jsonl(written));
    const std::vector<EpochReport> read = read_run_history(parent_of(folder.file("metrics.jsonl")));
    EXPECT_EQ(metrics_jsonl(read), metrics_jsonl(written));
    EXPECT_FALSE(read[0].validation_loss.has_value());
    EXPECT_EQ(read[1].validation_loss, 0.25);
}

TEST(RunHistory, RefusesADamagedRecordByItsLine) {
    const ScratchFolder folder;
    const std::string path = folder.file("metrics.jsonl");
    for (const std::string& text : {metrics_jsonl({epoch_of(1)}) + "{\"epoch\": 2}\n",
                                    metrics_jsonl({epoch_of(1)}) + "{\n", metrics_jsonl({epoch_of(1), epoch_of(1)})}) {
        write_text_atomically(path, text);
        try {
            read_run_history(parent_of(path));
            FAIL() << text;
        } catch (const InvalidData& error) {
            EXPECT_NE(std::string(error.what()).find("metrics.jsonl: line 2"), std::string::npos) << error.what();
        }
    }
    write_text_atomically(path, "");
    EXPECT_THROW(read_run_history(parent_of(path)), InvalidData);
}

TEST(RunHistory, RefusesPlacesThatHoldNoRun) {
    const ScratchFolder folder;
    const std::string file = folder.file("recipe.json");
    EXPECT_THROW(read_run_history(parent_of(file)), InvalidInput);
    EXPECT_THROW(read_run_history(parent_of(file) + "/missing"), IoError);
    write_text_atomically(file, "{}");
    EXPECT_THROW(read_run_history(file), InvalidInput);
    EXPECT_THROW(read_run_history(parent_of(file)), InvalidInput);
}

}  // namespace
}  // namespace plumecast
