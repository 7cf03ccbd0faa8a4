#pragma once

#include "reservoir/eclipse/byte_source.hpp"
#include "reservoir/eclipse/record_reader.hpp"

namespace plumecast::eclipse {

/// Records as text: 'KEYWORD ' COUNT 'TYPE', then the values with blanks between, texts between quotes.
class FormattedRecords : public RecordReader {
   public:
    explicit FormattedRecords(const ByteSource& source) : source_(source), scanner_(source) {}

    std::optional<Record> next() override;
    std::vector<double> numbers(const Record& record) override;
    std::vector<std::string> texts(const Record& record) override;

   private:
    Record header();
    /// Characters up to the next blank.
    std::string word();
    /// Exactly `width` characters between quotes.
    std::string quoted(std::int64_t width);
    double number(const Record& record);

    const ByteSource& source_;
    Scanner scanner_;
    std::int64_t position_ = 0;
    std::string word_;
};

}  // namespace plumecast::eclipse
