#include "reservoir/import/generic_import.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "io/atomic_file.hpp"
#include "io/text_file.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"
#include "reservoir/h5/file.hpp"
#include "reservoir/import/arrays/array_entry.hpp"

namespace plumecast {
namespace {

/// "zyx" of "z,y,x".
std::string letters_of(const std::string& axes) {
    std::string letters;
    std::ranges::copy_if(axes, std::back_inserter(letters), [](char c) { return c != ','; });
    return letters;
}

/// The letters that an input has: those of its entry without the axes of one entry, in the order of the format.
std::string letters_of_input(const ArrayEntry& entry, const std::string& space, bool has_times) {
    std::string letters;
    for (const char letter : "n" + std::string(has_times ? "t" : "") + space) {
        const auto taken = entry.entries.find(letter);
        const bool is_single = taken != entry.entries.end() && taken->second.is_single;
        if (entry.axes.find(letter) != std::string::npos && !is_single) {
            letters += letter;
        }
    }
    const bool has_space = letters.find_first_of(space) != std::string::npos;
    return has_space ? (letters.find('t') == std::string::npos ? "n" + space : "nt" + space) : letters;
}

void require_cases(const ArrayEntry& entry, const std::string& letters) {
    if (letters.find('n') == std::string::npos) {
        throw InvalidInput(
            entry.where + ": axes \"" + entry.axes +
            "\" leave no axis of cases (each case has a value of its own); name that axis n, and take all "
            "its entries");
    }
}

/// Marks of a mask as they are stored. Throws InvalidData for what is neither 0 nor 1.
std::vector<std::uint8_t> marks_of(const NumberArray& array, const std::string& path) {
    const auto is_other = [](float value) { return value != 0.0F && value != 1.0F; };
    if (const auto bad = std::ranges::find_if(array.values, is_other); bad != array.values.end()) {
        throw InvalidData(fmt::format("{}: entry {} is {} (a mask holds 1 where a point counts, else 0); correct it",
                                      path, bad - array.values.begin(), *bad));
    }
    return {array.values.begin(), array.values.end()};
}

class GenericImport {
   public:
    explicit GenericImport(const ImportOptions& options)
        : options_(options),
          json_(Json::parse(read_text(options.map), options.map)),
          map_(json_, options.map),
          target_(options.output, AtomicFile::Newcomer::kept),
          file_(h5::File::create(target_.path(), options.output)) {}
    ImportReport run();

   private:
    void write_texts();
    void write_grid();
    void write_group(const char* group);
    void write(const ArraySpec& spec, const NumberArray& array);
    std::vector<double> points(JsonReader& grid, const std::string& name, char letter) const;

