#pragma once

#include <optional>
#include <string_view>

namespace plumecast::eclipse {

/// How many records, each closed by a slash, follow a keyword.
enum class DeckRecords {
    none,
    one,
    list,  ///< any number, then an empty one
    open   ///< as many as other keywords say
};

/// What a keyword means to who reads properties of a model.
enum class DeckRole {
    array,       ///< values that are read
    include,     ///< another file follows
    paths,       ///< short names of folders
    grid_unit,   ///< unit of lengths of the grid
    map_unit,    ///< unit of MAPAXES
    units,       ///< unit system of the deck: its name, or FILEUNIT with a record that holds the name
    title,       ///< a line of text follows
    skip,        ///< all up to ENDSKIP is no part of the deck
    end_file,    ///< the rest of this file is no part of the deck
    end_deck,    ///< the rest of all files is none
    local_grid,  ///< what follows up to ENDFIN belongs to a local refinement
    end_local,   ///< ENDFIN
    changes,     ///< changes arrays that were read before
    refused,     ///< the model cannot be read with it
    left_out,    ///< changes the model, and is left out
    harmless     ///< changes nothing that is read
};

/// Kinds of content that a data set cannot carry.
enum class LeftOutKind {
    faults,
    transmissibility,
    later_changes,
    thresholds,
    pore_volume,
    boundaries,
    local_grids,
    saturation,
    hysteresis,
    fluids,
    rock,
    block_geometry,
    tensor,
    processes,
    other_gas,
    initial_state,
    one_simulator,
    missing_files,
    dates,
    unknown
};

/// What is known of a keyword.
struct DeckKeyword {
    DeckRole role = DeckRole::harmless;
    DeckRecords records = DeckRecords::one;
    LeftOutKind left_out = LeftOutKind::unknown;  ///< of DeckRole::left_out, local_grid and, for runs, refused
    std::string_view reason;                      ///< of DeckRole::refused, for messages
};

/// The keyword called `name`, in capitals; nothing when it is not known.
std::optional<DeckKeyword> deck_keyword(std::string_view name);

/// The value with which a keyword changes nothing: 1 of multipliers, numbers of regions and brine, 0 of gas and oil.
std::optional<double> neutral_value(std::string_view name);

/// True for a keyword whose record may hold names of others: RPTGRID asks for reports of them.
bool lists_names(std::string_view name);

/// True when values of an array may be left to the simulator (`5*`).
bool takes_defaults(std::string_view name);

}  // namespace plumecast::eclipse
