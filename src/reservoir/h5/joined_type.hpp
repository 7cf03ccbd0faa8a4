#pragma once

#include <hdf5.h>

#include "reservoir/h5/handle.hpp"

namespace plumecast::h5 {

/// A stored type for the numbers or texts of two others: the wider of integers or of reals, reals for both kinds, texts
/// of the longer length. Truth values beside numbers are 0 and 1. Where none holds all of both, as of 64-bit integers
/// and reals, it is one of 8 bytes. No handle where the kinds have nothing in common.
Handle joined_type(hid_t a, hid_t b);

}  // namespace plumecast::h5
