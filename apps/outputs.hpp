#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace plumecast::app {

/// What a subcommand writes under the name after -o.
enum class OutputKind {
    fields,    ///< a result file, which predict or estimate can make again
    data_set,  ///< a data set made from other files
    picture,
    onnx
};

/// A file that a subcommand is about to write, and what it is made from.
struct Output {
    std::string path;
    OutputKind kind = OutputKind::fields;
    std::vector<std::string> inputs;  ///< files, and folders of models or runs; those that are not there do not count
    bool is_forced = false;           ///< --force was given
    std::string remedy = "give another name after -o, or replace it with --force";  ///< for what is there already
};

/// Adds `--force`.
CLI::Option* add_force(CLI::App& app, bool& is_forced);

/// Throws InvalidInput when a file that is there would be lost: always where it is one of the inputs, also by another
/// path or link, and without --force where it is not of the same kind and made by this program. A result file takes the
/// place of a result file, a picture that of a picture, an ONNX file that of an ONNX file, a data set that of a result
/// file or of inputs alone. Removes what killed runs left of the output.
void require_output_place(const Output& output);

/// Only the first of these: throws InvalidInput when a file that is there is one of the inputs.
void require_not_among(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace plumecast::app
