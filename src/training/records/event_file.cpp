#include "training/records/event_file.hpp"

#include <chrono>
#include <cmath>

#include <plumecast/core/error.hpp>

#include "io/text_file.hpp"
#include "training/records/event_record.hpp"

namespace plumecast {
namespace {

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::vector<EventScalar> scalars_of(const EpochReport& report) {
    std::vector<EventScalar> scalars;
    if (!std::isnan(report.train_loss)) {
        scalars.push_back({"loss/train", report.train_loss});
    }
    if (report.validation_loss) {
        scalars.push_back({"loss/validation", *report.validation_loss});
    }
    scalars.push_back({"learning_rate", report.learning_rate});
    scalars.push_back({"seconds", report.seconds});
    for (const FieldReport& f : report.fields) {
        scalars.push_back({f.field + "/mpe", f.mpe});
        scalars.push_back({f.field + "/mre", f.mre});
        scalars.push_back({f.field + "/relative_l2", f.relative_l2});
        scalars.push_back({f.field + "/r2", f.r2});
        scalars.push_back({f.field + "/r2_plume", f.r2_plume});
        scalars.push_back({f.field + "/mae", f.mae});
    }
    return scalars;
}

std::string record_of(const EpochReport& report, double wall_time) {
    return framed(scalar_event(wall_time, report.epoch, scalars_of(report)));
}

}  // namespace

EventFile::EventFile(const std::string& folder, const std::vector<EpochReport>& history)
    : path_(std::filesystem::path(folder) / name) {
    const int written = keep_until(history.empty() ? -1 : history.back().epoch);
    file_.open(path_, std::ios::binary | std::ios::app);
    std::error_code absent;
    const bool is_new = std::filesystem::file_size(path_, absent) == 0;
    append(is_new ? framed(version_event(seconds_since_1970())) : "");
    // Each epoch ended when those after it began.
    double end = seconds_since_1970();
    for (const EpochReport& report : history) {
        end -= report.seconds;
    }
    for (const EpochReport& report : history) {
        end += report.seconds;
        if (report.epoch > written) {
            append(record_of(report, end));
        }
    }
}

void EventFile::add(const EpochReport& report) { append(record_of(report, seconds_since_1970())); }

/// Cuts the file that is there after that epoch or before the first damaged record; returns the last epoch it holds, -1
/// where none.
int EventFile::keep_until(int last_epoch) {
    if (!std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) {
        return -1;
    }
    const std::string content = read_text(path_.string());
    const std::optional<std::string_view> first = message_at(content, 0);
    if (!first || !is_version_event(*first)) {
        throw InvalidData(path_.string() + ": is no event file of a run (it does not begin as those do); move it away");
    }
    std::size_t end = framed_size(*first);
    std::int64_t written = -1;
    while (const std::optional<std::string_view> message = message_at(content, end)) {
        const std::int64_t step = step_of(*message);
        if (step > last_epoch) {
            break;
        }
        written = step;
        end += framed_size(*message);
    }
    std::filesystem::resize_file(path_, end);
    return static_cast<int>(written);
}

void EventFile::append(const std::string& bytes) {
    file_ << bytes << std::flush;
    if (!file_) {
        throw IoError(path_.string() +
                      ": cannot be written (is the disk full, or the folder read-only?); make room or "
                      "train without events for TensorBoard, and resume");
    }
}

}  // namespace plumecast
