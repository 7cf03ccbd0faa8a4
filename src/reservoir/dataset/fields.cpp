#include <algorithm>
#include <cmath>
#include <limits>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "dataset_layout.hpp"
#include "io/atomic_file.hpp"
#include "reservoir/dataset/cases/copied_notes.hpp"
#include "reservoir/dataset/cases/texts_of_cases.hpp"
#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/dataset/store/file_store.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/h5/packing.hpp"

namespace plumecast {
namespace {

DatasetExtents extents_of(const Dataset& dataset) {
    const Shape space = dataset.space();
    const auto periods = static_cast<std::int64_t>(dataset.schedule_ends().size());
    const auto rates = static_cast<std::int64_t>(dataset.schedule_rates().size());
    return {dataset.cases(),
            dataset.snapshots(),
            space[0],
            space[-1],
            space.rank() > 2 ? space[1] : 0,
            dataset.geometry(),
            periods > 0 ? rates / (periods * dataset.cases()) : 1,
            periods,
            static_cast<std::int64_t>(dataset.cell_values("connection_first").size())};
}

DatasetExtents extents_of_channels(const Shape& channels) {
    const bool is_radial = channels.rank() == 5;
    return {channels[0],
            channels[-2],
            channels[1],
            channels[-3],
            is_radial ? 0 : channels[2],
            is_radial ? Geometry::radial : Geometry::cartesian};
}

std::vector<ArraySpec> arrays_of_kind(Geometry geometry) {
    const std::span<const ArraySpec> arrays = dataset_arrays(geometry);
    return {arrays.begin(), arrays.end()};
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

std::vector<ArraySpec> specs_of(const std::vector<std::string>& fields, Geometry geometry) {
    std::vector<ArraySpec> specs;
    for (const std::string& name : fields) {
        const ArraySpec* spec = find_array(name, geometry);
        if (spec == nullptr || spec->role != Role::output) {
            throw InvalidInput("no output " + name +
                               " in the data set format (known: gas_saturation, "
                               "pressure_buildup, dissolved_co2); rename the field");
        }
        specs.push_back(*spec);
    }
    return specs;
}

/// Fields of any name on the points of a generic data set, in the units given, else in those of its own outputs.
std::vector<ArraySpec> generic_specs_of(const std::vector<std::string>& fields, const Dataset& source,
                                        std::map<std::string, std::string> units) {
    for (const std::string& output : source.outputs()) {
        units.emplace(output, source.find(output)->unit);
    }
    const auto mapped = std::ranges::find_if(source.arrays(), [](const ArraySpec& spec) {
        return spec.axes.front() == Axis::cases && spec.axes.back() == Axis::x;
    });
    std::vector<Axis> space = mapped->axes;
    std::erase_if(space, [](Axis axis) { return axis == Axis::cases || axis == Axis::times; });
    std::vector<ArraySpec> specs;
    for (const std::string& name : fields) {
        const auto unit = units.find(name);
        specs.push_back(
            generic_output(name, unit == units.end() ? "1" : unit->second, space, source.find("times") != nullptr));
    }
    return specs;
}

/// Coordinates and times of generic data where they are stated, and what says that the data are generic.
void write_points(h5::File& file, const Dataset& source, const DatasetExtents& extents) {
    for (const char* name : {geometry_attribute, axes_attribute}) {
        file.set_text("/", name, source.attribute(name));
    }
    for (const ArraySpec& spec : source.arrays()) {
        if (spec.role == Role::grid) {
            const int last = source.space().rank() - 1;
            const Axis axis = spec.axes.front();
            const std::vector<double> values = axis == Axis::times ? source.times()
                                               : axis == Axis::x   ? source.coordinates(last)
                                               : axis == Axis::y   ? source.coordinates(last - 1)
                                                                   : source.coordinates(0);
            create_array(file, spec, extents);
            file.write_rows<double>(spec.path, 0, static_cast<std::int64_t>(values.size()), values);
        }
    }
}

/// Grid and times of reservoirs.
void write_grid(h5::File& file, const Dataset& source, const DatasetExtents& extents) {
    const DatasetContent axes{{}, source.r_edges(), source.z_edges(), source.times(),
                              {}, source.x_edges(), source.y_edges(), source.schedule_ends()};
    write_axes(file, axes, extents);
}

}  // namespace

void write_dataset(const std::string& path, const DatasetContent& content) {
    const DatasetExtents extents = extents_of(content, cases_of(content));
    AtomicFile target(path);
    h5::File file = h5::File::create(target.path(), path);
    write_header(file, content.attributes);
    write_axes(file, content, extents);
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
    for (const auto& [array, texts] : content.texts) {
        expects(static_cast<std::int64_t>(texts.size()) == extents.cases, "a text of each case");
    }
    write_case_texts(file, content.texts);
    file.close();
    target.commit();
}

FieldsWriter::FieldsWriter(const std::string& path, const std::string& source, const std::vector<std::string>& fields,
                           const FileAttributes& attributes)
    : target_(std::make_unique<AtomicFile>(path, AtomicFile::Newcomer::kept)),
      file_(std::make_unique<h5::File>(h5::File::create(target_->path(), path))) {
    write_header(*file_, attributes);
    const DatasetExtents extents = copy_inputs(source);
    create_fields(specs_of(fields, extents.geometry), extents);
}

FieldsWriter::FieldsWriter(const std::string& path, const Dataset& source, const std::vector<std::string>& fields,
                           const FileAttributes& attributes, const std::map<std::string, std::string>& units)
    : target_(std::make_unique<AtomicFile>(path, AtomicFile::Newcomer::kept)),
      file_(std::make_unique<h5::File>(h5::File::create(target_->path(), path))) {
    write_header(*file_, attributes);
    const DatasetExtents extents = source.is_file() ? copy_inputs(source.path()) : write_inputs(source);
    const bool is_generic = source.geometry() == Geometry::generic;
    create_fields(is_generic ? generic_specs_of(fields, source, units) : specs_of(fields, extents.geometry), extents);
}

void FieldsWriter::create_fields(const std::vector<ArraySpec>& fields, const DatasetExtents& extents) {
    times_ = extents.times;
    cells_ = extents.space().count();
    for (const ArraySpec& spec : fields) {
        create_array(*file_, spec, extents);
        paths_.emplace(spec.name(), spec.path);
    }
}

FieldsWriter::~FieldsWriter() = default;

DatasetExtents FieldsWriter::copy_inputs(const std::string& source) {
    const bool is_dataset = !is_channel_file(source);
    const DatasetExtents extents =
        is_dataset ? extents_of(Dataset(source)) : extents_of_channels(channel_shape(source));
    const h5::File original = h5::File::open(source);
    for (const ArraySpec& spec : is_dataset ? arrays_of(FileStore(original)) : arrays_of_kind(extents.geometry)) {
        const bool is_grid = spec.role == Role::grid || spec.role == Role::cell;
        if (spec.role == Role::output || !original.has(spec.path) || (!is_dataset && !is_grid)) {
            continue;
        }
        file_->copy_array(original, spec.path);
        annotate_array(*file_, spec, is_dataset ? original.text(spec.path, "units").value_or("") : spec.unit);
        if (const auto axes = original.text(spec.path, axes_attribute); axes && spec.role == Role::series) {
            file_->set_text(spec.path, axes_attribute, *axes);
        }
    }
    for (const char* name : {geometry_attribute, axes_attribute}) {
        if (const auto text = original.text("/", name); text && extents.geometry == Geometry::generic) {
            file_->set_text("/", name, *text);
        }
    }
    if (is_dataset) {
        copy_rock_fluid(original, *file_);
        write_notes(*file_, case_notes_of(source, extents.cases));
        copy_run_texts(source, *file_);
    }
    if (extents.geometry == Geometry::cartesian) {
        copy_place(original, *file_);
    }
    copy_depth(original, *file_);
    return extents;
}

DatasetExtents FieldsWriter::write_inputs(const Dataset& source) {
    const DatasetExtents extents = extents_of(source);
    extents.geometry == Geometry::generic ? write_points(*file_, source, extents) : write_grid(*file_, source, extents);
    for (const ArraySpec& spec : source.arrays()) {
        if (spec.role == Role::grid || spec.role == Role::output || !source.has(spec.name())) {
            continue;
        }
        create_array(*file_, spec, extents);
        if (spec.role == Role::map || spec.role == Role::series || spec.role == Role::varying) {
            std::vector<float> values(static_cast<std::size_t>(extents.values_per_case(spec)));
            for (std::int64_t which = 0; which < extents.cases; ++which) {
                spec.role == Role::map ? source.read_map(spec.name(), {&which, 1}, values)
                                       : source.read_varying(spec.name(), {&which, 1}, values);
                file_->write_rows<float>(spec.path, which, 1, values);
            }
        } else if (spec.role == Role::schedule) {
            file_->write_rows<float>(spec.path, 0, extents.cases, source.schedule_rates());
        } else if (spec.role == Role::connection) {
            for (std::int64_t which = 0; which < extents.cases; ++which) {
                file_->write_rows<float>(spec.path, which, 1, source.connection_transmissibilities(which));
            }
        } else {
            const std::vector<float>& values =
                spec.role == Role::cell ? source.cell_values(spec.name()) : source.scalar(spec.name());
            file_->write_rows<float>(spec.path, 0, extents.of(spec)[0], values);
        }
    }
    for (const auto& [name, text] : attributes_of(rock_fluid_of(source))) {
        if (source.stated(name)) {
            file_->set_text("/", name, text);
        }
    }
    FileAttributes place = attributes_of(source.place());
    place.merge(attributes_of(source.top_depth(), source.well_radius()));
    for (const auto& [name, text] : place) {
        file_->set_text("/", name, text);
    }
    return extents;
}

void FieldsWriter::write(std::string_view field, std::span<const std::int64_t> cases, ConstView values,
                         ConstView active) {
    const auto cells = static_cast<std::size_t>(cells_);
    const std::size_t rows = cells * static_cast<std::size_t>(times_);
    expects(static_cast<std::size_t>(values.shape.count()) == cases.size() * rows, "values [B, space..., T]");
    expects(static_cast<std::size_t>(active.shape.count()) == cases.size() * cells, "active [B, space...]");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        store(field, cases[i], pack({values.as<float>() + i * rows, rows}, {active.as<float>() + i * cells, cells}));
    }
}

std::vector<std::byte> FieldsWriter::pack(std::span<const float> values, std::span<const float> active) const {
    constexpr std::size_t block = 64;  // of cells: both sides of the transposition stay in the cache
    const auto times = static_cast<std::size_t>(times_);
    const auto cells = static_cast<std::size_t>(cells_);
    expects(values.size() == cells * times && active.size() == cells, "values [space..., T], active [space...]");
    std::vector<float> stored(values.size());
    for (std::size_t begin = 0; begin < cells; begin += block) {
        const std::size_t end = std::min(begin + block, cells);
        for (std::size_t t = 0; t < times; ++t) {
            for (std::size_t cell = begin; cell < end; ++cell) {
                stored[t * cells + cell] =
                    active[cell] != 0.0F ? values[cell * times + t] : std::numeric_limits<float>::quiet_NaN();
            }
        }
    }
    return h5::packed(stored);
}

void FieldsWriter::store(std::string_view field, std::int64_t which, std::span<const std::byte> packed) {
    const auto path = paths_.find(field);
    expects(path != paths_.end(), "a field the writer was made for");
    file_->write_packed(path->second, which, packed);
}

void FieldsWriter::write_per_case(const std::string& name, const std::string& long_name,
                                  std::span<const float> values) {
    write_case_values(name, "1", long_name, values, static_cast<std::int64_t>(values.size()));
}

void FieldsWriter::write_case_values(const std::string& name, const std::string& unit, const std::string& long_name,
                                     std::span<const float> values, std::int64_t cases) {
    const std::string array = "/case/" + name;
    const auto count = static_cast<std::int64_t>(values.size());
    expects(count == cases || count == cases * times_, "values [N] or [N, T]");
    std::vector<std::int64_t> extents = {cases};
    if (count != cases) {
        extents.push_back(times_);
    }
    file_->create_array<float>(array, {extents, false, std::nullopt});
    file_->set_text(array, "units", unit);
    file_->set_text(array, "long_name", long_name);
    file_->write_rows<float>(array, 0, cases, values);
}

std::vector<float> FieldsWriter::case_values(const std::string& name) const {
    const std::string array = "/case/" + name;
    return file_->has(array) ? file_->read<float>(array) : std::vector<float>{};
}

void FieldsWriter::write_case_labels(const std::string& name, const std::string& long_name,
                                     std::span<const std::uint8_t> labels, const std::vector<std::string>& meanings) {
    const std::string array = "/case/" + name;
    const auto cases = static_cast<std::int64_t>(labels.size());
    file_->create_array<std::uint8_t>(array, {{cases}, false, std::nullopt});
    file_->set_text(array, "long_name", long_name);
    file_->set_texts(array, "meanings", meanings);
    file_->write_rows<std::uint8_t>(array, 0, cases, labels);
}

void FieldsWriter::write_case_texts(const std::string& name, const std::string& long_name,
                                    const std::vector<std::string>& texts) {
    file_->write_texts("/case/" + name, texts);
    file_->set_text("/case/" + name, "long_name", long_name);
}

void FieldsWriter::set_attribute(const std::string& name, const std::string& value) {
    file_->set_text("/", name, value);
}

std::vector<float> FieldsWriter::read(std::string_view field, std::int64_t which) const {
    const auto path = paths_.find(field);
    if (path == paths_.end()) {
        return {};
    }
    std::vector<float> values(static_cast<std::size_t>(times_ * cells_));
    file_->read_rows<float>(path->second, which, 1, values);
    return values;
}

void FieldsWriter::commit() {
    file_->close();
    target_->commit();
}

void write_dataset(const std::string& path, const Dataset& source) {
    FileAttributes attributes;
    for (const char* name : {"title", "source", "history"}) {
        if (std::string text = source.attribute(name); !text.empty()) {
            attributes[name] = std::move(text);
        }
    }
    FieldsWriter writer(path, source, source.outputs(), attributes);
    const Shape space = source.space();
    const auto cells = static_cast<std::size_t>(source.cells()), times = static_cast<std::size_t>(source.snapshots());
    Tensor values(host_memory(), space.append(source.snapshots()), DType::float32);
    Tensor active(host_memory(), space, DType::float32);
    std::vector<float> stored(cells * times);
    for (std::int64_t which = 0; which < source.cases(); ++which) {
        source.read_map("active", {&which, 1}, active.values<float>());
        for (const std::string& output : source.outputs()) {
            source.read_output(output, {&which, 1}, stored);
            for (std::size_t i = 0; i < stored.size(); ++i) {
                values.values<float>()[i % cells * times + i / cells] = stored[i];
            }
            writer.write(output, {&which, 1}, values, active);
        }
    }
    writer.commit();
}

}  // namespace plumecast
