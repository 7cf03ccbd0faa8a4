#pragma once

#include <string>
#include <vector>

namespace plumecast {

/// Throws InvalidInput for a file of arrays among runs and models, since nothing in it says what they mean.
void refuse_bare_arrays(const std::vector<std::string>& sources);

/// The sources without the folders that they have in common, which mean nothing on another machine.
std::vector<std::string> short_names(const std::vector<std::string>& sources);

}  // namespace plumecast
