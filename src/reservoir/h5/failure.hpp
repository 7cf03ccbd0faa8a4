#pragma once

#include <filesystem>
#include <string>

#include <hdf5.h>

#include <plumecast/core/error.hpp>

namespace plumecast::h5 {

/// Why a file could not be opened: still open by its writer, cut short, or of a format newer than the library. Problem
/// and remedy as the end of a message, "(why); what to do". Throws std::bad_alloc as innermost_message() does.
std::string why_not_opened(const std::filesystem::path& file);

/// Why a file without the signature of HDF5 is none: a format of another name where it is known.
std::string why_no_hdf5(const std::filesystem::path& file);

/// Why values of an array could not be read: a filter that this library lacks, a newer format, or damage. The end of a
/// message, as above.
std::string why_not_read(hid_t array);

/// As check(), with the reasons of why_not_read().
template <class Result>
Result check_read(Result result, hid_t array, const std::string& problem) {
    if (result < 0) {
        throw InvalidData(problem + " " + why_not_read(array));
    }
    return result;
}

}  // namespace plumecast::h5
