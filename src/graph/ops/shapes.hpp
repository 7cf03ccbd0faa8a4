#pragma once

#include <cstddef>
#include <span>

#include <plumecast/core/error.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast {

/// The corner of all arrays of so many axes.
inline Shape origin(int rank) {
    Shape low;
    for (int axis = 0; axis < rank; ++axis) {
        low = low.append(0);
    }
    return low;
}

/// A view of what is only read, where a view that may be written is asked for.
inline View only_read(ConstView view) { return {view.shape, view.type, const_cast<void*>(view.data)}; }

/// The memory of a further result; without data where nobody reads it.
inline View further_view(std::span<const View> further, std::size_t which) {
    return which < further.size() ? further[which] : View();
}

}  // namespace plumecast
