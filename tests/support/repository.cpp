#include "support/repository.hpp"

namespace plumecast::testing {

std::string repository_folder() { return PLUMECAST_REPOSITORY; }

}  // namespace plumecast::testing
