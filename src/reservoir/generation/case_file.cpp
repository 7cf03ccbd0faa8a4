#include "case_file.hpp"

#include <algorithm>
#include <iterator>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/quantities/quantities.hpp"

namespace plumecast {
namespace {

const std::string number_path = "/case/number";
const std::string medium_path = "/case/medium";
const std::string rejected_number_path = "/case/rejected_number";
const std::string rejected_reason_path = "/case/rejected_reason";

template <std::size_t N>
std::vector<std::string> words(const std::array<std::string_view, N>& names) {
    return {names.begin(), names.end()};
}

/// The arrays that every case has values of: outputs, those that every data set has, and those that the frame names.
std::vector<ArraySpec> case_arrays(const DatasetContent& frame) {
    std::vector<ArraySpec> arrays;
    std::ranges::copy_if(dataset_arrays(frame.geometry()), std::back_inserter(arrays), [&](const ArraySpec& spec) {
        const bool is_there = spec.role == Role::schedule
                                  ? !frame.schedule_ends.empty()
                                  : spec.required || frame.arrays.contains(std::string(spec.name())) ||
                                        (spec.role == Role::output && spec.since == 1);
        const bool is_band = !banded_field(spec.name()).empty();  // of predictions
        return spec.role != Role::grid && spec.role != Role::cell && is_there && !is_band;
    });
    return arrays;
}

template <class T>
void create_list(h5::File& file, const std::string& path, std::size_t count, const std::string& long_name) {
    file.create_array<T>(path, h5::Layout{{static_cast<std::int64_t>(count)}, false, std::nullopt});
    file.set_text(path, "units", "1");
    file.set_text(path, "long_name", long_name);
}

template <class T>
void write_list(h5::File& file, const std::string& path, const std::vector<T>& values, const std::string& long_name) {
    create_list<T>(file, path, values.size(), long_name);
    file.write_rows<T>(path, 0, static_cast<std::int64_t>(values.size()), values);
}

/// What all cases have in common of their cells.
void write_cells(h5::File& file, const DatasetContent& frame, const DatasetExtents& extents) {
    for (const ArraySpec& spec : dataset_arrays(frame.geometry())) {
        const auto values = frame.arrays.find(std::string(spec.name()));
        if (spec.role == Role::cell && values != frame.arrays.end()) {
            create_array(file, spec, extents);
            file.write_rows<float>(spec.path, 0, extents.of(spec).front(), values->second);
        }
    }
}

/// Starts a file with grid, times and the arrays of `cases` cases.
h5::File create_file(const std::filesystem::path& path, const DatasetContent& frame, std::int64_t cases,
                     bool has_medium) {
    h5::File file = h5::File::create(path);
    write_header(file, frame.attributes);
    const DatasetExtents extents = extents_of(frame, cases);
    write_axes(file, frame, extents);
    write_cells(file, frame, extents);
    for (const ArraySpec& spec : case_arrays(frame)) {
        create_array(file, spec, extents);
    }
    create_list<std::int64_t>(file, number_path, static_cast<std::size_t>(cases), "number of the case");
    if (has_medium) {
        create_list<std::uint8_t>(file, medium_path, static_cast<std::size_t>(cases),
                                  "family of the permeability field");
        file.set_texts(medium_path, "meanings", words(medium_names));
    }
    return file;
}

/// Numbers of the well at each time, under /case. Injected masses are those asked for where no limit of the pressure in
/// the well makes them less.
std::vector<Quantity> well_series(const DatasetContent& frame) {
    std::vector<Quantity> all = {quantity(QuantityKind::of_case, "bottom_hole_pressure")};
    if (frame.arrays.contains("bottom_hole_pressure_limit")) {
        all.push_back(quantity(QuantityKind::of_case, "injected_mass"));
    }
    return all;
}

std::string path_of(const Quantity& series) { return "/case/" + series.name; }

void create_series(h5::File& file, const Quantity& series, const DatasetContent& frame, std::int64_t cases) {
    file.create_array<float>(path_of(series),
                             {{cases, static_cast<std::int64_t>(frame.times.size())}, false, std::nullopt});
    file.set_text(path_of(series), "units", series.unit);
    file.set_text(path_of(series), "long_name", series.meaning);
}

/// Whether all files have an array: those of earlier releases, and of cases that were not drawn, may lack it.
bool have_all(std::span<const CaseRow> rows, const std::string& path) {
    return !rows.empty() &&
           std::ranges::all_of(rows, [&](const CaseRow& row) { return h5::File::open(row.file).has(path); });
}

/// Copies one case from file to file, without unpacking it.
void copy_case(const h5::File& from, std::int64_t from_row, h5::File& to, std::int64_t row,
               const DatasetContent& frame) {
    for (const ArraySpec& spec : case_arrays(frame)) {
        to.copy_row(from, spec.path, from_row, row);
    }
    to.copy_row(from, number_path, from_row, row);
    if (to.has(medium_path)) {
        to.copy_row(from, medium_path, from_row, row);
    }
}

void write_rejected(h5::File& file, const std::map<std::int64_t, Rejection>& rejected) {
    if (rejected.empty()) {
        return;
    }
    std::vector<std::int64_t> numbers;
    std::vector<std::uint8_t> reasons;
    for (const auto& [number, reason] : rejected) {
        numbers.push_back(number);
        reasons.push_back(static_cast<std::uint8_t>(reason));
    }
    write_list(file, rejected_number_path, numbers, "numbers of cases that were drawn and rejected");
    write_list(file, rejected_reason_path, reasons, "why they were rejected");
    file.set_texts(rejected_reason_path, "meanings", words(rejection_names));
}

}  // namespace

void write_case_file(const std::filesystem::path& path, const DatasetContent& frame, const FinishedCase& finished) {
    h5::File file = create_file(path, frame, 1, finished.medium.has_value());
    for (const ArraySpec& spec : case_arrays(frame)) {
        const auto& values = finished.arrays.at(std::string(spec.name()));
        expects(static_cast<std::int64_t>(values.size()) == extents_of(frame, 1).values_per_case(spec),
                "arrays of one case");
        file.write_rows<float>(spec.path, 0, 1, values);
    }
    for (const Quantity& series : well_series(frame)) {
        if (const auto found = finished.arrays.find(series.name); found != finished.arrays.end()) {
            create_series(file, series, frame, 1);
            file.write_rows<float>(path_of(series), 0, 1, found->second);
        }
    }
    file.write_rows<std::int64_t>(number_path, 0, 1, std::span<const std::int64_t>(&finished.number, 1));
    if (finished.medium) {
        const auto medium = static_cast<std::uint8_t>(*finished.medium);
        file.write_rows<std::uint8_t>(medium_path, 0, 1, std::span<const std::uint8_t>(&medium, 1));
    }
    file.close();
}

void join_case_files(const std::filesystem::path& path, const DatasetContent& frame, const CaseList& list,
                     std::span<const CaseRow> rows, const CaseTexts& texts) {
    const auto cases = static_cast<std::int64_t>(rows.size());
    h5::File file = create_file(path, frame, cases, have_all(rows, medium_path));
    std::vector<Quantity> kept = well_series(frame);
    std::erase_if(kept, [&](const Quantity& series) { return !have_all(rows, path_of(series)); });
    for (const Quantity& series : kept) {
        create_series(file, series, frame, cases);
    }
    for (std::int64_t row = 0; row < cases; ++row) {
        const CaseRow& source = rows[static_cast<std::size_t>(row)];
        const h5::File from = h5::File::open(source.file);
        copy_case(from, source.row, file, row, frame);
        for (const Quantity& series : kept) {
            file.copy_row(from, path_of(series), source.row, row);
        }
    }
    write_rejected(file, list.rejected);
    CaseTexts kept_texts;
    for (const auto& [array, of_all] : texts) {
        for (const std::int64_t number : list.finished) {
            kept_texts[array].push_back(of_all.at(static_cast<std::size_t>(number)));
        }
    }
    write_case_texts(file, kept_texts);
    file.close();
}

CaseList read_case_list(const h5::File& file) {
    CaseList list;
    list.finished = file.read<std::int64_t>(number_path);
    if (!file.has(rejected_number_path)) {
        return list;
    }
    const auto numbers = file.read<std::int64_t>(rejected_number_path);
    const auto reasons = file.read<std::uint8_t>(rejected_reason_path);
    for (std::size_t i = 0; i < numbers.size() && i < reasons.size(); ++i) {
        if (reasons[i] < rejection_names.size()) {
            list.rejected[numbers[i]] = static_cast<Rejection>(reasons[i]);
        }
    }
    return list;
}

}  // namespace plumecast
