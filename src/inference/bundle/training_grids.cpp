#include <plumecast/inference/bundle/training_grids.hpp>

#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast {

std::vector<GridAndTimes> training_grids(const Bundle& bundle) {
    const std::string path = bundle.path + "/model.json: training";
    std::vector<GridAndTimes> grids;
    try {
        if (bundle.training.find("grid") != nullptr) {
            JsonReader reader(bundle.training, path);
            grids.push_back(GridAndTimes::read(reader, "grid"));
        }
        const Json* list = bundle.training.find("more_grids");
        const auto* more = list == nullptr ? nullptr : list->get_if<Json::Array>();
        for (std::size_t i = 0; more != nullptr && i < more->size(); ++i) {
            const Json entry = Json::Object{{"more_grids", (*more)[i]}};
            JsonReader reader(entry, path);
            grids.push_back(GridAndTimes::read(reader, "more_grids"));
        }
    } catch (const InvalidInput& error) {
        throw InvalidModel(error.what());
    }
    return grids;
}

std::map<std::string, std::vector<double>> training_axes(const Bundle& bundle) {
    const std::vector<GridAndTimes> grids = training_grids(bundle);
    const GridAndTimes grid = grids.empty() ? GridAndTimes() : grids.front();
    return {{"r_edges", grid.r_edges},
            {"x_edges", grid.x_edges},
            {"y_edges", grid.y_edges},
            {"z_edges", grid.z_edges},
            {"times", grid.times}};
}

}  // namespace plumecast
