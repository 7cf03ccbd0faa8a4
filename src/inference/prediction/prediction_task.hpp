#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <plumecast/core/log.hpp>
#include <plumecast/core/shape.hpp>
#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predicted_arrays.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "inference/prediction/result_store.hpp"
#include "reservoir/metrics/trust/field_bands.hpp"

namespace plumecast {

/// Cases that keep to the format, with warnings of those that look wrong; no data set for ready-made channels.
struct OpenInput {
    /// Throws InvalidData, IoError.
    OpenInput(const PredictionInput& input, const LogSink& log);
    /// Cases that are open already.
    explicit OpenInput(Dataset cases);
    const Dataset* data() const { return dataset ? &*dataset : nullptr; }

    const MemoryCases* memory;  // nullptr for a file
    std::string name;
    std::optional<Dataset> dataset;
    std::int64_t cases = 0;
    Shape extents;  // [space..., T]
};

/// What of a bundle is computed.
struct WantedNetworks {
    std::vector<std::string> fields;                       // outputs
    std::vector<std::size_t> networks;                     // of the bundle
    std::vector<std::vector<std::string>> physics_fields;  // by network of the bundle
    bool has_bands = false;                                // whether ends of bands are among the fields
    std::vector<std::string> judged;  // fields beside those that the verdicts need, which bands need
};

/// The networks that predict a field asked for, or its band, or whose physics one comes from; all where none is named.
/// With `bands` the ends of those of the fields are asked for too; none can be where `calibrated` is nullptr. A case
/// that is bad has no bands, whatever is asked for: with bands all networks compute, for the verdict. Throws
/// InvalidInput for a field that the bundle does not predict, and for bands of a model that is not calibrated.
WantedNetworks wanted_of(const Bundle& bundle, const std::vector<std::string>& asked,
                         const FieldBands* calibrated = nullptr, bool bands = false);

/// The fields asked for: those that arrays are named after, or `of_file` for a file.
std::vector<std::string> names_asked_for(const PredictionOutput& output, const std::vector<std::string>& of_file);

/// Names of the lower and the upper end of the band of a field.
std::vector<std::string> ends_of_band(const std::string& field);

/// The unit of each field of a bundle's networks, by name.
std::map<std::string, std::string> units_of(const Bundle& bundle);

/// Where the fields go, in these units by name. Throws InvalidInput for arrays that cannot be written, IoError.
std::unique_ptr<ResultStore> store_of(const PredictionOutput& output, const OpenInput& input,
                                      const std::vector<std::string>& fields, const FileAttributes& attributes,
                                      const std::map<std::string, std::string>& units = {});

}  // namespace plumecast
