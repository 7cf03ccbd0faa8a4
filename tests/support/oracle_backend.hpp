#pragma once

#include <memory>

#include <plumecast/backend/backend.hpp>

namespace plumecast::testing {

/// Every op in double precision, written straight from its definition: loops over index tuples, one thread, no
/// vendor library. compute_type() is float64 and memory() is counted host memory. The judge of all other backends.
std::unique_ptr<Backend> make_oracle_backend();

}  // namespace plumecast::testing
