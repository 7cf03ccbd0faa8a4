#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "io/atomic_file.hpp"
#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Writes a data set case by case; it appears under its final name at commit() only.
class DatasetWriter {
   public:
    /// Starts the file with the attributes, edges, times and arrays of cells in `frame`, for `cases` cases with the
    /// inputs and outputs called `arrays`. Throws InvalidInput for a frame without edges or times, IoError.
    DatasetWriter(const std::string& path, const DatasetContent& frame, std::int64_t cases,
                  const std::vector<std::string>& arrays);

    /// Writes all arrays of a case, by name. Throws InvalidInput when one is missing or of another size, IoError.
    void write(std::int64_t which, const std::map<std::string, std::vector<float>>& arrays);
    /// Writes texts that describe the cases under /case. Throws IoError.
    void describe_cases(const std::string& name, const std::vector<std::string>& texts);
    /// Writes what the sources of the cases say and the data set cannot carry, unless all texts are empty. Throws
    /// IoError.
    void note_cases(const std::vector<std::string>& texts);
    /// Writes numbers of the cases at each time [N, T] under /case. Throws IoError.
    void write_series(const std::string& name, const std::string& unit, const std::string& long_name,
                      const std::vector<std::vector<float>>& of_cases);
    /// Completes the file and gives it its final name. Throws IoError.
    void commit();

   private:
    AtomicFile target_;
    h5::File file_;
    DatasetExtents extents_;
    std::vector<std::string> arrays_;
};

}  // namespace plumecast
