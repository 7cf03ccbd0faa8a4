#pragma once

#include <cstddef>
#include <string_view>

namespace plumecast {

/// What stands in the place of a file: an archive, a pointer of Git LFS, a web page.
struct ForeignFormat {
    std::string_view name;    ///< "compressed with gzip", behind "it is"; empty for none that is known
    std::string_view remedy;  ///< "unpack it with 'gunzip'"
};

/// Bytes at the start of a file that foreign_format() looks at.
inline constexpr std::size_t foreign_format_bytes = 64;

/// By the first bytes of a file of any kind that Plumecast reads.
ForeignFormat foreign_format(std::string_view start);

}  // namespace plumecast
