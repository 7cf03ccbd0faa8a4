#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <hdf5.h>

#include "reservoir/h5/handle.hpp"

namespace plumecast::h5 {

/// The library's type of a C++ element type in memory: float, double, std::int64_t or std::uint8_t.
template <class T>
hid_t native_type() {
    if constexpr (std::is_same_v<T, float>) {
        return H5T_NATIVE_FLOAT;
    } else if constexpr (std::is_same_v<T, double>) {
        return H5T_NATIVE_DOUBLE;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
        return H5T_NATIVE_INT64;
    } else {
        static_assert(std::is_same_v<T, std::uint8_t>);
        return H5T_NATIVE_UINT8;
    }
}

/// Texts of a length in UTF-8. Fixed lengths are written, because the library reads a damaged heap of variable ones out
/// of bounds.
inline Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), length);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

/// Texts as a file stores them: one after the other, each padded with zeros to the longest and one zero more.
struct FixedTexts {
    Handle type;
    std::string raw;

    explicit FixedTexts(const std::vector<std::string>& texts) {
        std::size_t length = 1;
        for (const std::string& text : texts) {
            length = std::max(length, text.size() + 1);
        }
        type = text_type(length);
        for (const std::string& text : texts) {
            raw += text + std::string(length - text.size(), '\0');
        }
    }
};

/// A text of fixed length without what pads it: blanks in the type of Fortran, zeros in others.
inline std::string fixed_text(std::string text, hid_t type) {
    text.resize(std::min(text.find('\0'), text.size()));
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) {
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text;
}

}  // namespace plumecast::h5
