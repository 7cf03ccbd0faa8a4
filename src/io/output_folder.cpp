#include "io/output_folder.hpp"

#include <system_error>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/abandoned.hpp"
#include "io/atomic_file.hpp"
#include "io/folders.hpp"
#include "io/text_file.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

constexpr const char* record_name = ".plumecast.json";
constexpr const char* record_format = "plumecast-files";

std::int64_t ticks(fs::file_time_type time) { return static_cast<std::int64_t>(time.time_since_epoch().count()); }

[[noreturn]] void refuse(const fs::path& path, const std::string& reason, const std::string& remedy) {
    throw InvalidInput(path.string() + ": " + reason + "; " + remedy);
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder, const fs::path& input, Claim claim, bool is_forced)
    : folder_(folder), claim_(std::move(claim)), before_(present()) {
    read_record();
    for (const auto& [name, stamp] : before_) {
        std::error_code absent;
        if (!claim_(name)) {
            continue;
        }
        if (fs::equivalent(folder_ / name, input, absent)) {
            refuse(folder_ / name, "is the input itself (the output would take its place)", "choose another folder");
        }
        if (!is_forced && !is_own(name, stamp)) {
            refuse(folder_ / name, "is there already (no earlier run of plumecast wrote it here as it is)",
                   "choose another folder, or have it replaced (is_forced)");
        }
    }
}

OutputFolder::~OutputFolder() {
    if (lock_ != nullptr && !is_finished_) {
        try {
            finish(Former::keep);
        } catch (const Error&) {
            is_finished_ = true;  // the record stays open, by which the next run knows these files
        }
    }
}

OutputFolder::Files OutputFolder::present() const {
    Files files;
    std::error_code ignored;
    std::vector<std::string> names = names_in(folder_, ignored);
    while (!names.empty()) {
        const std::string name = std::move(names.back());
        names.pop_back();
        const fs::path path = folder_ / name;
        if (fs::is_directory(fs::symlink_status(path, ignored))) {
            for (const std::string& inner : names_in(path, ignored)) {
                names.push_back(name + "/" + inner);
            }
        } else if (fs::is_regular_file(path, ignored) && name != record_name && name != ".lock") {
            files[name] = {static_cast<std::int64_t>(fs::file_size(path, ignored)),
                           ticks(fs::last_write_time(path, ignored))};
        }
    }
    return files;
}

/// A record that cannot be read counts as none: then nothing is replaced unasked.
void OutputFolder::read_record() {
    const fs::path path = folder_ / record_name;
    std::error_code absent;
    if (!fs::exists(path, absent)) {
        return;
    }
    try {
        const Json json = Json::parse(read_text(path.string()), path.string());
        JsonReader reader(json, path.string());
        if (reader.get<std::string>("format") != record_format) {
            return;
        }
        if (reader.get<bool>("open")) {
            open_since_ = ticks(fs::last_write_time(path));
        }
        for (JsonReader& file : reader.objects("files")) {
            own_[file.get<std::string>("name")] = {file.get<std::int64_t>("size"), file.get<std::int64_t>("changed")};
        }
    } catch (const Error&) {
        own_.clear();
    }
}

bool OutputFolder::is_own(const std::string& name, const Stamp& stamp) const {
    const auto known = own_.find(name);
    return (known != own_.end() && known->second == stamp) ||
           (open_since_ && claim_(name) && stamp.changed >= *open_since_);
}

void OutputFolder::write_record(const Files& own, bool is_open) const {
    Json::Array files;
    for (const auto& [name, stamp] : own) {
        files.push_back(Json::Object{{"name", name}, {"size", stamp.size}, {"changed", stamp.changed}});
    }
    const Json record = Json::Object{{"format", record_format}, {"open", is_open}, {"files", std::move(files)}};
    write_text_atomically(folder_ / record_name, record.dump(-1) + "\n");
}

void OutputFolder::begin() {
    create_folders(folder_);
    lock_ = std::make_unique<FolderLock>(folder_, "choose another folder with -o");
    remove_abandoned_in(folder_);
    for (auto& [name, stamp] : before_) {
        if (is_own(name, stamp)) {
            own_[name] = stamp;
        }
    }
    write_record(own_, true);
}

void OutputFolder::finish(Former former) {
    const Files now = present();
    Files own;
    for (const auto& [name, stamp] : now) {
        const auto earlier = before_.find(name);
        const bool is_new = claim_(name) && (earlier == before_.end() || earlier->second != stamp);
        const auto known = own_.find(name);
        const bool is_former = !is_new && known != own_.end() && known->second == stamp;
        if (is_former && former == Former::remove) {
            std::error_code ignored;
            fs::remove(folder_ / name, ignored);
        } else if (is_new || is_former) {
            own[name] = stamp;
        }
    }
    write_record(own, false);
    is_finished_ = true;
}

}  // namespace plumecast
