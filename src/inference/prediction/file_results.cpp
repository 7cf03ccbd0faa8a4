#include "inference/prediction/file_results.hpp"

#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumecast {

FileResults::FileResults(const std::string& path, const Dataset* dataset, const std::string& input,
                         const std::vector<std::string>& fields, const FileAttributes& attributes,
                         const std::map<std::string, std::string>& units)
    : fields_(fields.begin(), fields.end()) {
    if (dataset != nullptr) {
        writer_.emplace(path, *dataset, fields, attributes, units);
    } else {
        writer_.emplace(path, input, fields, attributes);
    }
}

std::function<void()> FileResults::put(const std::string& field, std::int64_t which, std::span<const float> values,
                                       std::span<const float> active) {
    return [this, field, which, packed = writer_->pack(values, active)] { writer_->store(field, which, packed); };
}

ResultVerdicts FileResults::judge(const Dataset& dataset, const TrustRecord& record, const RunFacts& facts,
                                  const ResultStore* beside) {
    if (!facts.failed.empty()) {
        writer_->set_attribute("skipped_cases", fmt::format("{}", fmt::join(facts.failed | std::views::keys, ", ")));
    }
    return judge_result(*writer_, dataset, record, facts, reader_with(beside));
}

}  // namespace plumecast
