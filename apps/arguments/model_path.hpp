#pragma once

#include <string>

#include <CLI/App.hpp>

namespace plumecast::app {

/// What the help says of a model.
inline constexpr const char* model_help =
    "Folder of a trained model, or the name of one in a folder of PLUMECAST_MODELS or in share/plumecast/models";

/// Folder of the model that the user named: the path itself where something is there; else "radial-co2" and
/// "models/radial-co2" alike in the folders that the variable PLUMECAST_MODELS lists, separated by colons, then in
/// share/plumecast/models beside the folder of the executable. What is found nowhere is returned as it was. Throws
/// IoError with the places for a single word, or one under models/, that is found nowhere.
std::string model_path(const std::string& named);

/// A file that is installed with the program, by its path in the repository: in share/plumecast, or that path.
std::string installed_file(const std::string& path);

}  // namespace plumecast::app
