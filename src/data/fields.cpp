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
    const auto cells = [](const std::vector<double>& edges) { return static_cast<std::int64_t>(edges.size()) - 1; };
    const bool is_radial = content.geometry() == Geometry::radial;
    DatasetExtents extents{0,
                           static_cast<std::int64_t>(content.times.size()),
                           cells(content.z_edges),
                           cells(is_radial ? content.r_edges : content.x_edges),
                           is_radial ? 0 : cells(content.y_edges),
                           content.geometry()};
    const auto rate = content.arrays.find("injection_rate");
    if (rate == content.arrays.end() || rate->second.empty() || extents.times < 1 || extents.space().count() < 1 ||
        extents.rows < 1) {
        throw InvalidInput("a data set needs edges, times and injection_rate (they give its extents); add them");
    }
    extents.cases = static_cast<std::int64_t>(rate->second.size());
    return extents;
}

DatasetExtents extents_of(const Dataset& dataset) {
    const Shape space = dataset.space();
    return {dataset.cases(),   dataset.snapshots(), space[0], space[-1], space.rank() > 2 ? space[1] : 0,
            dataset.geometry()};
}

DatasetExtents extents_of(const BatchSource& channels) {
    const Shape box = channels.extents();
    const bool is_radial = box.rank() == 3;
    return {channels.cases(),
            box[-1],
            box[0],
            box[-2],
            is_radial ? 0 : box[1],
            is_radial ? Geometry::radial : Geometry::cartesian};
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
    const std::map<std::string, const std::vector<double>*> axes = {{"r_edges", &content.r_edges},
                                                                    {"x_edges", &content.x_edges},
                                                                    {"y_edges", &content.y_edges},
                                                                    {"z_edges", &content.z_edges},
                                                                    {"times", &content.times}};
    for (const auto& [name, values] : axes) {
        if (find_array(name, extents.geometry) == nullptr) {
            continue;
        }
        const ArraySpec& spec = *find_array(name);
        create_array(file, spec, extents);
        file.write_rows<double>(spec.path, 0, static_cast<std::int64_t>(values->size()), *values);
    }
    for (const auto& [name, values] : content.arrays) {
        const ArraySpec* spec = find_array(name, extents.geometry);
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
    const DatasetExtents extents = copy_inputs(source);
    times_ = extents.times;
    cells_ = extents.space().count();
    for (const std::string& name : fields) {
        const ArraySpec* spec = find_array(name, extents.geometry);
        if (spec == nullptr || spec->role != Role::output) {
            throw InvalidInput("no output " + name +
                               " in the data set format (known: gas_saturation, "
                               "pressure_buildup); rename the field");
        }
        create_array(*file_, *spec, extents);
    }
}

FieldsWriter::~FieldsWriter() = default;

DatasetExtents FieldsWriter::copy_inputs(const std::string& source) {
    const bool is_dataset = !is_channel_file(source);
    const DatasetExtents extents = is_dataset ? extents_of(Dataset(source)) : extents_of(*channel_file_source(source));
    const h5::File original = h5::File::open(source);
    for (const ArraySpec& spec : dataset_arrays(extents.geometry)) {
        const bool is_grid = spec.role == Role::grid || spec.role == Role::cell;
        if (spec.role == Role::output || !original.has(spec.path) || (!is_dataset && !is_grid)) {
            continue;
        }
        file_->copy_array(original, spec.path);
        annotate_array(*file_, spec);
    }
    return extents;
}

void FieldsWriter::write(std::string_view field, std::span<const std::int64_t> cases, ConstView values,
                         ConstView active) {
    const ArraySpec* spec = find_array(field);
    expects(spec != nullptr && file_->has(spec->path), "a field the writer was made for");
    const auto times = static_cast<std::size_t>(times_);
    const auto cells = static_cast<std::size_t>(cells_);
    expects(static_cast<std::size_t>(values.shape.count()) == cases.size() * cells * times, "values [B, space..., T]");
    expects(static_cast<std::size_t>(active.shape.count()) == cases.size() * cells, "active [B, space...]");
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
