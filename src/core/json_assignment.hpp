#pragma once

#include <optional>
#include <string>

#include <plumecast/core/json.hpp>

namespace plumecast {

/// Whether the entry that is set must be there, or may be added to an object that is: whoever reads the document then
/// refuses what it does not know.
enum class LastEntry { is_there, may_be_new };

/// Sets an entry that a document has from a text like "schedule.learning_rate=3e-4", whose value is read as JSON where
/// that is of a fitting kind, else as a string; a number that only lacks the form of JSON is refused where no string is
/// wanted. Entries of lists have their place as their name ("limits.0.at_most").
/// `what` names the document in messages ("a recipe"). Throws InvalidInput for a text of another form, and for an entry
/// that is not there, with the nearest that is.
void assign(Json& document, const std::string& assignment, const std::string& what,
            LastEntry last = LastEntry::is_there);

/// The number of JSON that a text means which only lacks its form, such as ".2", "2." and "+2"; nothing of other texts.
std::optional<std::string> meant_number(const std::string& text);

/// Throws InvalidInput for a text that meant_number() knows, the value of an assignment.
void require_no_meant_number(const std::string& text, const std::string& assignment);

}  // namespace plumecast
