#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumecast {

/// Numbers of an array of any number of axes, row-major, slowest axis first.
struct NumberArray {
    std::vector<std::int64_t> extents;
    std::vector<float> values;
};

/// Whether a name ends as those of NumPy's files do: .npy, .npz.
bool is_numpy_file(const std::string& path);

/// Reads a .npy file, or an array of an .npz file by its name (the only one where that is empty), whole: real numbers
/// or integers of either byte order, in C or Fortran order (NEP 1, versions 1 to 3). Nothing in the file is executed;
/// arrays of objects are refused. Throws InvalidData naming the file and what is wrong with it, IoError.
NumberArray read_numpy(const std::string& path, const std::string& array);

}  // namespace plumecast
