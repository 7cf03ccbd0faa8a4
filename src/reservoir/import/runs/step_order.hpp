#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plumecast {

/// The states of a run in the order of time, by their places in its files.
struct StepOrder {
    std::vector<std::size_t> steps;
    std::string note;  ///< what was sorted or left out; empty for files in order
};

/// Puts report steps in order. Steps with numbers of their own (SEQNUM, NaN where there is none) are sorted by them;
/// where numbers repeat the run was started anew in the same files, and what was written last counts, as it does of two
/// states of one day. Throws InvalidData naming the run when days and numbers contradict each other.
StepOrder step_order(const std::string& run, const std::vector<double>& days, const std::vector<double>& numbers);

}  // namespace plumecast
