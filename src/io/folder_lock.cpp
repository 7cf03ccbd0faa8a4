#include "io/folder_lock.hpp"

#include <array>
#include <cerrno>
#include <chrono>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "io/durable.hpp"
#include "io/writer_mark.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// Who holds a lock, as its file says.
struct Holder {
    std::string host;
    std::int64_t process = 0;
    std::string started;
};

std::string content_of(int file) {
    std::array<char, 1024> text{};
    const ssize_t count = ::pread(file, text.data(), text.size(), 0);
    return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

/// Nothing in the file of a run that was killed before it wrote there.
Holder holder_in(const std::string& text, const fs::path& path) {
    Holder holder;
    try {
        const Json json = Json::parse(text, path.string());
        JsonReader reader(json, path.string());
        holder = {reader.get<std::string>("host"), reader.get<std::int64_t>("process"),
                  reader.get<std::string>("started")};
    } catch (const InvalidInput&) {
        holder.host.clear();
    }
    return holder;
}

/// True when the name still leads to this file: whoever ends removes it, perhaps while we open it.
bool is_in_place(int file, const fs::path& path) {
    struct stat own {};
    struct stat there {};
    return ::fstat(file, &own) == 0 && ::stat(path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
           own.st_dev == there.st_dev;
}

[[noreturn]] void refuse(const fs::path& path, const Holder& holder, const std::string& remedy) {
    const std::string folder = path.parent_path().string();
    const std::string who = holder.host.empty() ? "another run writes it"
                                                : fmt::format("process {} on {} has written it since {}",
                                                              holder.process, holder.host, holder.started);
    const bool is_elsewhere = !holder.host.empty() && holder.host != host_name();
    throw InvalidInput(fmt::format("{}: is in use ({}); wait for that run, {}{}", folder, who, remedy,
                                   is_elsewhere ? ", or remove " + path.string() + " when that run is gone" : ""));
}

std::string record_of_this_process() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return Json(Json::Object{{"host", host_name()},
                             {"process", static_cast<std::int64_t>(::getpid())},
                             {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))}})
               .dump(-1) +
           "\n";
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, const std::string& remedy) : path_(folder / ".lock") {
    do {
        if (file_ >= 0) {
            ::close(file_);
        }
        file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file_ < 0) {
            throw_io_error("write", path_, errno);
        }
        const bool is_ours = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
        const bool is_held = !is_ours && errno == EWOULDBLOCK;
        const Holder holder = holder_in(content_of(file_), path_);
        // Locks do not always reach across machines, and some file systems have none: then the record decides.
        const bool may_live =
            !holder.host.empty() && (holder.host != host_name() || (!is_ours && is_alive(holder.process)));
        if (is_in_place(file_, path_) && (is_held || may_live)) {
            ::close(file_);
            refuse(path_, holder, remedy);
        }
    } while (!is_in_place(file_, path_));
    const std::string text = record_of_this_process();
    if (::ftruncate(file_, 0) != 0 ||
        ::pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
        const int error = errno;
        std::error_code ignored;
        fs::remove(path_, ignored);
        ::close(file_);
        throw_io_error("write", path_, error);
    }
}

FolderLock::~FolderLock() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    ::close(file_);
}

}  // namespace plumecast
