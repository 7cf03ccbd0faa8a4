#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

namespace plumecast::h5 {

/// Has the chunks of a new array shuffled, deflated at level 4, and given Fletcher-32 checksums. Throws IoError, which
/// begins with `problem`, where the library has no zlib.
void deflate_chunks(hid_t plan, const std::string& problem);

/// A chunk as File::create_array() has the library store it: bytes of equal place in the values next to each other,
/// deflated (RFC 1950), and followed by the library's Fletcher-32 checksum. Deflation looks for runs of a byte only,
/// which in computed fields are nearly all that repeats: less than half the time of level 4 of the library's own
/// filter, and hardly larger. Needs no lock.
std::vector<std::byte> packed(std::span<const float> values);

}  // namespace plumecast::h5
