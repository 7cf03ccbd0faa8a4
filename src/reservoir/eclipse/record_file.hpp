#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/record.hpp"

/// Record files of ECLIPSE and OPM Flow: INIT, UNRST, EGRID, SMSPEC, UNSMRY and their kin, formatted or not.
namespace plumecast::eclipse {

class ByteSource;
class RecordReader;

/// Reads a file front to back: a header of 8-character keyword, count and type before each array, then the values.
/// Unformatted files are big-endian Fortran records, arrays in blocks; formatted ones are text, told by their first
/// character. Memory is that of one array; what a header declares is compared with the bytes of the file before
/// anything is allocated. Every violation is an InvalidData naming file and byte.
class RecordFile {
   public:
    /// Throws IoError when the file cannot be read.
    explicit RecordFile(const std::filesystem::path& path);
    ~RecordFile();
    RecordFile(RecordFile&&) noexcept;
    RecordFile& operator=(RecordFile&&) noexcept;

    const std::string& path() const;
    /// The next array, its blocks checked; nothing at the end of the file.
    std::optional<Record> next();

    /// Values of an array of INTE, REAL, DOUB or LOGI (1 for true).
    std::vector<double> numbers(const Record& record);
    /// Values of an array of CHAR or C0nn, without trailing blanks.
    std::vector<std::string> texts(const Record& record);

   private:
    std::unique_ptr<ByteSource> source_;
    std::unique_ptr<RecordReader> reader_;
};

}  // namespace plumecast::eclipse
