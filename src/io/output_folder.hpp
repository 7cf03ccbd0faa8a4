#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "io/folder_lock.hpp"

namespace plumecast {

/// A folder that a run fills with files of its own: a record in it, `.plumecast.json`, tells a later run which they
/// are, so that these are replaced and all others are left alone, also those that somebody else writes there meanwhile.
class OutputFolder {
   public:
    /// Tells whether a run may write a file, by its path from the folder.
    using Claim = std::function<bool(const std::filesystem::path& relative)>;
    /// What becomes of files of earlier runs that this one does not write again.
    enum class Former { keep, remove };

    /// Looks at a folder that need not exist. Throws InvalidInput when a file that the run claims is the input; without
    /// `is_forced` also when it is none that an earlier run wrote, or was changed since.
    OutputFolder(const std::filesystem::path& folder, const std::filesystem::path& input, Claim claim, bool is_forced);
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    /// Records what was written so far, when the run ends early.
    ~OutputFolder();

    /// Makes the folder, locks it and clears what killed runs left under temporary names. Throws InvalidInput when
    /// another run writes it, IoError.
    void begin();
    /// Records the files that were written since begin(). Throws IoError.
    void finish(Former former);

   private:
    /// Size and time of change, by which a file is known again.
    struct Stamp {
        std::int64_t size = 0;
        std::int64_t changed = 0;  ///< in the finest unit that the file system gives
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    using Files = std::map<std::string, Stamp>;

    Files present() const;
    void read_record();
    void write_record(const Files& own, bool is_open) const;
    bool is_own(const std::string& name, const Stamp& stamp) const;

    std::filesystem::path folder_;
    Claim claim_;
    Files before_;                            // all files of the folder
    Files own_;                               // of earlier runs
    std::optional<std::int64_t> open_since_;  // when a run began that never ended
    std::unique_ptr<FolderLock> lock_;        // from begin() on
    bool is_finished_ = false;
};

}  // namespace plumecast
