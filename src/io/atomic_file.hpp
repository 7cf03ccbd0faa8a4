#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// Files and folders that appear under their final name whole or not at all, whatever kills the process.
namespace plumecast {

/// A file written beside its final place and renamed there when complete.
class AtomicFile {
   public:
    /// What becomes of a file that somebody else puts in the final place while this one is written.
    enum class Newcomer { replaced, kept };

    /// Creates the empty temporary file, beside the target of a symbolic link. Throws IoError when the folder is
    /// missing or not writable, or the final name is held by something other than a file.
    explicit AtomicFile(const std::filesystem::path& final_path, Newcomer newcomer = Newcomer::replaced);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    /// Removes the temporary file unless it was committed.
    ~AtomicFile();

    /// The temporary file, to be filled and closed before commit().
    const std::filesystem::path& path() const { return temporary_; }
    /// What it will be called, the name for messages.
    const std::filesystem::path& final_path() const { return final_; }
    /// Brings the content to the disk, then gives it the final name, replacing a file there, whose permissions it
    /// takes. Throws IoError; where only the final place is refused, what was written is kept beside it as NAME.kept.
    void commit();

   private:
    /// Device, number, size and time of change of a file; zeros where there is none.
    using Stamp = std::array<std::int64_t, 5>;
    static Stamp stamp_of(const std::filesystem::path& path);
    [[noreturn]] void refuse_place(const std::string& reason);

    std::filesystem::path final_;
    Newcomer newcomer_;
    Stamp before_;
    std::filesystem::path temporary_;
    bool is_committed_ = false;
};

/// Replaces the content of a file by `text` in one step. Throws IoError.
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

/// A folder filled beside its final place that takes it when complete; one writer at a time.
class AtomicFolder {
   public:
    /// Recovers `final_path` first, clears what a killed writer left and creates the empty temporary folder. Throws
    /// IoError when the parent is missing or not writable, or another process is writing the same folder.
    explicit AtomicFolder(const std::filesystem::path& final_path);
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;
    /// Removes the temporary folder unless it was committed.
    ~AtomicFolder();

    /// The temporary folder, to be filled before commit().
    const std::filesystem::path& path() const { return temporary_; }
    /// Brings every file to the disk, then takes the final place; the version that was there is removed last.
    /// Throws IoError.
    void commit();

   private:
    std::filesystem::path final_;
    std::filesystem::path temporary_;
    int lock_ = -1;
    bool is_committed_ = false;
};

/// Completes a commit that was cut short between its two renames: when `final_path` is missing, the new version takes
/// its place, or the old one returns. To be called before such a folder is read; does nothing otherwise. Throws
/// IoError.
void recover_folder(const std::filesystem::path& final_path);

}  // namespace plumecast
