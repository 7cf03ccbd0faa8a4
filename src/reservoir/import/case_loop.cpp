#include "reservoir/import/case_loop.hpp"

#include <algorithm>

#include "reservoir/dataset/cases/dataset_writer.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"
#include "reservoir/import/model_notes/value_ranges.hpp"

namespace plumecast {
namespace {

bool is_output(const std::string& name) {
    const ArraySpec* spec = find_array(name);
    return spec != nullptr && spec->role == Role::output;
}

/// Numbers of the cases at each time that are written when all cases have them.
struct CaseSeries {
    Quantity what;
    std::vector<std::vector<float>> of_cases = {};
};

std::vector<CaseSeries> known_series() {
    std::vector<CaseSeries> series;
    for (const char* name : {"injected_mass", "bottom_hole_pressure"}) {
        series.push_back({quantity(QuantityKind::of_case, name)});
    }
    return series;
}

void write_texts(const ImportPlan& plan, DatasetWriter& writer) {
    for (const auto& [name, texts] : plan.texts) {
        if (std::ranges::any_of(texts, [](const std::string& text) { return !text.empty(); })) {
            writer.describe_cases(name, texts);
        }
    }
}

}  // namespace

ImportReport import_cases(const ImportOptions& options, const ImportPlan& plan, const CaseSource& source,
                          const std::vector<std::string>& notes) {
    const DatasetExtents extents = extents_of(plan.frame, plan.cases);
    const bool is_one_each = static_cast<std::int64_t>(options.sources.size()) == plan.cases;
    DatasetWriter writer(options.output, plan.frame, plan.cases, plan.arrays);
    std::vector<CaseSeries> series = known_series();
    for (std::int64_t which = 0; which < plan.cases; ++which) {
        auto arrays = source(which);
        require_input_ranges(options.sources[is_one_each ? static_cast<std::size_t>(which) : 0], which, arrays,
                             extents.geometry, extents.space());
        writer.write(which, arrays);
        for (CaseSeries& one : series) {
            if (const auto found = arrays.find(one.what.name); found != arrays.end()) {
                one.of_cases.push_back(std::move(found->second));
            }
        }
        if (options.progress && options.progress("importing", which + 1, plan.cases)) {
            ImportReport stopped;
            stopped.is_complete = false;
            return stopped;
        }
    }
    write_texts(plan, writer);
    writer.note_cases(notes);
    for (const CaseSeries& one : series) {
        if (!one.of_cases.empty() && static_cast<std::int64_t>(one.of_cases.size()) == plan.cases) {
            writer.write_series(one.what.name, one.what.unit, one.what.meaning, one.of_cases);
        }
    }
    writer.commit();
    return {extents.cases,
            extents.rows,
            extents.lines,
            extents.columns,
            extents.times,
            std::ranges::any_of(plan.arrays, is_output),
            true,
            {},
            {}};
}

}  // namespace plumecast
