#pragma once

#include <cstdint>
#include <string>

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
    /// Byte at which the first block of data starts, and the one behind the last.
    std::int64_t offset = 0;
    std::int64_t end = 0;
};

/// Keyword and value type of a record for messages: "PRESSURE (DOUB, 2048 values)".
std::string description(const Record& record);

}  // namespace plumecast::eclipse
