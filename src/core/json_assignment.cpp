#include "core/json_assignment.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"

namespace plumecast {
namespace {

/// The entry of an object, or of a list by its place; nullptr where there is none. Adds what there is to `known`.
Json* entry_of(Json& parent, const std::string& word, std::vector<std::string>& known) {
    if (auto* object = parent.get_if<Json::Object>()) {
        for (auto& [key, value] : *object) {
            if (key == word) {
                return &value;
            }
            known.push_back(key);
        }
    } else if (auto* list = parent.get_if<Json::Array>()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (std::to_string(i) == word) {
                return &(*list)[i];
            }
            known.push_back(std::to_string(i));
        }
    }
    return nullptr;
}

/// The text as JSON where it is JSON of a fitting kind, else as a string.
Json value_of(const std::string& text, const Json& present, const std::string& assignment) {
    Json value;
    try {
        value = Json::parse(text, "value");
    } catch (const InvalidInput&) {
        if (present.get_if<std::string>() == nullptr) {
            require_no_meant_number(text, assignment);
        }
        return text;
    }
    const bool is_compound = value.is_object() || value.get_if<Json::Array>() != nullptr;
    const bool is_text = value.get_if<std::string>() != nullptr;
    return present.get_if<std::string>() != nullptr && !is_compound && !is_text ? Json(text) : value;
}

}  // namespace

void assign(Json& document, const std::string& assignment, const std::string& what, LastEntry last) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InvalidInput("'" + assignment + "' sets nothing (an assignment has the form key=value); write it so");
    }
    const std::string dotted = assignment.substr(0, equals);
    Json* entry = &document;
    for (std::size_t begin = 0; begin <= dotted.size();) {
        const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
        const std::string word = dotted.substr(begin, end - begin);
        std::vector<std::string> known;
        Json* const parent = entry;
        entry = entry_of(*parent, word, known);
        if (entry == nullptr && last == LastEntry::may_be_new && end == dotted.size() && parent->is_object()) {
            entry = &(*parent)[word];
        } else if (entry == nullptr) {
            const std::string near = nearest(word, known);
            throw InvalidInput(what + " has no entry '" + dotted + "' (nothing reads '" + word + "' there); " +
                               (near.empty() ? "its defaults list the entries" : "did you mean '" + near + "'?"));
        }
        begin = end + 1;
    }
    *entry = value_of(assignment.substr(equals + 1), *entry, assignment);
}

std::optional<std::string> meant_number(const std::string& text) {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    double value = 0.0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    const bool lacks_form =
        text.starts_with('+') || text.starts_with('.') || text.starts_with("-.") || text.ends_with('.');
    const bool is_number = error == std::errc() && stop == end && std::isfinite(value);
    return is_number && lacks_form ? std::optional(number_text(value)) : std::nullopt;
}

void require_no_meant_number(const std::string& text, const std::string& assignment) {
    if (const std::optional<std::string> number = meant_number(text)) {
        throw InvalidInput(
            fmt::format("{}: '{}' is no number of JSON (one has a digit before and after its point, and no "
                        "plus before it); write {}",
                        assignment, text, *number));
    }
}

}  // namespace plumecast
