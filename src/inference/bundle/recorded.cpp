#include "inference/bundle/recorded.hpp"

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>

namespace plumecast {

InputRanges recorded_ranges(const Bundle& bundle) {
    if (bundle.training.find("ranges") == nullptr) {
        return {};
    }
    JsonReader reader(bundle.training, bundle.path + "/model.json: training");
    InputRanges ranges = InputRanges::read(reader, "ranges");
    ranges.include_unstated();
    return ranges;
}

TrustRecord recorded_trust(const Bundle& bundle) {
    try {
        return TrustRecord::of(bundle.training, bundle.path + "/model.json: training");
    } catch (const InvalidInput& error) {
        throw InvalidModel(error.what());
    }
}

FileAttributes result_attributes(const Bundle& bundle, const std::string& input) {
    return {{"title", "Fields predicted by " + bundle.title},
            {"source", "plumecast " + std::string(version())},
            {"model", bundle.title},
            {"model_hash", bundle.hash()},
            {"history", "plumecast predict " + bundle.path + " " + input}};
}

}  // namespace plumecast
