#include "outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <plumecast/core/error.hpp>

#include "io/abandoned.hpp"
#include "plotting/picture_format.hpp"
#include "reservoir/dataset/dataset_origin.hpp"

namespace plumecast::app {
namespace {

namespace fs = std::filesystem;

bool is_same(const fs::path& a, const fs::path& b) {
    std::error_code absent;  // a file that is not there is no input yet, or is missed by who reads it
    return fs::equivalent(a, b, absent);
}

/// Whether a file lies anywhere below a folder.
bool is_below(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    fs::path above = fs::weakly_canonical(file, error).parent_path();
    for (; !above.empty() && above != above.root_path(); above = above.parent_path()) {
        if (is_same(above, folder)) {
            return true;
        }
    }
    return false;
}

/// A data set that lies in a folder of runs is none of their files.
bool is_input(const fs::path& output, const fs::path& input) {
    std::error_code ignored;
    return is_same(output, input) || (fs::is_directory(input, ignored) && is_below(output, input) &&
                                      dataset_origin(output) == DatasetOrigin::none);
}

/// Whether a file begins as those of export-onnx do: the version of ONNX, then the producer.
bool is_own_onnx_file(const fs::path& path) {
    const std::string start = "\x08\x07\x12\x09plumecast";
    std::string found(start.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    return file.read(found.data(), static_cast<std::streamsize>(found.size())) && found == start;
}

/// What a file is that would be lost; empty when it may be replaced.
std::string loss(const fs::path& path, OutputKind kind) {
    if (kind == OutputKind::picture) {
        return is_own_picture(path) ? "" : "it is no picture that plumecast drew";
    }
    if (kind == OutputKind::onnx) {
        return is_own_onnx_file(path) ? "" : "it is no ONNX file that plumecast wrote";
    }
    switch (dataset_origin(path)) {
        case DatasetOrigin::computed:
            return "";
        case DatasetOrigin::inputs:
            return kind == OutputKind::data_set ? "" : "it is a data set and no result file";
        case DatasetOrigin::irreplaceable:
            return "it is a data set, and simulated or measured data in it would be lost";
        case DatasetOrigin::none:
            break;
    }
    return kind == OutputKind::fields ? "it is no result file of plumecast" : "it is no data set of plumecast";
}

}  // namespace

CLI::Option* add_force(CLI::App& app, bool& is_forced) {
    return app.add_flag("--force", is_forced, "Replace an output that is there, whatever it is, unless it is an input");
}

void require_not_among(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code ignored;
    if (!fs::exists(output, ignored)) {
        return;
    }
    const auto found = std::ranges::find_if(inputs, [&](const std::string& input) { return is_input(output, input); });
    if (found != inputs.end()) {
        throw InvalidInput(output + ": is the input itself" + (is_same(output, *found) ? "" : ", or a part of it") +
                           " (the result would take its place, and simulated or measured "
                           "data in it would be lost); give another name after -o");
    }
}

void require_output_place(const Output& output) {
    require_not_among(output.path, output.inputs);
    remove_abandoned(output.path);
    std::error_code ignored;
    if (output.is_forced || !fs::is_regular_file(output.path, ignored)) {
        return;  // what is no file is refused when it is opened
    }
    if (const std::string reason = loss(output.path, output.kind); !reason.empty()) {
        throw InvalidInput(output.path + ": exists already (" + reason + "); " + output.remedy);
    }
}

}  // namespace plumecast::app
