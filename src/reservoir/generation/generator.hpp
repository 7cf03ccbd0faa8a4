#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reservoir/case_model/configuration.hpp"
#include "reservoir/simulation/rejection.hpp"

namespace plumecast {

/// How far a run is.
struct GenerationProgress {
    std::int64_t wanted = 0;    ///< cases of the data set
    std::int64_t finished = 0;  ///< of them finished, in earlier runs too
    std::int64_t rejected = 0;
    std::int64_t running = 0;     ///< being drawn or simulated now
    double cases_per_hour = 0.0;  ///< finished in this run; 0 before the first
    double seconds_left = 0.0;    ///< infinite before the first
};

/// A case that did not enter the data set.
struct RejectedCase {
    std::int64_t number = 0;
    Rejection reason = Rejection::simulator_failed;
    std::string detail;
};

/// Hears what a run does, in the thread that called run().
class GenerationObserver {
   public:
    virtual ~GenerationObserver() = default;
    /// About five times a second.
    virtual void progress(const GenerationProgress&) {}
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

/// What a run came to.
struct GenerationReport {
    bool is_complete = false;  ///< false when it was asked to stop: finished cases wait for a run with `resume`
    std::int64_t finished = 0;
    std::map<Rejection, std::int64_t> rejected;
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

}  // namespace plumecast
