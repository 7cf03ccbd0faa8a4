#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reservoir/eclipse/record_file.hpp"

namespace plumecast::eclipse {

/// Where the arrays of one report step, or of an INIT file, stand. Of a keyword that repeats, the first one counts;
/// arrays of local refinements are left out.
struct RecordIndex {
    std::filesystem::path file;
    std::map<std::string, Record, std::less<>> records;
};

/// Restart files of a run, or its INIT file as a single step; read array by array.
class StepFiles {
   public:
    /// Walks through the files once and notes where the arrays called `keywords` are. Throws InvalidData for a damaged
    /// file or for more than 100000 steps; IoError.
    StepFiles(std::span<const std::filesystem::path> files, std::span<const std::string_view> keywords);
    ~StepFiles();

    std::size_t steps() const { return steps_.size(); }
    bool has(std::size_t step, std::string_view keyword) const;
    /// Values of an array. Throws InvalidData naming file and keyword when it is missing.
    std::vector<double> numbers(std::size_t step, std::string_view keyword);
    /// Texts of an array, as numbers().
    std::vector<std::string> texts(std::size_t step, std::string_view keyword);
    /// Keeps these steps, in this order.
    void keep(std::span<const std::size_t> steps);
    /// File of a step, for messages.
    std::string path(std::size_t step) const { return steps_[step].file.string(); }
    /// Throws InvalidData "PATH: PROBLEM (the simulator's output is incomplete); REMEDY", with the number of the step
    /// where there are several.
    [[noreturn]] void incomplete(std::size_t step, const std::string& problem, const std::string& remedy) const;

   private:
    const Record& record(std::size_t step, std::string_view keyword) const;
    RecordFile& file_of(std::size_t step);

    std::vector<RecordIndex> steps_;
    std::filesystem::path open_path_;
    std::unique_ptr<RecordFile> open_;
};

}  // namespace plumecast::eclipse
