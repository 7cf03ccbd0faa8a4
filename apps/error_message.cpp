#include "error_message.hpp"

#include <array>
#include <filesystem>

#include <plumecast/inference/evaluation.hpp>

#include "core/text/replaced.hpp"

namespace plumecast::app {
namespace {

/// What the library calls options, and what the command line does.
constexpr std::array<Replacement, 46> command_line_words = {
    {{"CpuOptions::threads", "--threads"},
     {"PredictionOptions::batch = ", "--batch "},
     {", or 0 for as many as fit", " or --batch auto"},
     {"PredictionOptions::beyond = Beyond::leave_nan", "--extrapolate nan"},
     {"use the CPU", "use --device cpu"},
     {"a process grid Nx1", "--grid Nx1"},
     {"Transport::host", "--transport host"},
     {"choose one in ReportOptions::cases", "choose one with --case"},
     {"ExportOptions::name '", "--name '"},
     {"not the depth of your formation, give it", "not the depth of your formation, give --top-depth"},
     {"the critical build-up of your site, or", "the critical build-up of your site with --front, or"},
     {"what it follows from: depth of the drinking water and density of the brine",
      "what it follows from with --water-depth and --brine-density"},
     {"in ImportOptions::like", "by --like"},
     {"continue the run with Trainer::resume()", "continue the run with 'plumecast train --resume'"},
     {"Trainer::resume()", "--resume"},
     {"without events for TensorBoard", "without --tensorboard"},
     {"choose a field that one of them predicts", "name a field of one of them with --field"},
     {"choose another folder in the recipe (output)", "choose another folder with --output"},
     {"start a new run in another folder", "start a new run with --output"},
     {"Recipe().to_json() lists the entries", "list the entries with 'plumecast config --default ufno'"},
     {"Recipe::set ", "--set "},
     {"InversionConfig::to_json() lists the entries", "list the entries with 'plumecast invert --default'"},
     {"InversionConfig::set ", "--set "},
     {"choose another in CudaOptions::device", "choose another with --device cuda:N"},
     {"ask for another part of it (CudaOptions::memory_bytes or memory_share)",
      "ask for another part of it (--device-memory)"},
     {"Transport::device", "--transport device"},
     {"choose another file for the data set", "choose another file with --output"},
     {"continue by GenerationOptions::resume", "continue with --resume"},
     {"by GenerationOptions::replace", "with --force"},
     {"another one in GenerationOptions::keep_decks", "another folder with --keep-decks"},
     {"a folder in GenerationOptions::keep_decks", "--keep-decks FOLDER"},
     {"choose another folder, or have it replaced (is_forced)",
      "choose another folder with -o, or replace it with --force"},
     {"choose SplitOptions::is_exact, or another seed", "choose --exact, or another --seed"},
     {"out (SubsetOptions::without_outputs)", "out with 'plumecast subset --without-outputs'"},
     {"Duplicates::drop or Duplicates::keep", "--duplicates drop or keep"},
     {"imported by a map, one at a time and without ImportOptions::like, values and settings",
      "imported by --map, one at a time and without --like, --values and --set"},
     {"give it in ImportOptions::map", "give it with --map"},
     {"ImportOptions::like", "--like"},
     {"ImportOptions::constant_rates", "--constant-rates"},
     {"import it as a box, onto", "import it with --grid box, onto"},
     {"check the order in which channels are given", "check the order of the channels (--channels)"},
     {"take the own recipe of the model ", "take the model's own recipe with 'plumecast config --from "},
     {" in place of this one", "'"},
     {"for example for ", "for example 'plumecast report "},
     {": drinking water down to 300 m, brine of 1080 kg/m3, top of the formation at ",
      " -o report --water-depth 300 --brine-density 1080 --top-depth "},
     {" m, as numbers of this site would be", "' for drinking water down to 300 m and brine of 1080 kg/m3"}}};

}  // namespace

std::string in_command_line_words(const std::string& message) { return replaced(message, command_line_words); }

std::string error_message(const std::exception& error) {
    if (dynamic_cast<const Interrupted*>(&error) != nullptr) {
        return "interrupted (a signal asked to stop); start again to continue";
    }
    const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    return of_file == nullptr ? in_command_line_words(error.what())
                              : of_file->path1().string() + ": cannot be reached (" + of_file->code().message() +
                                    "); check the path and its permissions";
}

}  // namespace plumecast::app
