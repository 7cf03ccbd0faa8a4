#pragma once

#include <string>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast {

/// Throws InvalidData, naming file, array and attribute, where the numbers of an array mean something else in `other`
/// than in `first`: by their unit, what they are scaled by, which of them stand for no value, or what they are codes
/// of.
void require_same_meaning(const h5::File& first, const h5::File& other, const std::string& array);

/// Throws InvalidData where the two were given bands or intervals of other levels and these are among `arrays`.
void require_same_levels(const h5::File& first, const h5::File& other, const std::vector<std::string>& arrays);

/// The attributes of the first of several files that do not say the same in all of them, but those that
/// merge_datasets() compares by their meaning, and `title`.
std::vector<std::string> attributes_of_some(const std::vector<std::string>& sources);

/// The different texts that an attribute has in several files, one after the other, those that came first where they
/// are too many; empty where no file has any.
std::string joined_texts(const std::vector<std::string>& sources, const std::string& name);

}  // namespace plumecast
