#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Record files of ECLIPSE and OPM Flow: INIT, UNRST, EGRID, SMSPEC, UNSMRY and their kin, formatted or not.
namespace plumecast::eclipse {

class ByteSource;
class RecordReader;

/// Element type of an array: INTE, REAL, DOUB, LOGI, CHAR or C0nn, MESS (a keyword without data).
enum class RecordType { integer, real, double_real, logical, text, message };

/// One array of a file, as its header declares it.
struct Record {
    /// Without trailing blanks. Keywords repeat: a restart file holds PRESSURE once per report step.
    std::string keyword;
    RecordType type = RecordType::message;
    std::int64_t count = 0;
    std::int64_t element_bytes = 0;
    /// Byte at which the first block of data starts, and the one behind the last.
    std::int64_t offset = 0;
    std::int64_t end = 0;
};

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

/// Keyword and value type of a record for messages: "PRESSURE (DOUB, 2048 values)".
std::string description(const Record& record);

}  // namespace plumecast::eclipse
