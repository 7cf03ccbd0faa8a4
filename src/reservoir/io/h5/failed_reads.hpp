#pragma once

#include <string>

namespace plumecast::h5 {

/// What to do about a file that the library cannot open, by the reason that it gives: another program writes it still,
/// it ends too early, it is of a newer format, or it is damaged.
std::string opening_remedy(const std::string& reason);

}  // namespace plumecast::h5
