#pragma once

namespace plumecast {

/// Style and script of the page, from page.css and page.js.
extern const char* const page_style;
extern const char* const page_script;

}  // namespace plumecast
