#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <plumecast/data/atomic_file.hpp>
#include <plumecast/physics/reduced_physics.hpp>

#include "data/h5/file.hpp"

namespace plumecast {

/// What a file of physics holds: which fields, of how many cases.
struct PhysicsExtents {
    PhysicsSettings settings;
    std::int64_t cases = 0;
    std::int64_t times = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    std::int64_t values() const { return times * rows * columns; }
};

/// The reduced physics of some cases of a data set on the disk (docs/data_format.md), open for reading.
class PhysicsFile {
   public:
    /// Throws IoError or InvalidData when the file cannot be read or holds something else.
    PhysicsFile(const std::filesystem::path& path, const PhysicsExtents& extents);

    /// Key that a case was written with; empty when the file lacks it.
    const std::string& key(std::int64_t which) const { return keys_[static_cast<std::size_t>(which)]; }
    /// Throws InvalidData for a damaged file.
    PhysicsFields read(std::int64_t which) const;
    const h5::File& file() const { return file_; }

   private:
    PhysicsExtents extents_;
    h5::File file_;
    std::vector<std::string> keys_;
};

/// Writes such a file, which takes its name at commit().
class PhysicsFileWriter {
   public:
    /// Starts with the cases of another file that are not among `replaced`; nullptr for none. Throws IoError.
    PhysicsFileWriter(const std::filesystem::path& path, const PhysicsExtents& extents, const PhysicsFile* before,
                      const std::vector<std::int64_t>& replaced);
    /// Adds a case; from any thread. Throws IoError.
    void add(std::int64_t which, const std::string& key, const PhysicsFields& physics);
    /// Throws IoError.
    void commit();

   private:
    PhysicsExtents extents_;
    AtomicFile target_;
    h5::File file_;
    std::mutex mutex_;
    std::vector<std::uint8_t> keys_;
    std::map<std::string, std::vector<double>> scalars_;
};

}  // namespace plumecast
