#pragma once

#include "console.hpp"
#include "exit_code.hpp"
#include "interrupts.hpp"
#include "reservoir/dataset/cases/case_operations.hpp"

namespace plumecast::app {

/// Shows how far an operation on cases is, and stops it when a signal asks for that.
CaseProgress case_progress(Console& console, const Interrupts& interrupts);

/// Prints the files that an operation wrote; exit_interrupted when it was stopped.
ExitCode print_report(const CaseReport& report, Console& console);

/// Says that a signal stopped a subcommand before it wrote anything.
ExitCode report_interruption(Console& console);

}  // namespace plumecast::app
