#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>
#include <plumecast/data/batch.hpp>
#include <plumecast/data/dataset.hpp>
#include <plumecast/data/fields.hpp>
#include <plumecast/data/schema.hpp>

#include "data/h5/file.hpp"
#include "dataset_layout.hpp"

namespace plumecast {
namespace {

DatasetExtents extents_of(const DatasetContent& content) {
    DatasetExtents extents{0, static_cast<std::int64_t>(content.times.size()),
                           static_cast<std::int64_t>(content.z_edges.size()) - 1,
                           static_cast<std::int64_t>(content.r_edges.size()) - 1};
    const auto rate = content.arrays.find("injection_rate");
    if (rate == content.arrays.end() || rate->second.empty() || extents.times < 1 || extents.rows < 1 ||
        extents.columns < 1) {
        throw InvalidInput("a data set needs edges, times and injection_rate (they give its extents); add them");
    }
    extents.cases = static_cast<std::int64_t>(rate->second.size());
    return extents;
}

void write_values(h5::File& file, const ArraySpec& spec, const std::vector<std::int64_t>& extents,
                  const std::vector<float>& values) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
        count *= extent;
    }
    if (static_cast<std::int64_t>(values.size()) != count) {
        throw InvalidInput(std::string(spec.name()) + " has " + std::to_string(values.size()) +
                           " values (grid and cases want " + std::to_string(count) + "); complete it");
    }
    file.write_rows<float>(spec.path, 0, extents[0], values);
}

}  // namespace

void write_dataset(const std::string& path, const DatasetContent& content) {
    const DatasetExtents extents = extents_of(content);
    AtomicFile target(path);
    h5::File file = h5::File::create(target.path());
    write_header(file, content.attributes);
    const std::map<std::string, const std::vector<double>*> axes = {
        {"r_edges", &content.r_edges}, {"z_edges", &content.z_edges}, {"times", &content.times}};
    for (const auto& [name, values] : axes) {
        const ArraySpec& spec = *find_array(name);
        create_array(file, spec, extents);
        file.write_rows<double>(spec.path, 0, static_cast<std::int64_t>(values->size()), *values);
    }
    for (const auto& [name, values] : content.arrays) {
        const ArraySpec* spec = find_array(name);
        if (spec == nullptr || spec->role == Role::grid) {
            throw InvalidInput("no array " + name +
                               " in the data set format (only its inputs and outputs are "
                               "written); rename it");
        }
        create_array(file, *spec, extents);
        write_values(file, *spec, extents.of(*spec), values);
    }
    file.close();
    target.commit();
}

FieldsWriter::FieldsWriter(const std::string& path, const std::string& source, const std::vector<std::string>& fields,
                           const FileAttributes& attributes)
    : target_(path), file_(std::make_unique<h5::File>(h5::File::create(target_.path()))) {
    write_header(*file_, attributes);
    copy_inputs(source);
    const DatasetExtents extents{extents_[0], extents_[1], extents_[2], extents_[3]};
    for (const std::string& name : fields) {
        const ArraySpec* spec = find_array(name);
        if (spec == nullptr || spec->role != Role::output) {
            throw InvalidInput("no output " + name +
                               " in the data set format (known: gas_saturation, "
                               "pressure_buildup); rename the field");
        }
        create_array(*file_, *spec, extents);
    }
}

FieldsWriter::~FieldsWriter() = default;

void FieldsWriter::copy_inputs(const std::string& source) {
    const bool is_dataset = !is_channel_file(source);
    if (is_dataset) {
        const Dataset dataset(source);
        extents_ = {dataset.cases(), dataset.snapshots(), dataset.rows(), dataset.columns()};
    } else {
        const auto channels = channel_file_source(source);
        const Shape box = channels->extents();
        extents_ = {channels->cases(), box[2], box[0], box[1]};
    }
    const h5::File original = h5::File::open(source);
    for (const ArraySpec& spec : dataset_arrays()) {
        if (spec.role == Role::output || !original.has(spec.path) || (!is_dataset && spec.role != Role::grid)) {
            continue;
        }
        file_->copy_array(original, spec.path);
        annotate_array(*file_, spec);
    }
}

void FieldsWriter::write(std::string_view field, std::span<const std::int64_t> cases, ConstView values,
                         ConstView active) {
    const ArraySpec* spec = find_array(field);
    expects(spec != nullptr && file_->has(spec->path), "a field the writer was made for");
    const auto times = static_cast<std::size_t>(extents_[1]);
    const auto cells = static_cast<std::size_t>(extents_[2] * extents_[3]);
    expects(static_cast<std::size_t>(values.shape.count()) == cases.size() * cells * times, "values [B, Z, R, T]");
    expects(static_cast<std::size_t>(active.shape.count()) == cases.size() * cells, "active [B, Z, R]");
    const float* from = values.as<float>();
    const float* mask = active.as<float>();
    std::vector<float> one(cells * times);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::size_t row = i * cells + cell;
            for (std::size_t t = 0; t < times; ++t) {
                one[t * cells + cell] =
                    mask[row] != 0.0F ? from[row * times + t] : std::numeric_limits<float>::quiet_NaN();
            }
        }
        file_->write_rows<float>(spec->path, cases[i], 1, one);
    }
}

void FieldsWriter::commit() {
    file_->close();
    target_.commit();
}

}  // namespace plumecast
