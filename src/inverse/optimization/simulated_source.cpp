#include "inverse/optimization/simulated_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/memory_cases.hpp>

#include "core/machine/in_order.hpp"
#include "core/text/replaced.hpp"
#include "io/folders.hpp"
#include "reservoir/generation/case_simulator.hpp"
#include "reservoir/generation/described_case.hpp"

namespace plumecast {
namespace {

constexpr int all_bits = 23;  // of a mantissa

/// What became of one case.
using SimulatedCase = std::variant<FinishedCase, RejectedCase>;

/// A message on a run that is over, which nothing goes on from here.
std::string in_words_of_optima(const std::string& message) {
    return replaced(message, std::vector<Replacement>{{"continue by GenerationOptions::resume, with fewer jobs",
                                                       "start again, with fewer threads"},
                                                      {"continue by GenerationOptions::resume", "start again"}});
}

}  // namespace

SimulatedSource::SimulatedSource(const std::string& program, std::filesystem::path folder)
    : program_(find_program(program)), folder_(std::move(folder)), release_(flow_release(program_, folder_)) {}

void SimulatedSource::require_takes(const Dataset& dataset, const std::vector<std::int64_t>& cases) const {
    require_simulated(dataset, cases, release_);
}

ComputedCases SimulatedSource::add_fields(DatasetContent& content, const ComputationOptions& options) const {
    MemoryCases views = views_of(content);
    views.name = "cases to be simulated";
    const Dataset dataset(std::move(views));
    std::vector<std::int64_t> all(static_cast<std::size_t>(dataset.cases()));
    std::iota(all.begin(), all.end(), 0);
    require_takes(dataset, all);
    const CaseSimulator simulator{program_, release_, CheckSettings(), SimulatorSettings(), dataset.times()};
    const auto is_stopped = [&] { return options.stop_requested && options.stop_requested(); };
    const auto each = static_cast<std::size_t>(dataset.cells() * dataset.snapshots());
    std::map<std::string, std::vector<float>> fields;
    for (const char* name : {"gas_saturation", "pressure_buildup", "dissolved_co2"}) {
        fields[name].resize(each * static_cast<std::size_t>(dataset.cases()));
    }
    const auto make = [&](std::int64_t which) -> SimulatedCase {
        const std::filesystem::path folder = folder_ / fmt::format("run_{:08}", begun_++);
        const PreparedCase prepared = described_case(dataset, which, release_.brine, all_bits);
        std::optional<SimulatedCase> done;
        try {
            done = simulator.run(prepared, folder, is_stopped);
        } catch (const IoError& error) {
            throw IoError(in_words_of_optima(error.what()));
        }
        std::error_code ignored;
        remove_tree(folder, ignored);
        if (!done) {
            throw Interrupted();
        }
        return std::move(*done);
    };
    ComputedCases computed;
    const auto take = [&](std::int64_t which, const SimulatedCase& one) {
        if (const auto* rejected = std::get_if<RejectedCase>(&one)) {
            computed.failed[which] =
                fmt::format("{}: {}", rejection_names[static_cast<std::size_t>(rejected->reason)], rejected->detail);
        }
        const auto* finished = std::get_if<FinishedCase>(&one);
        for (auto& [name, values] : fields) {
            if (finished != nullptr && finished->arrays.contains(name)) {
                std::ranges::copy(finished->arrays.at(name),
                                  values.begin() + static_cast<std::ptrdiff_t>(each) * which);
            }
        }
        return !is_stopped();
    };
    if (!in_order(dataset.cases(), options.threads, make, take)) {
        throw Interrupted();
    }
    content.arrays.merge(fields);
    return computed;
}

}  // namespace plumecast
