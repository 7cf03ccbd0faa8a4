#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/ranges.hpp>

#include "core/number_text.hpp"
#include "io/atomic_file.hpp"
#include "reservoir/dataset/cases/case_copy.hpp"
#include "reservoir/dataset/cases/case_order.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/h5/case_notes.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

/// The verdicts of a result file: 0 for good, 1 for doubtful, 2 for bad.
std::vector<float> verdicts_of(const Dataset& dataset) {
    const std::vector<std::uint8_t> labels = case_labels(dataset.path(), "trust");
    if (static_cast<std::int64_t>(labels.size()) != dataset.cases()) {
        throw InvalidInput(dataset.path() +
                           ": has no verdict for each case in /case/trust (results of 'predict' and 'estimate' have "
                           "one); choose by inputs");
    }
    return {labels.begin(), labels.end()};
}

/// A scalar input; of generic data by its path, or by what stands behind /inputs/.
const std::vector<float>& scalar_named(const Dataset& dataset, const std::string& name) {
    const bool is_short = dataset.geometry() == Geometry::generic && dataset.find("/inputs/" + name) != nullptr;
    return dataset.scalar(is_short ? "/inputs/" + name : name);
}

/// A condition on values in the unit of the format; it is given in the unit that the file states them in.
ScalarCondition in_own_unit(ScalarCondition condition, const Dataset& dataset) {
    const ArraySpec* spec = dataset.geometry() == Geometry::generic ? nullptr : find_array(condition.name);
    if (spec != nullptr && spec->from_other_unit != nullptr) {
        const std::string stated = h5::File::open(dataset.path()).text(spec->path, "units").value_or("");
        for (double* end : {&condition.low, &condition.high}) {
            auto value = static_cast<float>(*end);
            if (*end > 0.0 && std::isfinite(*end)) {  // others bound in either unit
                convert_from(stated, *spec, {&value, 1});
                *end = static_cast<double>(value);
            }
        }
    }
    return condition;
}

std::vector<std::int64_t> named_cases(const SubsetOptions& options, const Dataset& dataset) {
    std::vector<bool> is_kept(static_cast<std::size_t>(dataset.cases()), options.cases.empty());
    for (const auto& [from, to] : options.cases) {
        if (from < 0 || to < from || to >= dataset.cases()) {
            throw InvalidInput(fmt::format("{}: no cases {} to {} (the file has cases 0 to {}); choose among them",
                                           dataset.path(), from, to, dataset.cases() - 1));
        }
        std::fill(is_kept.begin() + from, is_kept.begin() + to + 1, true);
    }
    for (const ScalarCondition& given : options.where) {
        const ScalarCondition condition = in_own_unit(given, dataset);
        const std::vector<float> values =
            condition.name == "trust" ? verdicts_of(dataset) : scalar_named(dataset, condition.name);
        for (std::size_t row = 0; row < is_kept.size(); ++row) {
            is_kept[row] = is_kept[row] && is_within(condition.low, condition.high, values[row]);
        }
    }
    std::vector<std::int64_t> kept;
    for (std::size_t row = 0; row < is_kept.size(); ++row) {
        if (is_kept[row]) {
            kept.push_back(static_cast<std::int64_t>(row));
        }
    }
    return kept;
}

/// Some of the cases, the same ones for the same seed whatever the order of the file.
std::optional<std::vector<std::int64_t>> drawn(const SubsetOptions& options, const Dataset& dataset,
                                               std::vector<std::int64_t> kept) {
    if (*options.random < 1 || *options.random > static_cast<std::int64_t>(kept.size())) {
        throw InvalidInput(fmt::format("{} at random ({} to choose from); ask for 1 to {}",
                                       counted(*options.random, "case"), kept.size(), kept.size()));
    }
    const auto order = order_cases(dataset, options.seed, options.progress);
    if (!order) {
        return std::nullopt;
    }
    std::ranges::sort(kept, {}, [&](std::int64_t row) {
        const OrderedCase& one = (*order)[static_cast<std::size_t>(row)];
        return std::pair(one.place, one.row);
    });
    kept.resize(static_cast<std::size_t>(*options.random));
    std::ranges::sort(kept);
    return kept;
}

}  // namespace

CaseReport subset_dataset(const SubsetOptions& options) {
    const Dataset dataset(options.source);
    CaseReport report;
    std::vector<std::int64_t> kept = named_cases(options, dataset);
    // Before much is read, in case that it cannot be written.
    AtomicFile target(options.output, AtomicFile::Newcomer::kept);
    if (options.random) {
        auto some = drawn(options, dataset, std::move(kept));
        if (!some) {
            report.is_complete = false;
            return report;
        }
        kept = std::move(*some);
    }
    if (kept.empty()) {
        throw InvalidInput(options.source +
                           ": no case meets the conditions (a data set holds at least one); widen them");
    }
    CopyPlan plan{{options.source}, {}, {}, options.without_outputs};
    for (const std::int64_t row : kept) {
        plan.cases.push_back({0, row});
    }
    const std::string line =
        fmt::format("plumecast {} subset: {} of {}", version(), kept.size(), counted(dataset.cases(), "case"));
    const std::string before = dataset.attribute("history");
    plan.attributes["history"] = before.empty() ? line : before + "; " + line;
    report.is_complete = copy_cases(target, plan, options.progress, report);
    if (report.is_complete) {
        target.commit();
        report.files.push_back({options.output, static_cast<std::int64_t>(kept.size())});
    }
    return report;
}

}  // namespace plumecast
