#pragma once

#include <string>
#include <vector>

#include <plumecast/reservoir/dataset/schema.hpp>

namespace plumecast {

struct MemoryCases;

/// How much of a file to check: all of it, or what a prediction reads.
enum class Checked { all, inputs };

/// Every violation in a data set file, reading it case by case; empty for a valid one. Values of the same kind of
/// violation in one array and case are counted together. Range checks of outputs are left out for predicted fields
/// (with attribute `model_hash`). Where nothing violates the format, values that no reservoir has are named too: a
/// temperature that looks like kelvin, a thickness beyond the grid, a well that is not perforated. Throws IoError when
/// the file cannot be read at all.
std::vector<Violation> validate(const std::string& path, Checked what = Checked::all);
/// The same of cases in memory, which violate the format where a file of that content does; an array that nothing reads
/// is an error here, and the nearest name is the remedy.
std::vector<Violation> validate(const MemoryCases& cases, Checked what = Checked::all);

/// Refuses a data set that violates the format, outputs included, as require_valid_inputs() does. Throws InvalidData,
/// IoError.
std::vector<Violation> require_valid(const std::string& path);
/// Refuses a data set whose inputs violate the format, with the first violation and the number of the others, and
/// returns the warnings about values that look wrong. Throws InvalidData, IoError.
std::vector<Violation> require_valid_inputs(const std::string& path);
/// The same of cases in memory.
std::vector<Violation> require_valid_inputs(const MemoryCases& cases);

}  // namespace plumecast
