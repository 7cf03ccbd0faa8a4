#pragma once

#include <string>
#include <vector>

#include <hdf5.h>

namespace plumecast::h5 {

/// Where an object of a file lies.
struct ObjectPlace {
    std::string path;     ///< by hard links alone
    std::string problem;  ///< why there is none, as a clause that begins with the path of a link; else empty

    bool is_there() const { return problem.empty(); }
};

/// Follows hard links and soft links within the file. Links into other files are not followed.
ObjectPlace place_of(hid_t file, const std::string& path);

/// True where an object is an array, and not a group or a type.
bool is_array(hid_t file, const std::string& path);

/// Paths of all arrays below the root by hard links, sorted. Throws InvalidData where the file is damaged, or where
/// groups are nested so deep that no table of arrays can be meant; `name` is that of the file.
std::vector<std::string> arrays_of(hid_t file, const std::string& name);

}  // namespace plumecast::h5
