#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/atomic_file.hpp"

namespace plumecast::eclipse {

/// How the records of a file are written: big-endian binary, or text.
enum class RecordFormat { unformatted, formatted };

/// Writes ECLIPSE files record by record, in blocks of 1000 values (105 texts) as the simulators do; the file appears
/// under its final name at commit() only. Keywords and texts are cut to 8 characters. Every method throws IoError when
/// the disk refuses.
class RecordWriter {
   public:
    /// Starts the file under a temporary name.
    RecordWriter(const std::filesystem::path& path, RecordFormat format);

    /// INTE, REAL, DOUB, LOGI and CHAR.
    void integers(std::string_view keyword, std::span<const std::int32_t> values);
    void reals(std::string_view keyword, std::span<const float> values);
    void doubles(std::string_view keyword, std::span<const double> values);
    void logicals(std::string_view keyword, const std::vector<bool>& values);
    void texts(std::string_view keyword, std::span<const std::string> values);
    /// MESS: a keyword without data.
    void message(std::string_view keyword);

    /// Completes the file.
    void commit();

   private:
    void header(std::string_view keyword, std::size_t count, std::string_view type);
    template <class Value>
    void write_numbers(std::string_view keyword, std::span<const Value> values);
    void flush(std::size_t above);

    std::filesystem::path path_;
    AtomicFile target_;
    RecordFormat format_;
    std::ofstream file_;
    std::string buffer_;
};

}  // namespace plumecast::eclipse
