#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace plumecast::eclipse {

/// Output files of one run of the simulator; paths are empty for what is not there.
struct CaseFiles {
    /// Folder and name without extension, for messages.
    std::filesystem::path root;
    std::filesystem::path grid;                  ///< EGRID or GRID
    std::filesystem::path init;                  ///< INIT
    std::vector<std::filesystem::path> restart;  ///< UNRST, or one file X0000 ... per report step, in order
    std::filesystem::path specification;         ///< SMSPEC
    std::vector<std::filesystem::path> summary;  ///< UNSMRY, or one file S0001 ... per report step, in order
};

/// Finds the files of a run by any of its files, its name without extension, or its folder. Unformatted files go before
/// formatted ones (FEGRID, FGRID, FINIT, FUNRST, F0000, FSMSPEC, FUNSMRY, A0001). Throws InvalidData when the folder
/// holds no run or several, or a run without grid, INIT or restart files; IoError when there is no such folder.
CaseFiles find_case(const std::filesystem::path& path);

/// The summary of a run by its name without extension; paths are empty where there is none. Throws IoError.
CaseFiles find_summary(const std::filesystem::path& root);

/// The runs that paths name, in order and each once: a shell makes all files of a run of `runs/CASE_*`. A file is
/// replaced by the name of its run, RUN.plumecast.json too; folders and what names no run stay as they are.
std::vector<std::string> distinct_runs(const std::vector<std::string>& paths);

}  // namespace plumecast::eclipse
