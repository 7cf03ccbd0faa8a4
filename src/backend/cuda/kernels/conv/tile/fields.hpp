#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace plumecast::cuda::tile {

inline constexpr int most_fields = 4;

/// Fields of equal cells, their channels one after the other: the inputs of a convolution, read where they lie.
template <class T>
struct Fields {
    std::array<const T*, most_fields> data{};
    std::array<int, most_fields> channels{};
    int count = 0;
    int unit = 16;  ///< bytes: divides every run of channels and every address; 16, 8, 4 or 2

    void add(const T* field, int own) {
        const auto bytes = reinterpret_cast<std::uintptr_t>(field) | (static_cast<std::size_t>(own) * sizeof(T));
        while (bytes % static_cast<unsigned>(unit) != 0) {
            unit /= 2;
        }
        data[static_cast<std::size_t>(count)] = field;
        channels[static_cast<std::size_t>(count)] = own;
        ++count;
    }
};

/// Fields of equal cells that a convolution writes, their channels one after the other.
template <class T>
struct Targets {
    std::array<T*, most_fields> data{};
    std::array<int, most_fields> channels{};
    std::array<float, most_fields> beta{};  ///< of what is there
    int count = 0;
    bool even = true;  ///< pairs of channels lie in one field, aligned

    void add(T* field, int own, float kept) {
        data[static_cast<std::size_t>(count)] = field;
        channels[static_cast<std::size_t>(count)] = own;
        beta[static_cast<std::size_t>(count)] = kept;
        even = even && own % 2 == 0 && reinterpret_cast<std::uintptr_t>(field) % (2 * sizeof(T)) == 0;
        ++count;
    }
};

/// Cells of a box of a field [batch, cells..., channels], counted from its first; cells outside the field are zero.
struct FieldBox {
    int batch;
    std::array<int, 3> cells;  ///< of the field
    std::array<int, 3> first;
    std::array<int, 3> extents;
};

}  // namespace plumecast::cuda::tile
