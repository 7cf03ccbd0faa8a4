#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>
#include <plumecast/core/json.hpp>
#include <plumecast/reservoir/batches/batch.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "command.hpp"
#include "core/number_text.hpp"
#include "reservoir/dataset/channel_layout.hpp"
#include "subcommands/cases/note_lines.hpp"

namespace plumecast::app {
namespace {

struct ValidateOptions {
    std::string path;
    bool json = false;
};

/// Reads every case, so that the first damaged one is named by the exception.
std::vector<Violation> check_channels_file(const std::string& path) {
    const auto source = channel_file_source(path);
    for (std::int64_t i = 0; i < source->cases(); ++i) {
        const std::int64_t cases[] = {i};
        source->load(cases);
    }
    return {};
}

std::string text_of(const std::vector<Violation>& violations, const std::vector<DataNote>& notes,
                    const std::string& path, std::int64_t errors) {
    std::string text;
    for (const DataNote& note : notes) {
        text += fmt::format("note    {}\n", note.line());
    }
    for (const Violation& v : violations) {
        text += fmt::format("{} {}: {}; {}\n", v.is_error ? "error  " : "warning", v.path, v.problem, v.remedy);
    }
    if (violations.empty()) {
        return text + path + ": valid\n";
    }
    return text + fmt::format("{}: {}, {}\n", path, counted(errors, "error"),
                              counted(static_cast<std::int64_t>(violations.size()) - errors, "warning"));
}

Json json_of(const std::vector<Violation>& violations, const std::vector<DataNote>& notes, const std::string& path,
             std::int64_t errors) {
    Json::Array list;
    for (const Violation& v : violations) {
        list.push_back(Json::Object{{"path", v.path},
                                    {"severity", v.is_error ? "error" : "warning"},
                                    {"problem", v.problem},
                                    {"remedy", v.remedy}});
    }
    return Json::Object{
        {"file", path}, {"valid", errors == 0}, {"violations", std::move(list)}, {"notes", notes_json(notes)}};
}

/// Notes of a file that is open to reading at all.
std::vector<DataNote> notes_of(const std::string& path) {
    try {
        return data_notes(path);
    } catch (const InvalidData&) {
        return {};  // a violation says what is wrong with it
    }
}

ExitCode validate(const ValidateOptions& options, Console& console) {
    const std::vector<Violation> violations =
        is_channel_file(options.path) ? check_channels_file(options.path) : plumecast::validate(options.path);
    const std::int64_t errors = std::ranges::count_if(violations, &Violation::is_error);
    const std::vector<DataNote> notes = notes_of(options.path);
    console.print(options.json ? json_of(violations, notes, options.path, errors).dump() + "\n"
                               : text_of(violations, notes, options.path, errors));
    return errors > 0 ? exit_data : exit_ok;
}

}  // namespace

Command make_validate(CLI::App& parent) {
    CLI::App* app = parent.add_subcommand("validate", "Name everything in a data file that violates the format");
    const auto options = std::make_shared<ValidateOptions>();
    app->add_option("file", options->path, "Data set, or file with ready-made channels")
        ->required()
        ->type_name("FILE.h5");
    app->add_flag("--json", options->json, "Print JSON");
    add_examples(*app,
                 "  plumecast validate cases.h5\n  plumecast validate cases.h5 --json\n\n"
                 "Exits with 3 when there is an error; a warning alone is no error.");
    return {app, [options](Console& console) { return validate(*options, console); }};
}

}  // namespace plumecast::app
