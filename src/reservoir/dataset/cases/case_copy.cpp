#include "reservoir/dataset/cases/case_copy.hpp"

#include <algorithm>
#include <optional>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/dataset/cases/copied_notes.hpp"
#include "reservoir/dataset/cases/merged_attributes.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

/// Arrays with an entry per case, and those that stand for all of them.
struct ArrayLists {
    std::vector<std::string> by_case;
    std::vector<std::string> shared;
    std::vector<std::string> texts;  // lists of texts among those by case, as long as the longest of all files
};

/// The array at that path; nullptr when there is none.
const ArraySpec* at(const std::vector<ArraySpec>& known, const std::string& path) {
    const auto found = std::ranges::find(known, path, &ArraySpec::path);
    return found == known.end() ? nullptr : &*found;
}

bool has_entry_per_case(const h5::File& file, const std::string& path, std::int64_t cases) {
    const std::vector<std::int64_t> extents = file.info(path).extents;
    return !extents.empty() && extents[0] == cases;
}

/// Whether an array is no case's own: notes, which are made of those of all files, and the generator's account of one
/// file, which nobody misses.
bool is_apart(const h5::File& file, const std::string& path, std::int64_t cases) {
    return path.starts_with("/case/rejected_") ||
           (path == "/case/" + std::string(data_notes_name) && !case_notes_of(file.path(), cases).empty());
}

ArrayLists lists_of(const h5::File& file, std::int64_t cases, const CopyPlan& plan,
                    std::vector<std::string>& left_out) {
    ArrayLists lists;
    const std::vector<ArraySpec> known = arrays_of(FileStore(file));
    for (const std::string& path : file.arrays()) {
        if (is_apart(file, path, cases)) {
            continue;
        }
        const ArraySpec* spec = at(known, path);
        if (spec != nullptr && (spec->role == Role::grid || spec->role == Role::cell)) {
            lists.shared.push_back(path);
        } else if (spec != nullptr) {
            if (spec->role != Role::output || !plan.without_outputs) {
                lists.by_case.push_back(path);
            }
        } else {
            const bool is_of_cases = path.starts_with("/case/") && has_entry_per_case(file, path, cases);
            (is_of_cases ? lists.by_case : left_out).push_back(path);
        }
    }
    return lists;
}

/// Keeps the arrays under /case and the optional output where every source has them, and requires all others of every
/// source. What `other` alone has is left out.
void keep_common(ArrayLists& lists, const h5::File& first, const h5::File& other, std::int64_t cases,
                 std::vector<std::string>& left_out) {
    const std::vector<ArraySpec> known = arrays_of(FileStore(first));
    std::erase_if(lists.by_case, [&](const std::string& path) {
        const bool is_of_case = path.starts_with("/case/");
        const bool is_there = other.has(path);
        if (is_there && (!is_of_case || has_entry_per_case(other, path, cases))) {
            require_same_meaning(first, other, path);
            return false;
        }
        const std::string problem = is_there ? "" : other.link_problem(path);
        if (!is_of_case && path != find_array(optional_output)->path) {
            throw InvalidData(other.path() + ": " + path + " " +
                              (problem.empty() ? "is missing (the other files have it); take outputs or inputs that "
                                                 "not all have out (SubsetOptions::without_outputs)"
                                               : problem));
        }
        if (problem.empty()) {
            left_out.push_back(path);
        }
        return true;
    });
    for (const std::string& path : other.arrays()) {
        const bool is_told = std::ranges::find(left_out, path) != left_out.end();
        if (!first.has(path) && first.link_problem(path).empty() && !is_apart(other, path, cases) && !is_told) {
            left_out.push_back(path);
        }
    }
    require_same_levels(first, other, lists.by_case);
}

void start_file(h5::File& file, const h5::File& first, const CopyPlan& plan, const ArrayLists& lists) {
    write_header(file, plan.attributes);
    std::vector<std::string> apart = attributes_of_some(plan.sources);
    // The record of a generator, and what results say of their cases, belong to exactly these cases.
    apart.insert(apart.end(), {"generator", "skipped_cases", "trust"});
    file.copy_attributes(first, "/", apart);
    const std::vector<ArraySpec> known = arrays_of(FileStore(first));
    for (const std::string& path : lists.shared) {
        file.copy_array(first, path);
        annotate_array(file, *at(known, path));
    }
    for (const std::string& path : lists.texts) {
        std::vector<std::vector<std::string>> of_sources;
        for (const std::string& source : plan.sources) {
            of_sources.push_back(h5::File::open(source).read_texts(path));
        }
        std::vector<std::string> texts;
        for (const auto& [source, row] : plan.cases) {
            const std::vector<std::string>& all = of_sources[source];
            if (static_cast<std::size_t>(row) >= all.size()) {
                throw InvalidData(plan.sources[source] + ": " + path +
                                  " holds no texts (it does in another file); keep the files apart, or remove it");
            }
            texts.push_back(all[static_cast<std::size_t>(row)]);
        }
        file.write_texts(path, texts);
        file.copy_attributes(first, path, {});
    }
    for (const std::string& path : lists.by_case) {
        file.create_like(first, path, static_cast<std::int64_t>(plan.cases.size()), plan.sources);
        if (const ArraySpec* spec = at(known, path)) {
            annotate_array(file, *spec, first.text(path, "units").value_or(spec->unit));
        }
        file.copy_attributes(first, path, {});
    }
}

}  // namespace

bool copy_cases(const AtomicFile& target, const CopyPlan& plan, const CaseProgress& progress, CaseReport& report) {
    ArrayLists lists;
    std::vector<std::vector<std::string>> notes;
    for (std::size_t i = 0; i < plan.sources.size(); ++i) {
        const std::int64_t cases = Dataset(plan.sources[i]).cases();
        notes.push_back(case_notes_of(plan.sources[i], cases));
        const h5::File source = h5::File::open(plan.sources[i]);
        if (i == 0) {
            lists = lists_of(source, cases, plan, report.left_out);
        } else {
            keep_common(lists, h5::File::open(plan.sources[0]), source, cases, report.left_out);
        }
        for (const std::string& link : source.dead_links()) {
            report.dead_links.push_back(source.path() + ": " + link + " " + source.link_problem(link));
        }
    }
    const h5::File first = h5::File::open(plan.sources[0]);
    std::erase_if(lists.by_case, [&](const std::string& path) {
        const bool is_text = path.starts_with("/case/") && !first.read_texts(path).empty();
        if (is_text) {
            lists.texts.push_back(path);
        }
        return is_text;
    });
    h5::File file = h5::File::create(target.path(), target.final_path());
    start_file(file, first, plan, lists);
    std::vector<std::string> copied_notes;
    for (const CasePlace& place : plan.cases) {
        const std::vector<std::string>& of_source = notes[place.source];
        copied_notes.push_back(of_source.empty() ? "" : of_source[static_cast<std::size_t>(place.row)]);
    }
    std::optional<h5::File> source;
    std::size_t opened = plan.sources.size();
    for (std::size_t i = 0; i < plan.cases.size(); ++i) {
        if (plan.cases[i].source != opened) {
            opened = plan.cases[i].source;
            source.emplace(h5::File::open(plan.sources[opened]));
        }
        for (const std::string& array : lists.by_case) {
            file.copy_row(*source, array, plan.cases[i].row, static_cast<std::int64_t>(i));
        }
        if (progress &&
            progress("copying", static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(plan.cases.size()))) {
            return false;
        }
    }
    if (!file.has("/case/" + std::string(data_notes_name))) {
        write_notes(file, copied_notes);
    }
    file.close();
    return true;
}

}  // namespace plumecast
