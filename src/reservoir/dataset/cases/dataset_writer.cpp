#include "reservoir/dataset/cases/dataset_writer.hpp"

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/cases/copied_notes.hpp"

namespace plumecast {

DatasetWriter::DatasetWriter(const std::string& path, const DatasetContent& frame, std::int64_t cases,
                             const std::vector<std::string>& arrays)
    : target_(path, AtomicFile::Newcomer::kept),
      file_(h5::File::create(target_.path(), path)),
      extents_(extents_of(frame, cases)),
      arrays_(arrays) {
    write_header(file_, frame.attributes);
    write_axes(file_, frame, extents_);
    for (const auto& [name, values] : frame.arrays) {
        const ArraySpec* spec = find_array(name, extents_.geometry);
        expects(spec != nullptr && spec->role == Role::cell, "arrays of cells in a frame");
        create_array(file_, *spec, extents_);
        file_.write_rows<float>(spec->path, 0, extents_.of(*spec)[0], values);
    }
    for (const std::string& name : arrays_) {
        const ArraySpec* spec = find_array(name, extents_.geometry);
        expects(spec != nullptr && spec->axes[0] == Axis::cases, "an input or output of the format");
        create_array(file_, *spec, extents_);
    }
}

void DatasetWriter::write(std::int64_t which, const std::map<std::string, std::vector<float>>& arrays) {
    for (const std::string& name : arrays_) {
        const ArraySpec& spec = *find_array(name, extents_.geometry);
        const auto found = arrays.find(name);
        const std::int64_t count = extents_.values_per_case(spec);
        if (found == arrays.end() || static_cast<std::int64_t>(found->second.size()) != count) {
            throw InvalidInput("case " + std::to_string(which) + ": " + name + " is missing or has not " +
                               std::to_string(count) + " values (all cases hold the same arrays); complete it");
        }
        file_.write_rows<float>(spec.path, which, 1, found->second);
    }
}

void DatasetWriter::describe_cases(const std::string& name, const std::vector<std::string>& texts) {
    file_.write_texts("/case/" + name, texts);
    file_.set_text("/case/" + name, "units", "1");
    file_.set_text("/case/" + name, "long_name", name);
}

void DatasetWriter::note_cases(const std::vector<std::string>& texts) { write_notes(file_, texts); }

void DatasetWriter::write_series(const std::string& name, const std::string& unit, const std::string& long_name,
                                 const std::vector<std::vector<float>>& of_cases) {
    const std::string array = "/case/" + name;
    file_.create_array<float>(array, {{extents_.cases, extents_.times}, false, std::nullopt});
    file_.set_text(array, "units", unit);
    file_.set_text(array, "long_name", long_name);
    for (std::size_t which = 0; which < of_cases.size(); ++which) {
        expects(static_cast<std::int64_t>(of_cases[which].size()) == extents_.times, "a number per time");
        file_.write_rows<float>(array, static_cast<std::int64_t>(which), 1, of_cases[which]);
    }
}

void DatasetWriter::commit() {
    file_.close();
    target_.commit();
}

}  // namespace plumecast
