#pragma once

#include <stdexcept>
#include <string>

#include <plumecast.h>

namespace plumecast::python {

/// A call of plumecast.h that failed; becomes the class of plumecast.errors that belongs to its status.
class Failure : public std::runtime_error {
   public:
    Failure(plumecast_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    plumecast_status status() const { return status_; }

   private:
    plumecast_status status_;
};

/// Throws Failure with the message of this thread for any status but PLUMECAST_OK.
void require(plumecast_status status);

/// Has Failure raised in Python from now on.
void translate_failures();

}  // namespace plumecast::python
