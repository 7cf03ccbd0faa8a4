#pragma once

#include <map>

#include <plumecast/reservoir/dataset/memory_cases.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// Arrays in the caller's memory. Their names become paths of the format; names that it does not know stay what they
/// are. It has the attributes that a file of that content has.
class MemoryStore : public DatasetStore {
   public:
    explicit MemoryStore(MemoryCases cases);
    MemoryStore(const MemoryStore&) = delete;
    MemoryStore& operator=(const MemoryStore&) = delete;

    const std::string& name() const override { return cases_.name; }
    bool is_file() const override { return false; }
    bool has(const std::string& array) const override { return paths_.contains(array); }
    std::vector<std::string> arrays() const override;
    StoredArray info(const std::string& array) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<float> out) const override;
    void read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                   std::span<double> out) const override;
    std::optional<std::string> text(const std::string& object, const std::string& attribute) const override;
    std::optional<std::int64_t> integer(const std::string& object, const std::string& attribute) const override;
    std::vector<double> numbers(const std::string& object, const std::string& attribute) const override;
    std::vector<std::string> attributes() const override;

   private:
    const ArrayView& view(const std::string& array) const;

    MemoryCases cases_;
    std::map<std::string, const ArrayView*, std::less<>> paths_;
};

/// What is wrong with a view, whatever it is of, "has elements that ..."; nothing where it can be read.
std::string problem_of_view(const ArrayView& view);

/// Entries [begin, begin + count) along the first axis of such a view, row-major, as float32.
void read_view(const ArrayView& view, std::int64_t begin, std::int64_t count, std::span<float> out);
void read_view(const ArrayView& view, std::int64_t begin, std::int64_t count, std::span<double> out);

/// The arrays of a store that its kind of grid has no use for, those whose names the format does not know first. They
/// are errors in memory, where a misspelt name would else be an input that nobody reads.
std::vector<Violation> left_over_arrays(const DatasetStore& store);

}  // namespace plumecast
