#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace plumecast {

/// A text in whose place another one is put.
using Replacement = std::pair<std::string_view, std::string_view>;

/// A text with all places of some texts replaced, one after the other: messages name options as C++ does, and programs
/// and other languages by the names that their users give.
std::string replaced(std::string text, std::span<const Replacement> replacements);

}  // namespace plumecast
