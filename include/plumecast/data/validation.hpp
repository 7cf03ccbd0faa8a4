#pragma once

#include <string>
#include <vector>

namespace plumecast {

/// One way in which a file departs from the data set format.
struct Violation {
    /// The array or attribute, "/inputs/porosity"; "/" for the file.
    std::string path;
    std::string problem;
    std::string remedy;
    /// False for what a reader may ignore, such as an array the format does not know.
    bool is_error = true;

    friend bool operator==(const Violation&, const Violation&) = default;
};

/// Every violation in a data set file, reading it case by case; empty for a valid one. Values of the same kind of
/// violation in one array and case are counted together. Range checks of outputs are left out for predicted fields
/// (with attribute `model_hash`). Throws IoError when the file cannot be read at all.
std::vector<Violation> validate(const std::string& path);

}  // namespace plumecast
