#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_model/configuration.hpp"
#include "reservoir/generation/generation_report.hpp"
#include "reservoir/simulation/rejection.hpp"

namespace plumecast {

/// Hears what a run does, in the thread that called run().
class GenerationObserver {
   public:
    virtual ~GenerationObserver() = default;
    /// About five times a second.
    virtual void progress(const GenerationProgress&) {}
    /// What is to know of this run, before its first case.
    virtual void warning(const std::string&) {}
    /// Once for every case rejected in this run.
    virtual void rejected(const RejectedCase&) {}
    /// True ends the run after killing the simulators at work; finished cases are kept.
    virtual bool stop_requested() { return false; }
};

/// How to run.
struct GenerationOptions {
    std::string output;   ///< data set file to make
    int jobs = 1;         ///< simulators at work at once, each with one thread
    bool resume = false;  ///< continue what is there
    /// Where it does not resume: begin anew, whatever cases are there. OUTPUT stays until the new one is complete.
    bool replace = false;
    /// Replace kept runs of other decks in the folder of decks.
    bool replace_decks = false;
    std::string keep_decks;  ///< folder that keeps decks and simulator output; empty for none
};

/// Makes a data set: draws cases 0, 1, 2 ... and simulates them until `configuration.cases` of them pass every check.
/// A case depends on seed and number alone, so the result is the same for any number of jobs.
///
/// Each finished or rejected case becomes one small file in OUTPUT.parts, written atomically; the data set is put
/// together from them at the end. A run that was killed therefore loses the simulations at work and nothing else. With
/// `resume`, a data set that is complete is extended when the configuration asks for more cases.
///
/// Throws InvalidInput when the simulator is missing, when OUTPUT or its parts exist already without `resume` and
/// `replace`, when those to be resumed come from another configuration, when the folder of parts holds anything else,
/// when a kept run of another deck stands in the way, or when too many cases are rejected; IoError.
GenerationReport generate(const GeneratorConfiguration& configuration, const GenerationOptions& options,
                          GenerationObserver& observer);

/// Makes a data set of the cases of another one, in a file, simulated: radial cases, boxes, and corner-point grids that
/// state their corners. Cases that the simulator fails on, or that miss a check, are left out and told of;
/// `/case/number` says which case of the other data set each is. Parts, `resume` and errors are those of generate();
/// throws InvalidData besides for cases that decks do not describe.
GenerationReport simulate(const Dataset& cases, const SimulatorSettings& simulator, const GenerationOptions& options,
                          GenerationObserver& observer);

}  // namespace plumecast
