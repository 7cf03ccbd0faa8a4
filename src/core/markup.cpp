#include "core/markup.hpp"

namespace plumecast {
namespace {

/// XML 1.0 admits none of the characters below the blank but tab and the ends of lines.
bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r'; }

}  // namespace

std::string escape_markup(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += is_control(c) ? '?' : c;
        }
    }
    return result;
}

}  // namespace plumecast
