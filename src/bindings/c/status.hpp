#pragma once

#include <exception>
#include <string>

#include <plumecast.h>

namespace plumecast::c {

/// Message of the last call of this thread that failed.
const char* last_error() noexcept;

/// The status of the error being handled, whose message becomes last_error(); within a catch only.
plumecast_status failed() noexcept;

/// Runs the work of a call; no exception leaves it.
template <class Work>
plumecast_status guarded(const Work& work) noexcept {
    try {
        work();
        return PLUMECAST_OK;
    } catch (...) {
        return failed();
    }
}

/// What a pointer points to. Throws InvalidInput naming the argument for NULL.
void require_pointer(const void* pointer, const char* argument);

template <class T>
T& required(T* pointer, const char* argument) {
    require_pointer(pointer, argument);
    return *pointer;
}

/// The text of an argument. Throws InvalidInput for NULL.
std::string text_of(const char* text, const char* argument);

}  // namespace plumecast::c
