#pragma once

#include <algorithm>
#include <string>

namespace plumecast {

// Letters and digits of ASCII, whatever the locale of the program: names in files are no words of a language, and in a
// Turkish locale "i" is not the small letter of "I".

/// 0 to 9.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// a to z.
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
/// A to Z.
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
/// Small or capital.
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
/// Blank, tab and what ends a line or page.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/// Blank to tilde.
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

/// The small letter of a capital one; others stay.
constexpr char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
/// The capital letter of a small one; others stay.
constexpr char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

/// The text with its letters of ASCII small.
inline std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return lower(c); });
    return text;
}

/// The text with its letters of ASCII capital.
inline std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return upper(c); });
    return text;
}

}  // namespace plumecast
