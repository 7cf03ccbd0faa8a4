#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

/// Binary files of ECLIPSE and OPM Flow: INIT, UNRST, EGRID, SMSPEC, UNSMRY and their kin.
namespace plumecast::eclipse {

/// Element type of an array: INTE, REAL, DOUB, LOGI, CHAR or C0nn, MESS (a keyword without data).
enum class RecordType { integer, real, double_real, logical, text, message };

/// One array of a file, as its header declares it.
struct Record {
    /// Without trailing blanks. Keywords repeat: a restart file holds PRESSURE once per report step.
    std::string keyword;
    RecordType type = RecordType::message;
    std::int64_t count = 0;
    std::int64_t element_bytes = 0;
    /// Byte at which the first block of data starts.
    std::int64_t offset = 0;
};

/// Reads unformatted files front to back: big-endian Fortran records, a header of 8-character keyword, count and type
/// before each array, arrays in blocks. Memory is that of one array; what a header declares is compared with the bytes
/// of the file before anything is allocated. Every violation is an InvalidData naming file and byte.
class RecordFile {
   public:
    /// Throws IoError when the file cannot be read.
    explicit RecordFile(const std::filesystem::path& path);

    const std::string& path() const { return path_; }
    /// The next array, its blocks checked; nothing at the end of the file.
    std::optional<Record> next();

    /// Values of an array of INTE, REAL, DOUB or LOGI (1 for true).
    std::vector<double> numbers(const Record& record);
    /// Values of an array of CHAR or C0nn, without trailing blanks.
    std::vector<std::string> texts(const Record& record);

   private:
    std::int64_t whole_number(std::int64_t at);
    std::string bytes(std::int64_t at, std::int64_t count);
    Record header();
    std::int64_t end_of_block(std::int64_t at, std::int64_t& length);
    std::string data(const Record& record);
    [[noreturn]] void damaged(std::int64_t at, const std::string& problem, const std::string& why) const;

    std::string path_;
    std::ifstream file_;
    std::int64_t size_ = 0;
    std::int64_t position_ = 0;
};

/// Keyword and value type of a record for messages: "PRESSURE (DOUB, 2048 values)".
std::string description(const Record& record);

}  // namespace plumecast::eclipse
