#pragma once

#include <cstdint>
#include <vector>

#include <plumecast/data/fields.hpp>
#include <plumecast/data/schema.hpp>

#include "data/h5/file.hpp"

namespace plumecast {

/// Extents of the axes of a data set file.
struct DatasetExtents {
    std::int64_t cases = 0;
    std::int64_t times = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    /// Extent of one axis.
    std::int64_t of(Axis axis) const;
    /// Extents of an array.
    std::vector<std::int64_t> of(const ArraySpec& spec) const;
};

/// Writes format, version and further text attributes.
void write_header(h5::File& file, const FileAttributes& attributes);
/// Creates an array of the format with its attributes and axis labels.
void create_array(h5::File& file, const ArraySpec& spec, const DatasetExtents& extents);
/// Gives an array its attributes and axis labels.
void annotate_array(h5::File& file, const ArraySpec& spec);

}  // namespace plumecast
