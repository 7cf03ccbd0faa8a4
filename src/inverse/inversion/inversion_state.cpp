#include "inverse/inversion/inversion_state.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include <plumecast/core/error.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast {
namespace {

constexpr const char* format_name = "plumecast-inversion";
const std::string matrix_prefix = "matrix.", values_prefix = "values.";

}  // namespace

// Matrices of Eigen go column after column: the rows of an array are their columns.
void write_state(const std::string& path, const InversionState& state) {
    std::vector<NamedView> arrays;
    for (const auto& [name, matrix] : state.matrices) {
        arrays.push_back({matrix_prefix + name, {{matrix.cols(), matrix.rows()}, DType::float64, matrix.data()}});
    }
    for (const auto& [name, values] : state.values) {
        arrays.push_back(
            {values_prefix + name, {{static_cast<std::int64_t>(values.size())}, DType::float32, values.data()}});
    }
    write_safetensors(path, arrays, {{"format", format_name}, {"state", state.facts.dump(-1)}});
}

std::optional<InversionState> read_state(const std::string& path) {
    if (!std::filesystem::exists(path)) {
        return std::nullopt;
    }
    const SafetensorsFile file(path);
    const auto format = file.metadata().find("format"), facts = file.metadata().find("state");
    if (format == file.metadata().end() || format->second != format_name || facts == file.metadata().end()) {
        throw InvalidModel(path + ": is no state of an inversion (another file has its name); move it away");
    }
    InversionState state;
    state.facts = Json::parse(facts->second, path);
    for (const std::string& name : file.names()) {
        const Tensor read = file.read(name);
        if (name.starts_with(matrix_prefix) && read.shape().rank() == 2 && read.type() == DType::float64) {
            state.matrices[name.substr(matrix_prefix.size())] =
                Eigen::Map<const Eigen::MatrixXd>(read.values<double>().data(), read.shape()[1], read.shape()[0]);
        } else if (name.starts_with(values_prefix) && read.type() == DType::float32) {
            const std::span<const float> values = read.values<float>();
            state.values[name.substr(values_prefix.size())].assign(values.begin(), values.end());
        }
    }
    return state;
}

Json json_of_numbers(const std::vector<std::int64_t>& numbers) { return Json::Array(numbers.begin(), numbers.end()); }

std::vector<std::int64_t> numbers_of(const Json& list) {
    std::vector<std::int64_t> numbers;
    const auto* entries = list.get_if<Json::Array>();
    if (entries == nullptr) {
        return numbers;
    }
    for (const Json& one : *entries) {
        numbers.push_back(one.get_if<std::int64_t>() != nullptr ? *one.get_if<std::int64_t>() : -1);
    }
    return numbers;
}

}  // namespace plumecast
