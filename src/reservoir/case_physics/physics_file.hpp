#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/physics/reduced_physics.hpp>

#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Which physics a file holds, and of which data set.
struct PhysicsExtents {
    PhysicsSettings settings;
    std::int64_t cases = 0;  ///< of the data set; the file may hold fewer
    std::int64_t times = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<std::string> fields = {};  ///< of each case

    std::int64_t values() const { return times * rows * columns; }
};

/// The reduced physics of some cases of a data set on the disk (docs/data_format.md), open for reading.
class PhysicsFile {
   public:
    /// Throws IoError or InvalidData when the file cannot be read or holds something else.
    PhysicsFile(const std::filesystem::path& path, const PhysicsExtents& extents);

    /// Key that a case was written with; empty when the file lacks it.
    std::string key(std::int64_t which) const;
    /// Throws InvalidData for a damaged file.
    PhysicsFields read(std::int64_t which) const;

    const h5::File& file() const { return file_; }
    /// Place of a case that is there along the slowest axis of the arrays.
    std::int64_t row(std::int64_t which) const { return rows_.at(which).row; }

   private:
    struct Row {
        std::int64_t row;
        std::string key;
    };

    PhysicsExtents extents_;
    h5::File file_;
    std::map<std::int64_t, Row> rows_;  // by case
};

/// Whether a file says of itself that it holds reduced physics, of any version and data set.
bool holds_physics(const std::filesystem::path& path);

/// The physics of one case as the file will hold it.
struct PackedPhysics {
    /// `key` is a hash of what the case was computed from.
    PackedPhysics(std::int64_t which, std::string key, const PhysicsFields& physics);

    std::int64_t which;
    std::string key;
    std::map<std::string, std::vector<std::byte>> chunks;
    std::map<std::string, double, std::less<>> scalars;
    std::vector<float> bottom_hole_pressure;
};

/// Writes a file of some cases and those of another file (nullptr for none) that are not among them; it takes its name
/// when it is complete. Throws IoError.
void write_physics(const std::filesystem::path& path, const PhysicsExtents& extents, const PhysicsFile* before,
                   const std::vector<PackedPhysics>& cases);

}  // namespace plumecast
