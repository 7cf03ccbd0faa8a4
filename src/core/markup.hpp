#pragma once

#include <string>

namespace plumecast {

/// Text as it may stand in the content and the quoted attributes of XML 1.0 and HTML: & < > " become entities, control
/// characters '?'.
std::string escape_markup(const std::string& text);

}  // namespace plumecast
