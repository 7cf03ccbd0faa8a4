#include "inference/guided/written_fields.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace plumecast {

std::vector<std::string> field_names(const Bundle& bundle) {
    std::vector<std::string> names;
    for (const BundleNetwork& network : bundle.networks) {
        for (const Field& field : network.network->description().fields) {
            names.push_back(field.name);
        }
    }
    return names;
}

std::vector<std::vector<std::string>> written_physics(const Bundle& bundle) {
    const std::string dissolved = "physics_dissolved_co2";
    const std::vector<std::string> predicted = field_names(bundle);
    bool is_there = std::ranges::find(predicted, output_of(dissolved)) != predicted.end();
    std::vector<std::vector<std::string>> sources(bundle.networks.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!is_there && bundle.networks[i].network->description().physics) {
            sources[i].push_back(dissolved);
            is_there = true;
        }
    }
    return sources;
}

std::vector<std::string> written_fields(const Bundle& bundle) {
    std::vector<std::string> written = field_names(bundle);
    for (const std::vector<std::string>& sources : written_physics(bundle)) {
        std::ranges::transform(sources, std::back_inserter(written), output_of);
    }
    return written;
}

std::string output_of(const std::string& source) { return source.substr(std::string_view("physics_").size()); }

}  // namespace plumecast
