#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

/// Errors of the library. Message grammar: problem (why it is one); what to do.
namespace plumecast {

/// Base of everything the library throws.
class Error : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

/// A value from the user (argument, configuration, file content) that cannot be used.
class InvalidInput : public Error {
   public:
    using Error::Error;
};

/// A file's content violates its format; a kind of invalid input with the file named.
class InvalidData : public InvalidInput {
   public:
    using InvalidInput::InvalidInput;
};

/// A model bundle or checkpoint that cannot be used.
class InvalidModel : public InvalidInput {
   public:
    using InvalidInput::InvalidInput;
};

/// A compute library, a device or the system refused to compute.
class DeviceError : public Error {
   public:
    using Error::Error;
};

/// The memory of a device, or of the host, does not hold what is asked for: less may fit.
class OutOfMemory : public DeviceError {
   public:
    using DeviceError::DeviceError;
};

/// Ranks could not talk to each other.
class CommError : public Error {
   public:
    using Error::Error;
};

/// The operating system refused to read or write.
class IoError : public Error {
   public:
    using Error::Error;
};

/// An iteration did not reach its tolerance within its limit; there is no result.
class NotConverged : public Error {
   public:
    using Error::Error;
};

/// The feature exists but this build leaves it out.
class NotBuilt : public Error {
   public:
    using Error::Error;
};

/// Throws Error that names what was not guaranteed, and the place.
[[noreturn]] void fail_expectation(const char* what, const std::source_location& where);
/// States what a caller inside the library must guarantee; throws Error naming the place otherwise. The message is made
/// elsewhere, so that the check is a comparison in loops that wait for it.
inline void expects(bool condition, const char* what,
                    const std::source_location& where = std::source_location::current()) {
    if (!condition) {
        fail_expectation(what, where);
    }
}

/// Thrown when the caller asked to stop.
class Interrupted : public Error {
   public:
    Interrupted() : Error("stopped (the caller asked for it); start again to continue") {}
    using Error::Error;
};

}  // namespace plumecast
