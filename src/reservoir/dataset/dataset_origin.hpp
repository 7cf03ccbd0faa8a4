#pragma once

#include <filesystem>

namespace plumecast {

/// What a file is, as far as it matters to whoever would put another in its place.
enum class DatasetOrigin {
    none,          ///< no data set of this format, or one that cannot be read
    computed,      ///< a result file of `predict` or `estimate`, which can be computed again
    inputs,        ///< inputs only, written by this program from other files
    irreplaceable  ///< a data set with simulated or measured fields, or one that this program did not write
};

/// Reads the attributes of a file; never throws for what the file holds.
DatasetOrigin dataset_origin(const std::filesystem::path& path);

}  // namespace plumecast
