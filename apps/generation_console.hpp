#pragma once

#include <string>

#include "console.hpp"
#include "exit_code.hpp"
#include "interrupts.hpp"
#include "reservoir/generation/generator.hpp"

namespace plumecast::app {

/// Tells simulations of many cases on the console and passes signals on to them.
class GenerationConsole : public GenerationObserver {
   public:
    GenerationConsole(Console& console, bool is_verbose) : console_(console), is_verbose_(is_verbose) {}

    void progress(const GenerationProgress& p) override;
    void warning(const std::string& text) override { console_.warn(text); }
    void rejected(const RejectedCase& rejected) override;
    bool stop_requested() override { return interrupts_.requested(); }

    /// Says how a run ended that writes `output`.
    ExitCode end(const GenerationReport& report, const std::string& output);

   private:
    Console& console_;
    bool is_verbose_;
    Interrupts interrupts_;
};

/// How a run from the file `source` treats what is there. Throws InvalidInput where it would lose anything.
GenerationOptions simulation_run(GenerationOptions run, const std::string& source, bool is_forced);

}  // namespace plumecast::app
