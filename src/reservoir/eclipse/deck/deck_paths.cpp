#include "reservoir/eclipse/deck/deck_paths.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"
#include "reservoir/eclipse/record_reader.hpp"

namespace plumecast::eclipse {
namespace {

bool is_alias_letter(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace

void DeckPaths::read_aliases(DeckWords& words) {
    for (DeckWord name = words.next(); !name.is_end() && !name.closes(); name = words.next()) {
        const DeckWord folder = words.next();
        if (folder.is_end() || folder.closes()) {
            words.damaged(name.at, "PATHS names no folder for '" + printable(name.text) + "'",
                          "a name and a folder stand in a record");
        }
        aliases_[name.text] = folder.text;
        for (DeckWord rest = words.next(); !rest.is_end() && !rest.closes(); rest = words.next()) {
        }
    }
}

std::filesystem::path DeckPaths::file(const DeckWord& name, const DeckWords& words) const {
    std::string text = without_trailing_blanks(name.text);
    for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at)) {
        const auto end =
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), is_alias_letter);
        const std::string alias(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, end);
        const auto found = aliases_.find(alias);
        if (found == aliases_.end()) {
            words.damaged(name.at, "INCLUDE '" + printable(name.text) + "'",
                          "no PATHS before it names '" + printable(alias) + "'");
        }
        text.replace(at, alias.size() + 1, found->second);
        at += found->second.size();
    }
    std::error_code ignored;
    if (!std::filesystem::exists(folder_ / text, ignored)) {
        std::ranges::replace(text, '\\', '/');
    }
    const std::filesystem::path beside = std::filesystem::path(words.path()).parent_path() / text;
    const bool is_beside =
        !std::filesystem::exists(folder_ / text, ignored) && std::filesystem::exists(beside, ignored);
    return is_beside ? beside : folder_ / text;
}

DeckWord included_name(const DeckWord& keyword, DeckWords& words) {
    DeckWord name = words.next_path();
    if (!name.is_quoted && name.text.size() > 1 && name.text.ends_with('/')) {
        name.text.pop_back();
    } else if (name.is_quoted || !(name.is_end() || name.text == "/")) {
        const DeckWord end = words.next();
        if (!end.closes()) {
            words.put_back(end);
        }
    }
    if (name.is_end() || name.text == "/" || name.text.empty()) {
        words.damaged(keyword.at, "INCLUDE without a file name", "a name and a slash follow it");
    }
    return name;
}

}  // namespace plumecast::eclipse
