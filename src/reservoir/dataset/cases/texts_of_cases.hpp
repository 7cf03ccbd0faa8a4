#pragma once

#include <map>
#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/dataset.hpp>

namespace plumecast {

namespace h5 {
class File;
}

/// Texts of cases by the path of their array and the number of the case.
using CaseTexts = std::map<std::string, std::vector<std::string>>;

/// What the file of a data set says of each of its cases in words, by the path of the array under /case: when it
/// starts, its saturation tables, its wells; nothing of what is said of results. Nothing of cases in memory. Throws
/// InvalidData, IoError.
CaseTexts texts_of_cases(const Dataset& dataset);

/// Writes texts of all cases of a file. Throws IoError.
void write_case_texts(h5::File& file, const CaseTexts& texts);

}  // namespace plumecast
