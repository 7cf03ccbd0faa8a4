#include "inverse/inversion/inversion_state.hpp"

#include <charconv>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

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
    state.path = path;
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

Json json_of_texts(const std::map<std::int64_t, std::string>& texts) {
    Json::Object all;
    for (const auto& [place, text] : texts) {
        all.emplace_back(std::to_string(place), text);
    }
    return Json(std::move(all));
}

const Eigen::MatrixXd& InversionState::matrix(const std::string& name) const {
    const auto found = matrices.find(name);
    if (found == matrices.end()) {
        throw damaged("it lacks the matrix '" + name + "'");
    }
    return found->second;
}

std::vector<std::int64_t> InversionState::numbers(const std::string& name) const {
    const Json* list = facts.find(name);
    const auto* entries = list != nullptr ? list->get_if<Json::Array>() : nullptr;
    if (entries == nullptr) {
        throw damaged("it lacks the numbers '" + name + "'");
    }
    std::vector<std::int64_t> numbers;
    for (const Json& one : *entries) {
        const auto* number = one.get_if<std::int64_t>();
        if (number == nullptr) {
            throw damaged("'" + name + "' holds what is no number");
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::map<std::int64_t, std::string> InversionState::texts(const std::string& name) const {
    const Json* object = facts.find(name);
    const auto* entries = object != nullptr ? object->get_if<Json::Object>() : nullptr;
    if (entries == nullptr) {
        throw damaged("it lacks the texts '" + name + "'");
    }
    std::map<std::int64_t, std::string> texts;
    for (const auto& [key, value] : *entries) {
        std::int64_t place = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), place);
        const auto* text = value.get_if<std::string>();
        if (error != std::errc() || end != key.data() + key.size() || text == nullptr) {
            throw damaged("'" + name + "' holds what is no text of a member");
        }
        texts.emplace(place, *text);
    }
    return texts;
}

InvalidModel InversionState::damaged(std::string_view why) const {
    return InvalidModel(path + ": is a damaged state (" + std::string(why) + "); begin anew");
}

}  // namespace plumecast
