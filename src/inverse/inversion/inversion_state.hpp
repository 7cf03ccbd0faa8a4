#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// What an interrupted inversion goes on from: a safetensors file.
struct InversionState {
    Json facts;                                        ///< numbers and texts, an object
    std::map<std::string, Eigen::MatrixXd> matrices;   ///< none of them empty
    std::map<std::string, std::vector<float>> values;  ///< none of them empty
};

/// Writes a state; the file appears whole or not at all. Throws IoError.
void write_state(const std::string& path, const InversionState& state);
/// Reads one; nothing where there is no file. Throws InvalidModel where it holds something else, IoError.
std::optional<InversionState> read_state(const std::string& path);

/// A list of numbers in JSON and back.
Json json_of_numbers(const std::vector<std::int64_t>& numbers);
std::vector<std::int64_t> numbers_of(const Json& list);

}  // namespace plumecast
