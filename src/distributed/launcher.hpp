#pragma once

namespace plumecast {

/// Number of ranks that a launcher says it started; 0 when no launcher started this process.
int launched_ranks();

}  // namespace plumecast
