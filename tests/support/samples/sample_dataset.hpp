#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

namespace plumecast::testing {

/// A folder of its own for one test, removed at its end.
class ScratchFolder {
   public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::string file(const std::string& name) const { return (path_ / name).string(); }

   private:
    std::filesystem::path path_;
};

/// Three cases of 4 x 5 cells at 3 times; the last row of every case is inactive.
DatasetContent sample_content();

/// Writes sample_content() and returns its path.
std::string write_sample(const ScratchFolder& folder);

/// Three cases of 4 x 5 cells at 3 times that reduced physics can compute, out to 100 km; the last row of every case is
/// inactive, and the outputs are made up.
DatasetContent guided_content();
/// The like with so little injected that brine dissolves all of it, and fields are smooth functions of the inputs: with
/// gas, sides upstream and open rows of the well change.
DatasetContent dissolving_content();

/// Writes guided_content(), with fields near those of two-phase physics as outputs, and returns its path.
std::string write_guided_sample(const ScratchFolder& folder);

/// Two cases of 2 x 3 x 4 cells [Z, Y, X] at 2 times, with two wells; the last line of every case is inactive.
DatasetContent cartesian_content();

/// Writes cartesian_content() and returns its path.
std::string write_cartesian_sample(const ScratchFolder& folder);

/// cartesian_content() with rates and rock functions such that reduced physics can compute it; the outputs are made up.
DatasetContent guided_cartesian_content();

/// Writes guided_cartesian_content(), with fields near those of two-phase physics as outputs, and returns its path.
std::string write_guided_cartesian_sample(const ScratchFolder& folder);

/// Whole content of a file, and a file of given content.
std::string bytes_of(const std::string& path);
void write_bytes(const std::string& path, const std::string& bytes);

}  // namespace plumecast::testing
