#pragma once

#include <cstdint>

#include <hdf5.h>

namespace plumecast::h5 {

/// Bytes kept beyond what is written next, for what the library adds when it closes a file.
inline constexpr std::uint64_t room_to_close = 64 * 1024;

/// Sets disk space aside for the bytes [begin, end) of an open file, without changing its size, because the library
/// cannot go on after a write that failed. 0, or an errno value: ENOSPC, EDQUOT, EFBIG (also for the process's limit of
/// file sizes) or EIO. File systems that cannot set space aside give 0.
int room_error(int descriptor, std::uint64_t begin, std::uint64_t end);

/// The same for the first bytes of a file that is not open yet.
int room_error(const char* path);

/// Descriptor of an open file of the ordinary driver; -1 for none.
int descriptor_of(hid_t file);

/// Closes a file that was written. One whose writes fail is let go of: what the library still has to write goes to
/// memory, since it would end the process otherwise, and the file is left incomplete. Negative when the library
/// refuses.
herr_t close_written(hid_t file);

/// Gives back the space that was set aside beyond the end of a file.
void give_back_room(int descriptor);

}  // namespace plumecast::h5
