#pragma once

#include <functional>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast::testing {

/// What one rank of a test does.
using RankBody = std::function<void(Communicator&)>;

/// Runs a body on `ranks` ranks at once. Under a launcher (mpirun) these are the ranks of the job, and a test for
/// another number of them is left out; otherwise they are threads of this process. Rethrows what the first failing rank
/// threw.
void on_ranks(int ranks, const RankBody& body);

/// The same for 1, 2, 3, 4, 6 and 8 ranks.
void on_several_ranks(const RankBody& body);

/// Makes the ranks of the job those that tests run on; called once, before the first test.
void run_tests_on(Communicator& world);

/// True when tests run on the ranks of a job.
bool is_launched();

/// How many ranks that job has, and which of them this is; 1 and 0 without one.
int ranks_of_job();
int launched_rank();

}  // namespace plumecast::testing
