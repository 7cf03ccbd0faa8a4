#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/channel_layout.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {

bool is_channel_file(const std::string& path) { return h5::File::open(path).has(channels_path); }

Shape channel_shape(const std::string& path) {
    const h5::ArrayInfo info = h5::File::open(path).info(channels_path);
    const bool is_numeric = info.element == h5::Element::real;
    const bool is_full = std::all_of(info.extents.begin(), info.extents.end(), [](auto extent) {
        return extent > 0 && extent <= std::numeric_limits<std::int32_t>::max();
    });
    if (!is_numeric || (info.extents.size() != 5 && info.extents.size() != 6) || !is_full) {
        throw InvalidData(path +
                          ": /channels is no array of numbers with five axes, none empty (N, Z, R, T, C is the "
                          "layout of ready-made channels, and N, Z, Y, X, T, C); store it so");
    }
    return Shape(std::span<const std::int64_t>(info.extents));
}

}  // namespace plumecast
