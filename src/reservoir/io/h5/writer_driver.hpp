#pragma once

#include <hdf5.h>

namespace plumecast::h5 {

/// Makes a file access list write through a driver of our own that keeps the first write error in `failure` (an errno
/// value, 0 for none) and tells the library all is well. The library itself cannot close a file whose writes fail and
/// crashes at the end of the process. `failure` must outlive the file.
void use_writer_driver(hid_t access, int& failure);

}  // namespace plumecast::h5
