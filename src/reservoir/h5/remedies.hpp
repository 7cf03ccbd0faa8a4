#pragma once

/// What users can do when the HDF5 library refuses.
namespace plumecast::h5 {

inline constexpr const char* read_remedy = "the file is damaged or truncated; fetch or write it again";
inline constexpr const char* write_remedy = "free space, or choose another folder that you may write to";

}  // namespace plumecast::h5
