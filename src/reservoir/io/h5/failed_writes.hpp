#pragma once

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

/// Lets what HDF5 still writes to a file go nowhere. After a failed write, on a full disk for example, the library can
/// neither close the file nor end the process in peace, because it goes on trying; now it can. The file on the disk is
/// incomplete and must be removed. `number` is that of the problem.
void discard_writes(hid_t file, int number) noexcept;

/// Closes a file that was not written to its end, whether or not it can be written.
herr_t close_unfinished(hid_t file);

}  // namespace plumecast::h5
