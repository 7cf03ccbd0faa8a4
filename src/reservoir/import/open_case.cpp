#include "reservoir/import/open_case.hpp"

#include <filesystem>
#include <utility>

#include <plumecast/core/error.hpp>

#include "core/text/ascii.hpp"
#include "io/text_file.hpp"
#include "reservoir/import/injection.hpp"

namespace plumecast {
namespace {

namespace fs = std::filesystem;

Json json_of(const std::string& path) { return Json::parse(read_text(path), path); }

/// The file of values that belongs to a model by its name.
std::string beside(const std::string& name) { return name + ".plumecast.json"; }

}  // namespace

bool is_grdecl(const std::string& path) {
    const std::string extension = lower(fs::path(path).extension().string());
    return extension == ".grdecl" || extension == ".inc" || extension == ".include";
}

StoredGrid grid_of(const Dataset& dataset) {
    StoredGrid shape;
    shape.geometry = dataset.geometry();
    shape.r_edges = dataset.r_edges();
    shape.x_edges = dataset.x_edges();
    shape.y_edges = dataset.y_edges();
    shape.z_edges = dataset.z_edges();
    for (const char* name :
         {"cell_volume", "cell_centre_x", "cell_centre_y", "cell_centre_z", "pillars", "corner_depths"}) {
        if (shape.geometry == Geometry::cartesian && !dataset.cell_values(name).empty()) {
            shape.cells[name] = dataset.cell_values(name);
        }
    }
    return shape;
}

CaseOpener::CaseOpener(const ImportOptions& options) : options_(options) {
    if (options.sources.empty()) {
        throw InvalidInput("import takes at least one run or file (nothing is imported otherwise); name them");
    }
    values_ = options.values.empty() ? Json(Json::Object{}) : json_of(options.values);
    if (!options.like.empty()) {
        like_.emplace(options.like);
    }
}

CaseValues CaseOpener::values_of(const std::string& name, const std::string& origin) const {
    std::error_code error;
    const std::string own = beside(name);
    const Json of_case = fs::exists(own, error) ? json_of(own) : Json(Json::Object{});
    return read_case_values(merged({values_, of_case, options_.set}), "values of " + origin);
}

StoredGrid CaseOpener::shape_of(ReservoirModel& model) const {
    const eclipse::CornerPointGrid* grid = model.grid();
    if (grid == nullptr) {
        if (!like_) {
            throw InvalidData(model.name() +
                              ": no COORD, ZCORN and SPECGRID (properties alone tell no grid); give a data set with "
                              "the same grid in ImportOptions::like, or add them");
        }
        return grid_of(*like_);
    }
    const bool is_box = options_.grid == ImportGrid::box || (options_.grid == ImportGrid::automatic && grid->ny() > 1);
    return is_box ? box_shape(*grid, model.name()) : radial_shape(*grid, model.name());
}

OpenCase CaseOpener::open(const std::string& source) const {
    OpenCase opened;
    std::error_code error;
    if (!fs::exists(source, error) && is_grdecl(source)) {
        throw IoError(source + ": no such file (a GRDECL file was named); check the path");
    }
    if (is_grdecl(source)) {
        const fs::path path(source);
        opened.values = values_of((path.parent_path() / path.stem()).string(), source);
        opened.model = written_model(source, opened.values.units);
    } else {
        opened.model = simulated_model(source);
        opened.values = values_of(opened.model->name(), source);
    }
    if (like_ && opened.values.times.empty() && !opened.model->times().empty()) {
        opened.values.times = like_->times();
    }
    opened.steps = steps_of(*opened.model, opened.values);
    if (opened.steps.times.empty() && like_) {
        opened.steps.times = like_->times();
    }
    if (opened.steps.times.empty()) {
        throw InvalidData(source +
                          ": no times (nothing was simulated); set times to the days to predict, or give a data set "
                          "with the same times in ImportOptions::like");
    }
    opened.shape = shape_of(*opened.model);
    opened.injection = injection_of(*opened.model, opened.values, opened.steps,
                                    options_.constant_rates ? WellRates::take_means : WellRates::keep_changes,
                                    opened.shape.ring_share);
    if (opened.shape.geometry == Geometry::cartesian) {
        opened.flow = opened.model->transmissibilities();
    }
    return opened;
}

}  // namespace plumecast
