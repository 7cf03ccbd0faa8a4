#pragma once

#include <cstdint>
#include <string>

#include <hdf5.h>

namespace plumecast::h5 {

/// Why the system refused a write.
struct WriteProblem {
    int number = 0;    ///< of the system's error (errno); 0 where the library names none
    std::string text;  ///< in the words of the system, or of the library; never the name of the file
};

/// The problem of which HDF5's error stack tells. Throws std::bad_alloc as innermost_message() does.
WriteProblem write_problem();

/// Throws IoError, with the words of the system, where a file of `size` bytes that grows by `bytes` would pass what a
/// process may write to a file (RLIMIT_FSIZE), with what HDF5 adds when it closes. On a full disk discard_writes()
/// helps; where this limit is met nothing does, so that it must not be.
void require_room(std::uint64_t size, std::uint64_t bytes, const std::string& name);

/// Lets what HDF5 still writes to a file go nowhere. After a failed write, on a full disk for example, the library can
/// neither close the file nor end the process in peace, because it goes on trying; now it can. The file on the disk is
/// incomplete and must be removed.
void discard_writes(hid_t file) noexcept;

/// Closes a file that was not written to its end, whether or not it can be written.
herr_t close_unfinished(hid_t file);

}  // namespace plumecast::h5
