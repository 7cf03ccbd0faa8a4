#pragma once

#include <plumecast/core/error.hpp>

namespace plumecast {

/// Thrown when the caller asked to stop.
class Interrupted : public Error {
   public:
    Interrupted() : Error("stopped (the caller asked for it); start again to continue") {}
    using Error::Error;
};

}  // namespace plumecast