    const ImportOptions& options_;
    Json json_;
    JsonReader map_;
    AtomicFile target_;
    h5::File file_;
    std::string axes_, space_;  // "y,x", "yx"
    bool has_times_ = false;
    std::int64_t done_ = 0;
};

void GenericImport::write_texts() {
    const std::string program = "plumecast " + std::string(version());
    write_header(file_, {{"title", options_.title.empty() ? "imported arrays" : options_.title},
                         {"source", "arrays read by " + program},
                         {"history", program + " import"},
                         {geometry_attribute, std::string(generic_geometry)},
                         {axes_attribute, axes_}});
}

/// Points along an axis: a list of numbers, or an array of one axis.
std::vector<double> GenericImport::points(JsonReader& grid, const std::string& name, char letter) const {
    if (grid.raw(name).get_if<Json::Array>() != nullptr) {
        return grid.get<std::vector<double>>(name);
    }
    return arranged_points(read_entry(grid.object(name), options_.map + ": grid." + name, options_.sources), letter);
}

void GenericImport::write_grid() {
    if (!map_.has("grid")) {
        return;
    }
    JsonReader grid = map_.object("grid");
    for (const std::string& name : grid.keys()) {
        if (name.size() != 1 || space_.find(name) == std::string::npos) {
            if (name != "times") {
                throw InvalidInput(grid.path(name) + ": no axis of that name (axes is \"" + axes_ +
                                   "\"); name one of its letters, or times");
            }
        }
        const bool is_times = name == "times";
        const std::vector<double> values = points(grid, name, is_times ? 't' : name[0]);
        const std::string path = "/grid/" + name;
        file_.create_array<double>(path, {{static_cast<std::int64_t>(values.size())}, false, std::nullopt});
        file_.write_rows<double>(path, 0, static_cast<std::int64_t>(values.size()), values);
        const Json& stated = grid.raw(name);
        const Json* unit = stated.find("unit");
        const auto* text = unit == nullptr ? nullptr : unit->get_if<std::string>();
        file_.set_text(path, "units", text == nullptr ? "1" : *text);
        file_.set_text(path, "long_name", is_times ? "time" : "coordinate of the points");
        has_times_ = has_times_ || is_times;
    }
}

void GenericImport::write(const ArraySpec& spec, const NumberArray& array) {
    h5::Layout layout{array.extents, spec.axes.size() > 1, std::nullopt};
    if (spec.storage == Storage::uint8) {
        const std::vector<std::uint8_t> marks = marks_of(array, spec.path);
        file_.create_array<std::uint8_t>(spec.path, layout);
        file_.write_rows<std::uint8_t>(spec.path, 0, array.extents[0], marks);
    } else {
        file_.create_array<float>(spec.path, layout);
        file_.write_rows<float>(spec.path, 0, array.extents[0], array.values);
    }
    annotate_array(file_, spec);
}

void GenericImport::write_group(const char* group) {
    if (!map_.has(group)) {
        return;
    }
    JsonReader entries = map_.object(group);
    for (const std::string& name : entries.keys()) {
        if (name.find('/') != std::string::npos || name.empty()) {
            throw InvalidInput(entries.path(name) + ": an array's name has no '/'; give it another");
        }
        const ArrayEntry entry = read_entry(entries.object(name), entries.path(name), options_.sources);
        const std::string path = "/" + std::string(group) + "/" + name;
        ArraySpec spec = generic_output(name, entry.unit, {}, false);
        spec.path = path;
        std::string letters = "n" + std::string(has_times_ ? "t" : "") + space_;
        if (std::string_view(group) == "inputs") {
            letters = letters_of_input(entry, space_, has_times_);
            require_cases(entry, letters);
            spec.long_name = "input";
        }
        if (path == find_array("active", Geometry::generic)->path) {
            spec = *find_array("active", Geometry::generic);
        }
        const NumberArray array = arranged_array(entry, letters);
        spec.axes.clear();
        for (const char letter : letters) {
            spec.axes.push_back(letter == 'n'   ? Axis::cases
                                : letter == 't' ? Axis::times
                                : letter == 'z' ? Axis::z
                                : letter == 'y' ? Axis::y
                                                : Axis::x);
        }
        write(spec, array);
        if (letters == "nt" && space_.size() == 1) {
            file_.set_text(path, axes_attribute, "N,T");
        }
        ++done_;
        if (options_.progress) {
            options_.progress("writing arrays", done_, done_);
        }
    }
}

ImportReport GenericImport::run() {
    map_.get<std::string>("geometry");
    axes_ = map_.get<std::string>("axes");
    if (axes_ != "x" && axes_ != "y,x" && axes_ != "z,y,x") {
        throw InvalidInput(map_.path("axes") + " is \"" + axes_ +
                           "\" (it names the axes of space, slowest first); use \"x\", \"y,x\" or \"z,y,x\"");
    }
    space_ = letters_of(axes_);
    write_texts();
    write_grid();
    write_group("inputs");
    write_group("outputs");
    map_.reject_unknown();
    file_.close();
    const Dataset written(target_.path(), options_.output);
    const Shape space = written.space();
    ImportReport report;
    report.cases = written.cases();
    report.rows = space[0];
    report.lines = space.rank() == 3 ? space[1] : 0;
    report.columns = space[-1];
    report.snapshots = written.snapshots();
    report.has_outputs = written.has_outputs();
    target_.commit();
    return report;
}

}  // namespace

bool is_generic_map(const std::string& map) {
    const Json json = Json::parse(read_text(map), map);
    const Json* geometry = json.is_object() ? json.find("geometry") : nullptr;
    const auto* text = geometry == nullptr ? nullptr : geometry->get_if<std::string>();
    if (geometry != nullptr && (text == nullptr || *text != generic_geometry)) {
        throw InvalidInput(map + ": geometry is " + geometry->dump(-1) +
                           " (maps of reservoirs have none, others \"generic\"); correct it or leave it out");
    }
    return geometry != nullptr;
}

ImportReport import_generic(const ImportOptions& options) {
    const auto* set = options.set.get_if<Json::Object>();
    if (!options.like.empty() || !options.values.empty() || (set != nullptr && !set->empty())) {
        throw InvalidInput(options.map +
                           ": values and the grid of another data set are for reservoirs (a map of generic data says "
                           "all); leave them out");
    }
    return GenericImport(options).run();
}

}  // namespace plumecast
