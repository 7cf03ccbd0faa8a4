
#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <support/samples/sample_dataset.hpp>

#include "io/atomic_file.hpp"
#include "io/text_file.hpp"
#include "training/records/event_file.hpp"
#include "training/records/event_record.hpp"

namespace plumecast {
namespace {

using testing::ScratchFolder;

EpochReport epoch(int number) {
    EpochReport report;
    report.epoch = number;
    report.train_loss = 1.0 / number;
    report.validation_loss = 2.0 / number;
    report.fields = {{"gas_saturation", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
    report.seconds = 60.0;
    return report;
}

std::vector<EpochReport> epochs(int last) {
    std::vector<EpochReport> reports;
    for (int number = 1; number <= last; ++number) {
        reports.push_back(epoch(number));
    }
    return reports;
}

/// Steps of the messages after the first, which must be that of the version; nothing of the file may be left over.
std::vector<std::int64_t> steps_in(const std::string& content) {
    std::vector<std::int64_t> steps;
    std::size_t place = 0;
    while (const auto message = message_at(content, place)) {
        if (place == 0) {
            EXPECT_TRUE(is_version_event(*message));
        } else {
            steps.push_back(step_of(*message));
        }
        place += framed_size(*message);
    }
    EXPECT_EQ(place, content.size());
    return steps;
}

class EventFileInFolder : public ::testing::Test {
   protected:
    std::string path() const { return folder_.file(EventFile::name); }
    std::string content() const { return read_text(path()); }
    std::string run() const { return std::filesystem::path(path()).parent_path().string(); }

    ScratchFolder folder_;
};

TEST_F(EventFileInFolder, GrowsByOneRecordPerEpoch) {
    EventFile file(run(), {});
    EXPECT_TRUE(steps_in(content()).empty());
    file.add(epoch(1));
    const std::string before = content();
    file.add(epoch(2));
    EXPECT_EQ(content().substr(0, before.size()), before);
    EXPECT_EQ(steps_in(content()), (std::vector<std::int64_t>{1, 2}));
    for (const char* tag : {"loss/train", "loss/validation", "learning_rate", "gas_saturation/r2_plume"}) {
        EXPECT_NE(before.find(tag), std::string::npos) << tag;
    }
}

TEST_F(EventFileInFolder, IsContinuedWithoutDoublesOrGaps) {
    EventFile(run(), {}).add(epoch(1));
    const std::string first = content();
    EventFile(run(), epochs(3)).add(epoch(4));  // a run that was killed before it wrote the second epoch here
    EXPECT_EQ(content().substr(0, first.size()), first);
    EXPECT_EQ(steps_in(content()), (std::vector<std::int64_t>{1, 2, 3, 4}));
    EventFile(run(), epochs(2)).add(epoch(3));  // its checkpoint is older than the file
    EXPECT_EQ(steps_in(content()), (std::vector<std::int64_t>{1, 2, 3}));
    EventFile(run(), {});
    EXPECT_TRUE(steps_in(content()).empty());
}

TEST_F(EventFileInFolder, LosesWhatAKilledRunLeftHalfWritten) {
    EventFile(run(), {}).add(epoch(1));
    EventFile(run(), epochs(1)).add(epoch(2));
    const std::string whole = content();
    write_text_atomically(path(), whole.substr(0, whole.size() - 5));
    EventFile(run(), epochs(2)).add(epoch(3));
    EXPECT_EQ(steps_in(content()), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(EventFileInFolder, RefusesAnotherFileAndAFolderThatIsNotThere) {
    write_text_atomically(path(), "something else");
    EXPECT_THROW(EventFile(run(), {}), InvalidData);
    EXPECT_EQ(content(), "something else");
    EXPECT_THROW(EventFile(run() + "/missing", {}), IoError);
}

}  // namespace
}  // namespace plumecast
