#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <plumecast/core/error.hpp>

namespace plumecast::c {

inline void require_size(std::size_t size, const char* argument) {
    if (size < sizeof(std::size_t)) {
        throw InvalidInput(std::string(argument) +
                           " has no size (structs begin with theirs); set its member size to sizeof the struct");
    }
}

/// The caller's options over the defaults; those that an older and smaller struct lacks keep theirs. `defaults` for
/// NULL. Throws InvalidInput for a struct without a size.
template <class Options>
Options read_sized(const Options* given, Options defaults, const char* argument) {
    if (given != nullptr) {
        require_size(given->size, argument);
        std::memcpy(&defaults, given, std::min(given->size, sizeof defaults));
    }
    return defaults;
}

/// Fills as much of the caller's struct as it has room for; its size stays.
template <class Answer>
void write_sized(Answer* to, Answer answer, const char* argument) {
    require_size(to->size, argument);
    answer.size = to->size;
    std::memcpy(static_cast<void*>(to), &answer, std::min(to->size, sizeof answer));
}

}  // namespace plumecast::c
