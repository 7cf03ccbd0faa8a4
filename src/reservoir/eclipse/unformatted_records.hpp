#pragma once

#include "reservoir/eclipse/byte_source.hpp"
#include "reservoir/eclipse/record_reader.hpp"

namespace plumecast::eclipse {

/// Records as big-endian Fortran records: each between two marks of four bytes that hold its length.
class UnformattedRecords : public RecordReader {
   public:
    explicit UnformattedRecords(const ByteSource& source) : source_(source) {}

    std::optional<Record> next() override;
    std::vector<double> numbers(const Record& record) override;
    std::vector<std::string> texts(const Record& record) override;

   private:
    Record header();
    /// Length of the block at `at`, both its marks checked.
    std::int64_t block_at(std::int64_t at) const;
    std::int64_t mark_at(std::int64_t at) const;
    /// The values as stored, without marks.
    std::string data(const Record& record) const;

    const ByteSource& source_;
    std::int64_t position_ = 0;
};

}  // namespace plumecast::eclipse
