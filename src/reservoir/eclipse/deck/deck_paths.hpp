#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "reservoir/eclipse/deck/deck_words.hpp"

namespace plumecast::eclipse {

/// Where the files of a deck lie: names count from the folder of its first file, else from that of the file that names
/// them; `$NAME` stands for a folder that PATHS named, and back-slashes separate folders as slashes do.
class DeckPaths {
   public:
    explicit DeckPaths(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Reads the records of PATHS, 'NAME' 'FOLDER' /, behind the keyword.
    void read_aliases(DeckWords& words);
    /// The file that INCLUDE names. Throws InvalidData at the place of `name` for a `$NAME` that PATHS did not name.
    std::filesystem::path file(const DeckWord& name, const DeckWords& words) const;

   private:
    std::filesystem::path folder_;
    std::map<std::string, std::string> aliases_;
};

/// Reads the name behind INCLUDE, up to its slash. Throws InvalidData when there is none.
DeckWord included_name(const DeckWord& keyword, DeckWords& words);

}  // namespace plumecast::eclipse
