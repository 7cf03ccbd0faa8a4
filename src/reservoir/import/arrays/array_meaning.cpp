#include "reservoir/import/arrays/array_meaning.hpp"

#include <algorithm>
#include <vector>

#include <plumecast/core/error.hpp>

namespace plumecast {

h5::StoredMeaning meaning_of(const h5::File& file, const std::string& path, const std::string& name) {
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
        throw InvalidData(file.path() + ": " + path + " " + problem + "; " + remedy);
    };
    const std::string other = "map " + name + " to another array";
    const h5::ArrayInfo info = file.info(path);
    if (info.element != h5::Element::real && info.element != h5::Element::integer) {
        refuse(std::string("holds no numbers but ") + h5::description(info.element), other);
    }
    if (std::ranges::find(info.extents, 0) != info.extents.end()) {
        refuse("holds nothing (an extent is 0)", other);
    }
    const std::vector<double> empty = file.numbers(path, "MATLAB_empty");
    if (!empty.empty() && empty[0] != 0.0) {
        refuse("holds nothing (MATLAB_empty: its numbers are the extents of an empty array)", other);
    }
    if (file.text(path, "MATLAB_class") == "char") {
        refuse("holds characters (MATLAB_class char)", other);
    }
    if (name == "z_edges" && h5::counts_upwards(file, path)) {
        refuse("counts upwards (attribute positive), and rows of a data set go down",
               "store the depth of the edges below the top of the formation, the uppermost first");
    }
    h5::StoredMeaning meaning(file, path);
    meaning.require_written(file, path);
    return meaning;
}

}  // namespace plumecast
