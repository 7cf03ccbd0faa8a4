#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/distributed/communicator.hpp>
#include <plumecast/plan/plan.hpp>

#include "plan/work.hpp"

namespace plumecast {

/// What a device reaches at best: a copy of large arrays, each byte read and written counted once, and a product of
/// large square matrices.
struct Ceilings {
    double bytes_per_second = 0.0, operations_per_second = 0.0;

    /// Time that some work takes at least [s]: the longer of moving and computing.
    double seconds(const OpWork& work) const;
    /// The same of ops that run one after the other [s].
    double seconds(std::span<const OpWork> ops) const;
};

/// Measured on a backend, the best of five times each, on larger arrays where it is faster; it takes 64 MiB of its
/// memory, on a fast device up to 1 GiB.
Ceilings measure_ceilings(Backend& backend);

/// Those of an NVIDIA H200 by its data sheet, dense products of numbers of a precision: for plans of CUDA devices that
/// are not there. No program reaches them.
Ceilings data_sheet_ceilings(Precision precision);

/// Work of the ops of a plan, in the order in which they run, with the element types of a backend.
std::vector<OpWork> work_of(const Plan& plan, const Backend& backend);

/// An op of a plan, in the order in which they run.
struct ExplainedOp {
    std::string name;  ///< of the op, with the weight or constant it reads, or with what its messages are for
    Shape result;
    OpWork work;
    double seconds = 0.0;          ///< measured; 0 where nothing was timed
    std::size_t bytes_in_use = 0;  ///< of the workspace, while it runs
    Traffic sent = {};             ///< to other ranks, counted where nothing was timed
};

/// What all of some ops send.
Traffic sent_by(std::span<const ExplainedOp> ops);

/// Runs a plan `repeats` times, at least once, after one run that warms up, and times each op by itself; medians.
std::vector<ExplainedOp> explain(Backend& backend, const Plan& plan, Tensor& workspace, const Feed& inputs,
                                 std::span<const View> outputs, int repeats);

/// Runs a plan once and counts what each op sends, of which `traffic` tells the sum so far; times nothing. For backends
/// and communicators that only plan.
std::vector<ExplainedOp> explain_messages(const Backend& backend, const Plan& plan, Tensor& workspace,
                                          const Feed& inputs, std::span<const View> outputs,
                                          const std::function<Traffic()>& traffic);

}  // namespace plumecast
