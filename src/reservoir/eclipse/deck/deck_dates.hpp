#pragma once

#include <string>
#include <vector>

#include "reservoir/eclipse/deck/deck_words.hpp"

namespace plumecast::eclipse {

/// Reads the date behind START, or the dates behind DATES up to an empty record, and returns those that the calendar
/// does not have, as the deck writes them: "31 FEB 2020". Throws InvalidData as DeckWords.
std::vector<std::string> wrong_dates(DeckWords& words, bool is_list);

}  // namespace plumecast::eclipse
