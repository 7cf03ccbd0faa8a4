#pragma once

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/reservoir/case_physics/case_failures.hpp>

namespace plumecast {

/// Tells every rank of the cases that failed on any of them; of a case that several name, a rank keeps its own reason,
/// else that of the first of them. Collective.
void share_failures(CaseFailures& failures, Communicator& ranks);

}  // namespace plumecast
