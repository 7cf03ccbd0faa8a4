#include "core/text/replaced.hpp"

namespace plumecast {

std::string replaced(std::string text, std::span<const Replacement> replacements) {
    for (const auto& [what, with] : replacements) {
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
            text.replace(at, what.size(), with);
        }
    }
    return text;
}

}  // namespace plumecast
