#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plumecast {

/// Labels [N] of the cases of a file, `/case/NAME`, and texts [N]; empty when the file has none of that name and kind.
/// Throws IoError when the file cannot be read, InvalidData when it is damaged.
std::vector<std::uint8_t> case_labels(const std::string& path, const std::string& name);
/// Numbers of the cases, [N] or [N, T].
std::vector<float> case_numbers(const std::string& path, const std::string& name);
/// The texts.
std::vector<std::string> case_texts(const std::string& path, const std::string& name);

}  // namespace plumecast
