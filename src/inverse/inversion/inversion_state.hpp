#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Dense>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

namespace plumecast {

/// What an interrupted inversion goes on from: a safetensors file.
struct InversionState {
    Json facts;                                        ///< numbers and texts, an object
    std::map<std::string, Eigen::MatrixXd> matrices;   ///< none of them empty
    std::map<std::string, std::vector<float>> values;  ///< none of them empty
    std::string path = {};                             ///< of the file that it was read from

    /// A matrix, a list of numbers and texts by numbers, as facts have them, by name. Throw InvalidModel naming the
    /// file where it lacks them.
    const Eigen::MatrixXd& matrix(const std::string& name) const;
    std::vector<std::int64_t> numbers(const std::string& name) const;
    std::map<std::int64_t, std::string> texts(const std::string& name) const;
    /// What to throw where the file is damaged.
    InvalidModel damaged(std::string_view why) const;
};

/// Texts by numbers in JSON.
Json json_of_texts(const std::map<std::int64_t, std::string>& texts);

/// Writes a state; the file appears whole or not at all. Throws IoError.
void write_state(const std::string& path, const InversionState& state);
/// Reads one; nothing where there is no file. Throws InvalidModel where it holds something else, IoError.
std::optional<InversionState> read_state(const std::string& path);

/// A list of numbers in JSON.
Json json_of_numbers(const std::vector<std::int64_t>& numbers);

}  // namespace plumecast
