#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reservoir/eclipse/record.hpp"

namespace plumecast::eclipse {

/// One way of writing records down. Behaves as RecordFile says.
class RecordReader {
   public:
    virtual ~RecordReader() = default;
    virtual std::optional<Record> next() = 0;
    virtual std::vector<double> numbers(const Record& record) = 0;
    virtual std::vector<std::string> texts(const Record& record) = 0;
};

/// Sets type and element size by the name in a header; false for a type the format does not know.
bool set_type(Record& record, const std::string& name);

/// `text` without blanks at its end.
std::string without_trailing_blanks(std::string text);

}  // namespace plumecast::eclipse
