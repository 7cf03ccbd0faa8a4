#pragma once

#include <string>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast::testing {

/// Copies a file, with texts of its cases under /case; returns the path of the copy.
inline std::string with_case_texts(const std::string& from, const std::string& to, const std::string& name,
                                   const std::vector<std::string>& texts) {
    const h5::File source = h5::File::open(from);
    h5::File file = h5::File::create(to);
    file.copy_attributes(source, "/", {});
    for (const std::string& array : source.arrays()) {
        file.copy_array(source, array);
        file.copy_attributes(source, array, {});
    }
    file.write_texts("/case/" + name, texts);
    file.close();
    return to;
}

}  // namespace plumecast::testing
