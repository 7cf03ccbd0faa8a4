#include "reservoir/regridding/regridded_dataset.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/schema.hpp>

#include "io/folders.hpp"
#include "reservoir/dataset/place_attributes.hpp"
#include "reservoir/dataset/rock_fluid.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/regridding/box_average.hpp"
#include "reservoir/regridding/rock_average.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

using FailedCase = std::function<void(std::int64_t, const std::string&)>;

/// A folder among the temporary files, removed at the end; what is open in it lives on until it is closed.
class TemporaryFolder {
   public:
    TemporaryFolder() {
        std::error_code failed;
        std::string name = (fs::temp_directory_path(failed) / "plumecast-XXXXXX").string();
        if (failed) {
            throw IoError("no folder for temporary files (" + failed.message() +
                          "; it is needed for cases on the model's grid); set TMPDIR to a folder that can be written");
        }
        if (::mkdtemp(name.data()) == nullptr) {
            throw IoError(name +
                          ": cannot be created (it is needed for cases on the model's grid); set TMPDIR to a "
                          "folder that can be written");
        }
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        remove_tree(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

   private:
    fs::path path_;
};

std::vector<double> map_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, {&which, 1}, values);
    return {values.begin(), values.end()};
}

std::vector<char> active_of(const Dataset& dataset, std::int64_t which) {
    const std::vector<double> map = map_of(dataset, "active", which);
    std::vector<char> active(map.size());
    std::ranges::transform(map, active.begin(), [](double value) { return value != 0.0 ? 1 : 0; });
    return active;
}

RockMaps rock_of(const Dataset& dataset, std::int64_t which) {
    return {map_of(dataset, "permeability_r", which), map_of(dataset, "permeability_z", which),
            map_of(dataset, "porosity", which), map_of(dataset, "perforation", which), active_of(dataset, which)};
}

template <class Values>
void append(std::vector<float>& all, const Values& values) {
    for (const auto value : values) {
        all.push_back(static_cast<float>(value));
    }
}

BoxMaps box_maps_of(const Dataset& dataset, std::int64_t which) {
    return {map_of(dataset, "permeability_x", which),
            map_of(dataset, "permeability_y", which),
            map_of(dataset, "permeability_z", which),
            map_of(dataset, "porosity", which),
            map_of(dataset, "perforation", which),
            map_of(dataset, "cell_injection_rate", which),
            active_of(dataset, which)};
}

void append_box(DatasetContent& content, const BoxMaps& maps) {
    append(content.arrays["permeability_x"], maps.permeability_x);
    append(content.arrays["permeability_y"], maps.permeability_y);
    append(content.arrays["permeability_z"], maps.permeability_z);
    append(content.arrays["porosity"], maps.porosity);
    append(content.arrays["perforation"], maps.perforation);
    append(content.arrays["cell_injection_rate"], maps.injection_rate);
    append(content.arrays["active"], maps.active);
}

void append_rock(DatasetContent& content, const RockMaps& rock) {
    append(content.arrays["permeability_r"], rock.permeability_r);
    append(content.arrays["permeability_z"], rock.permeability_z);
    append(content.arrays["porosity"], rock.porosity);
    append(content.arrays["perforation"], rock.perforation);
    append(content.arrays["active"], rock.active);
}

/// Throws where a well is open, but not where the other grid has cells.
void require_well(const std::vector<double>& before, const std::vector<double>& after, const Dataset& dataset,
                  std::int64_t which, const GridAndTimes& to) {
    const auto is_open = [](double share) { return share > 0.0; };
    if (std::ranges::any_of(before, is_open) && std::ranges::none_of(after, is_open)) {
        throw InvalidData(dataset.path() + ": case " + std::to_string(which) +
                          ": nothing is perforated within the grid of the model (which ends " +
                          std::to_string(std::lround(to.z_edges.back())) +
                          " m below the top); use a model of a deeper grid");
    }
}

/// The same, or the case is told to whom it concerns, where there is somebody.
void require_well(const std::vector<double>& before, const std::vector<double>& after, const Dataset& dataset,
                  std::int64_t which, const GridAndTimes& to, const FailedCase& failed) {
    try {
        require_well(before, after, dataset, which, to);
    } catch (const InvalidData& error) {
        if (!failed) {
            throw;
        }
        failed(which, error.what());
    }
}

DatasetContent content_on(const Dataset& dataset, const GridAndTimes& to, const FailedCase& failed) {
    DatasetContent content;
    content.r_edges = to.r_edges;
    content.x_edges = to.x_edges;
    content.y_edges = to.y_edges;
    content.z_edges = to.z_edges;
    content.times = to.times;
    content.attributes = attributes_of(rock_fluid_of(dataset));
    content.attributes.merge(attributes_of(std::nullopt, dataset.well_radius()));
    if (!to.is_radial()) {
        content.attributes.merge(attributes_of(to.place));
    }
    for (const ArraySpec& spec : dataset_arrays(dataset.geometry())) {
        if (spec.role == Role::scalar && dataset.has(spec.name())) {
            content.arrays.emplace(spec.name(), dataset.scalar(spec.name()));
        }
    }
    const std::optional<double> gradient = dataset.stated("temperature_gradient");
    if (gradient && !to.is_radial()) {
        const auto middle = [](const std::vector<double>& edges) { return 0.5 * (edges.front() + edges.back()); };
        const double change = *gradient * (middle(to.z_edges) - middle(dataset.z_edges()));  // where it is stated
        for (float& temperature : content.arrays.at("temperature")) {
            temperature += static_cast<float>(change);
        }
    }
    if (!dataset.schedule_ends().empty()) {
        content.schedule_ends = dataset.schedule_ends();
        content.arrays["schedule_rate"] = dataset.schedule_rates();
        content.wells = static_cast<std::int64_t>(dataset.schedule_rates().size()) /
                        (dataset.cases() * static_cast<std::int64_t>(dataset.schedule_ends().size()));
    }
    const GridAndTimes from = aligned_with(GridAndTimes::of(dataset), to);
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        if (to.is_radial()) {
            const RockMaps before = rock_of(dataset, which), after = averaged_rock(before, from, to);
            require_well(before.perforation, after.perforation, dataset, which, to, failed);
            // The temperature stays where it is stated, as the middle of the rows moves.
            content.arrays.at("temperature")[static_cast<std::size_t>(which)] +=
                static_cast<float>(gradient.value_or(0.0) * (middle_depth(to.z_edges, after.active) -
                                                             middle_depth(dataset.z_edges(), before.active)));
            append_rock(content, after);
        } else {
            const BoxMaps before = box_maps_of(dataset, which), after = averaged_box(before, from, to);
            require_well(before.perforation, after.perforation, dataset, which, to, failed);
            append_box(content, after);
        }
    }
    return content;
}

}  // namespace

Dataset regridded(const Dataset& dataset, const GridAndTimes& to, const FailedCase& failed) {
    expects((dataset.geometry() == Geometry::radial) == to.is_radial(), "two grids of one kind");
    const TemporaryFolder folder;
    const std::string path =
        (folder.path() / (dataset.is_file() ? fs::path(dataset.path()).filename() : "cases.h5")).string();
    write_dataset(path, content_on(dataset, to, failed));
    return {path, dataset.path() + " on the model's grid"};
}

}  // namespace plumecast
