#include "data/regridding/regridded_dataset.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <plumecast/core/error.hpp>
#include <plumecast/data/fields.hpp>
#include <plumecast/data/schema.hpp>

#include "data/physics/rock_fluid.hpp"
#include "data/regridding/rock_average.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

/// A folder among the temporary files, removed at the end; what is open in it lives on until it is closed.
class TemporaryFolder {
   public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "plumecast-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw IoError(name +
                          ": cannot be created (it is needed for cases on the model's grid); set TMPDIR to a "
                          "folder that can be written");
        }
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
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

RockMaps rock_of(const Dataset& dataset, std::int64_t which) {
    RockMaps rock{map_of(dataset, "permeability_r", which),
                  map_of(dataset, "permeability_z", which),
                  map_of(dataset, "porosity", which),
                  map_of(dataset, "perforation", which),
                  {}};
    for (const double active : map_of(dataset, "active", which)) {
        rock.active.push_back(active != 0.0 ? 1 : 0);
    }
    return rock;
}

template <class Values>
void append(std::vector<float>& all, const Values& values) {
    for (const auto value : values) {
        all.push_back(static_cast<float>(value));
    }
}

DatasetContent content_on(const Dataset& dataset, const GridAndTimes& to) {
    DatasetContent content;
    content.attributes = attributes_of(rock_fluid_of(dataset));
    content.r_edges = to.r_edges;
    content.z_edges = to.z_edges;
    content.times = to.times;
    for (const ArraySpec& spec : dataset_arrays(Geometry::radial)) {
        if (spec.role == Role::scalar && dataset.has(spec.name())) {
            content.arrays.emplace(spec.name(), dataset.scalar(spec.name()));
        }
    }
    const GridAndTimes from = GridAndTimes::of(dataset);
    for (std::int64_t which = 0; which < dataset.cases(); ++which) {
        const RockMaps rock = averaged_rock(rock_of(dataset, which), from, to);
        append(content.arrays["permeability_r"], rock.permeability_r);
        append(content.arrays["permeability_z"], rock.permeability_z);
        append(content.arrays["porosity"], rock.porosity);
        append(content.arrays["perforation"], rock.perforation);
        append(content.arrays["active"], rock.active);
    }
    return content;
}

}  // namespace

Dataset regridded(const Dataset& dataset, const GridAndTimes& to) {
    expects(dataset.geometry() == Geometry::radial && to.is_radial(), "radial grids");
    const TemporaryFolder folder;
    const std::string path = (folder.path() / fs::path(dataset.path()).filename()).string();
    write_dataset(path, content_on(dataset, to));
    return Dataset(path);
}

}  // namespace plumecast
