#include <algorithm>
#include <limits>
#include <optional>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>

#include "core/json_fields.hpp"

namespace plumecast {
namespace {

constexpr std::size_t longest_word = 64;

/// Value as T, or nothing when it is of another kind or out of range.
template <class T>
std::optional<T> convert(const Json& value) {
    const T* exact = value.get_if<T>();
    return exact != nullptr ? std::optional<T>(*exact) : std::nullopt;
}

template <>
std::optional<int> convert<int>(const Json& value) {
    const auto* integer = value.get_if<std::int64_t>();
    if (integer == nullptr || *integer < std::numeric_limits<int>::min() ||
        *integer > std::numeric_limits<int>::max()) {
        return std::nullopt;
    }
    return static_cast<int>(*integer);
}

template <>
std::optional<double> convert<double>(const Json& value) {
    const auto* integer = value.get_if<std::int64_t>();
    if (integer != nullptr) {
        return static_cast<double>(*integer);
    }
    const auto* number = value.get_if<double>();
    return number != nullptr ? std::optional<double>(*number) : std::nullopt;
}

template <class T>
constexpr std::string_view expected = "an integer";
template <>
constexpr std::string_view expected<bool> = "true or false";
template <>
constexpr std::string_view expected<int> = "an integer of 32 bits";
template <>
constexpr std::string_view expected<double> = "a number";
template <>
constexpr std::string_view expected<std::string> = "a string";

[[noreturn]] void refuse_kind(const std::string& path, std::string_view wanted, const Json& found) {
    const bool is_short = found.get_if<std::int64_t>() != nullptr || found.get_if<double>() != nullptr;
    throw InvalidInput(path + " is " + std::string(found.kind()) + (is_short ? " " + found.dump(-1) : "") + " (" +
                       std::string(wanted) + " is expected); correct the value");
}

template <class T>
T converted(const Json& value, const std::string& path) {
    const std::optional<T> result = convert<T>(value);
    if (!result) {
        refuse_kind(path, expected<T>, value);
    }
    return *result;
}

std::string element_path(const std::string& path, std::size_t index) {
    return path + "[" + std::to_string(index) + "]";
}

template <class T>
struct Getter {
    static T get(const Json& value, const std::string& path) { return converted<T>(value, path); }
};

template <class T>
struct Getter<std::vector<T>> {
    static std::vector<T> get(const Json& value, const std::string& path) {
        const auto* list = value.get_if<Json::Array>();
        if (list == nullptr) {
            refuse_kind(path, "a list", value);
        }
        std::vector<T> result;
        result.reserve(list->size());
        for (std::size_t i = 0; i < list->size(); ++i) {
            result.push_back(converted<T>((*list)[i], element_path(path, i)));
        }
        return result;
    }
};

/// Edit distance with neighbouring letters swapped as one edit (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t substitution = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({substitution, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

}  // namespace

JsonReader::JsonReader(const Json& object, std::string path) : object_(&object), path_(std::move(path)) {
    if (!object.is_object()) {
        refuse_kind(path_, "an object", object);
    }
}

bool JsonReader::has(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        known_.emplace_back(key);
    }
    return object_->find(key) != nullptr;
}

const Json& JsonReader::raw(std::string_view key) {
    if (!has(key)) {
        std::vector<std::string> present;
        for (const auto& [name, value] : *object_->get_if<Json::Object>()) {
            present.push_back(name);
        }
        const std::string meant = nearest(key, present);
        throw InvalidInput(path(key) + " is missing (the key is required); " +
                           (meant.empty() ? "add it" : "add it, or correct the name of '" + meant + "'"));
    }
    return *object_->find(key);
}

template <class T>
T JsonReader::get(std::string_view key) {
    return Getter<T>::get(raw(key), path(key));
}
template bool JsonReader::get<bool>(std::string_view);
template int JsonReader::get<int>(std::string_view);
template std::int64_t JsonReader::get<std::int64_t>(std::string_view);
template double JsonReader::get<double>(std::string_view);
template std::string JsonReader::get<std::string>(std::string_view);
template std::vector<int> JsonReader::get<std::vector<int>>(std::string_view);
template std::vector<std::int64_t> JsonReader::get<std::vector<std::int64_t>>(std::string_view);
template std::vector<double> JsonReader::get<std::vector<double>>(std::string_view);
template std::vector<std::string> JsonReader::get<std::vector<std::string>>(std::string_view);

JsonReader JsonReader::object(std::string_view key) { return {raw(key), path(key)}; }

std::vector<JsonReader> JsonReader::objects(std::string_view key) {
    const Json& value = raw(key);
    const auto* list = value.get_if<Json::Array>();
    if (list == nullptr) {
        refuse_kind(path(key), "a list of objects", value);
    }
    std::vector<JsonReader> readers;
    for (std::size_t i = 0; i < list->size(); ++i) {
        readers.emplace_back((*list)[i], element_path(path(key), i));
    }
    return readers;
}

std::vector<std::string> JsonReader::keys() {
    std::vector<std::string> names;
    for (const auto& [name, value] : *object_->get_if<Json::Object>()) {
        names.push_back(name);
    }
    known_.insert(known_.end(), names.begin(), names.end());
    return names;
}

std::string JsonReader::path(std::string_view key) const {
    const bool is_nested = path_.find(": ") != std::string::npos;
    return path_ + (is_nested ? "." : ": ") + std::string(key);
}

void JsonReader::reject_unknown() const {
    for (const auto& [name, value] : *object_->get_if<Json::Object>()) {
        if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
            const std::string meant = nearest(name, known_);
            throw InvalidInput(
                path_ + ": unknown key '" + name.substr(0, longest_word) + "' (nothing reads it); " +
                (meant.empty() ? "remove it, or use one of: " + joined(known_) : "did you mean '" + meant + "'?"));
        }
    }
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t smallest = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        if (word.size() > longest_word || candidate.size() > longest_word) {
            continue;
        }
        const std::size_t edits = distance(word, candidate);
        if (edits < smallest && edits < std::max(word.size(), candidate.size())) {
            smallest = edits;
            best = candidate;
        }
    }
    return best;
}

std::size_t index_of(const std::string& word, const std::vector<std::string>& known, const std::string& path) {
    const auto found = std::ranges::find(known, word);
    if (found != known.end()) {
        return static_cast<std::size_t>(found - known.begin());
    }
    const std::string near = nearest(word, known);
    throw InvalidInput(path + " is \"" + word.substr(0, 64) + "\" (known: " + joined(known) + "); " +
                       (near.empty() ? "choose one of them" : "did you mean \"" + near + "\"?"));
}

}  // namespace plumecast
