#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <hdf5.h>

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

/// A text of fixed length without what pads it: blanks in the type of Fortran, zeros in others.
inline std::string fixed_text(std::string text, hid_t type) {
    text.resize(std::min(text.find('\0'), text.size()));
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) {
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text;
}

}  // namespace plumecast::h5
