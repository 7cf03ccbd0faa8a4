#include "reservoir/eclipse/restart.hpp"

#include <algorithm>

#include <plumecast/core/error.hpp>

namespace plumecast::eclipse {
namespace {

constexpr std::size_t most_steps = 100000;

}  // namespace

StepFiles::StepFiles(std::span<const std::filesystem::path> files, std::span<const std::string_view> keywords) {
    for (const std::filesystem::path& path : files) {
        RecordFile file(path);
        bool is_main_grid = true;
        bool is_started = false;
        while (const auto record = file.next()) {
            if (record->keyword == "SEQNUM" || !is_started) {
                if (steps_.size() == most_steps) {
                    throw InvalidData(file.path() +
                                      ": more than 100000 report steps (each takes memory); split the run");
                }
                steps_.push_back({path, {}});
                is_started = true;
                is_main_grid = true;
            }
            is_main_grid = is_main_grid && record->keyword != "LGR";
            if (is_main_grid && std::ranges::find(keywords, record->keyword) != keywords.end()) {
                steps_.back().records.try_emplace(record->keyword, *record);
            }
        }
    }
}

StepFiles::~StepFiles() = default;

bool StepFiles::has(std::size_t step, std::string_view keyword) const {
    return steps_[step].records.find(keyword) != steps_[step].records.end();
}

const Record& StepFiles::record(std::size_t step, std::string_view keyword) const {
    const auto found = steps_[step].records.find(keyword);
    if (found == steps_[step].records.end()) {
        incomplete(step, "no " + std::string(keyword), "let the simulator write it");
    }
    return found->second;
}

void StepFiles::incomplete(std::size_t step, const std::string& problem, const std::string& remedy) const {
    const std::string which =
        steps() == 1 ? "" : "in state " + std::to_string(step + 1) + " of " + std::to_string(steps()) + ": ";
    throw InvalidData(path(step) + ": " + problem + " (" + which + "the simulator's output is incomplete); " + remedy);
}

void StepFiles::keep(std::span<const std::size_t> steps) {
    std::vector<RecordIndex> kept;
    for (const std::size_t step : steps) {
        kept.push_back(steps_[step]);
    }
    steps_ = std::move(kept);
}

RecordFile& StepFiles::file_of(std::size_t step) {
    if (open_ == nullptr || open_path_ != steps_[step].file) {
        open_path_ = steps_[step].file;
        open_ = std::make_unique<RecordFile>(open_path_);
    }
    return *open_;
}

std::vector<double> StepFiles::numbers(std::size_t step, std::string_view keyword) {
    const Record& wanted = record(step, keyword);
    return file_of(step).numbers(wanted);
}

std::vector<std::string> StepFiles::texts(std::size_t step, std::string_view keyword) {
    const Record& wanted = record(step, keyword);
    return file_of(step).texts(wanted);
}

}  // namespace plumecast::eclipse
