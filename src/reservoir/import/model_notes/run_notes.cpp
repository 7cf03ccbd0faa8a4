#include "reservoir/import/model_notes/run_notes.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "core/text/ascii.hpp"
#include "core/units.hpp"
#include "io/folders.hpp"
#include "reservoir/eclipse/deck/deck_scan.hpp"
#include "reservoir/eclipse/deck/left_out.hpp"
#include "reservoir/eclipse/record_file.hpp"

namespace plumecast {
namespace {

using eclipse::LeftOutKind;

constexpr std::size_t hysteresis_item = 6;  // of LOGIHEAD

/// What an array of the INIT file has to be in order to change nothing.
enum class Neutral { one, zero, uniform };

struct InitialArray {
    std::string_view keyword;
    LeftOutKind kind;
    Neutral neutral;
};

constexpr std::array<InitialArray, 32> initial_arrays = {{
    {"MULTX", LeftOutKind::transmissibility, Neutral::one}, {"MULTX-", LeftOutKind::transmissibility, Neutral::one},
    {"MULTY", LeftOutKind::transmissibility, Neutral::one}, {"MULTY-", LeftOutKind::transmissibility, Neutral::one},
    {"MULTZ", LeftOutKind::transmissibility, Neutral::one}, {"MULTZ-", LeftOutKind::transmissibility, Neutral::one},
    {"MULTR", LeftOutKind::transmissibility, Neutral::one}, {"MULTTHT", LeftOutKind::transmissibility, Neutral::one},
    {"AQUIFERA", LeftOutKind::boundaries, Neutral::zero},   {"AQUIFERN", LeftOutKind::boundaries, Neutral::zero},
    {"SATNUM", LeftOutKind::saturation, Neutral::one},      {"ENDNUM", LeftOutKind::saturation, Neutral::one},
    {"KRNUMX", LeftOutKind::saturation, Neutral::one},      {"KRNUMY", LeftOutKind::saturation, Neutral::one},
    {"KRNUMZ", LeftOutKind::saturation, Neutral::one},      {"SWL", LeftOutKind::saturation, Neutral::uniform},
    {"SWCR", LeftOutKind::saturation, Neutral::uniform},    {"SWU", LeftOutKind::saturation, Neutral::uniform},
    {"SGL", LeftOutKind::saturation, Neutral::uniform},     {"SGCR", LeftOutKind::saturation, Neutral::uniform},
    {"SGU", LeftOutKind::saturation, Neutral::uniform},     {"SOWCR", LeftOutKind::saturation, Neutral::uniform},
    {"SOGCR", LeftOutKind::saturation, Neutral::uniform},   {"KRG", LeftOutKind::saturation, Neutral::uniform},
    {"KRW", LeftOutKind::saturation, Neutral::uniform},     {"SWATINIT", LeftOutKind::saturation, Neutral::uniform},
    {"PVTNUM", LeftOutKind::fluids, Neutral::one},          {"ROCKNUM", LeftOutKind::rock, Neutral::one},
    {"PERMXY", LeftOutKind::tensor, Neutral::zero},         {"PERMYZ", LeftOutKind::tensor, Neutral::zero},
    {"PERMZX", LeftOutKind::tensor, Neutral::zero},         {"MULTTHT-", LeftOutKind::transmissibility, Neutral::one},
}};

bool is_neutral(const std::vector<double>& values, Neutral neutral) {
    const double wanted = neutral == Neutral::one ? 1.0 : neutral == Neutral::zero || values.empty() ? 0.0 : values[0];
    return std::ranges::all_of(values, [wanted](double value) { return value == wanted; });
}

/// What the arrays of the INIT file tell. True in the second place when it holds PORV.
std::pair<eclipse::LeftOut, bool> left_out_of(const std::filesystem::path& init) {
    eclipse::RecordFile file(init);
    eclipse::LeftOut left_out;
    bool has_pore_volumes = false;
    std::vector<double> drainage, imbibition;  // numbers of the tables of each cell
    for (auto record = file.next(); record && record->keyword != "LGR"; record = file.next()) {
        has_pore_volumes = has_pore_volumes || record->keyword == "PORV";
        const bool is_number =
            record->type != eclipse::RecordType::text && record->type != eclipse::RecordType::message;
        const auto known = std::ranges::find(initial_arrays, record->keyword, &InitialArray::keyword);
        if (known != initial_arrays.end() && is_number && !is_neutral(file.numbers(*record), known->neutral)) {
            left_out.add(known->kind, record->keyword);
        }
        if (is_number && (record->keyword == "SATNUM" || record->keyword == "IMBNUM")) {
            (record->keyword == "SATNUM" ? drainage : imbibition) = file.numbers(*record);
        }
        if (record->keyword == "LOGIHEAD" && record->type == eclipse::RecordType::logical) {
            const std::vector<double> flags = file.numbers(*record);
            if (flags.size() > hysteresis_item && flags[hysteresis_item] != 0.0) {
                left_out.add(LeftOutKind::hysteresis, "hysteresis (LOGIHEAD)");
            }
        }
    }
    drainage.resize(imbibition.size(), 1.0);
    if (imbibition != drainage) {
        left_out.add(LeftOutKind::hysteresis, "IMBNUM");
    }
    return {std::move(left_out), has_pore_volumes};
}

/// Names of the local grids in which restart files hold connections of wells.
std::vector<std::string> local_grids_with_wells(const eclipse::CaseFiles& files) {
    std::vector<std::string> names;
    for (const std::filesystem::path& path : files.restart) {
        eclipse::RecordFile file(path);
        std::string local_grid;
        for (auto record = file.next(); record; record = file.next()) {
            if (record->keyword == "SEQNUM" || record->keyword == "ENDLGR" || record->keyword == "LGRSGONE") {
                local_grid.clear();
            } else if (record->keyword == "LGR" && record->type == eclipse::RecordType::text && record->count > 0) {
                local_grid = file.texts(*record)[0];
            } else if (!local_grid.empty() && record->keyword == "ICON" && record->count > 0 &&
                       std::ranges::find(names, local_grid) == names.end()) {
                names.push_back(local_grid);
            }
        }
    }
    return names;
}

void add_local_grids(const eclipse::CaseFiles& files, const eclipse::CornerPointGrid& grid,
                     std::vector<std::string>& notes) {
    for (const eclipse::LocalGrid& local : grid.local_grids()) {
        const std::string hosts =
            local.hosts > 0 ? fmt::format(" in the place of {} of the main grid", local.hosts) : std::string();
        notes.push_back(
            fmt::format("local grid {} ({}{}) is left out: the data set holds what the run says of the cells of "
                        "the main grid",
                        local.name, counted(local.cells, "cell"), hosts));
    }
    if (grid.local_grids().empty()) {
        return;
    }
    for (const std::string& name : local_grids_with_wells(files)) {
        notes.push_back(
            fmt::format("wells in local grid {} are left out: state them by wells, in cells of the main grid", name));
    }
}

/// The deck of that name in a folder, where some simulators name results in capitals; empty without one.
std::filesystem::path deck_in(const std::filesystem::path& folder, const std::string& wanted) {
    std::filesystem::path found;
    std::error_code ignored;
    for (const std::string& name : names_in(folder, ignored)) {
        const bool is_exact = name == wanted;
        if (is_exact || (found.empty() && upper(name) == upper(wanted))) {
            found = std::filesystem::is_regular_file(folder / name, ignored) ? folder / name : found;
        }
    }
    return found;
}

/// The deck beside a run, else in the folder above, as of runs with an output folder of their own; empty without one.
std::filesystem::path deck_of(const eclipse::CaseFiles& files) {
    const std::filesystem::path folder = files.root.has_parent_path() ? files.root.parent_path() : ".";
    const std::string wanted = files.root.filename().string() + ".DATA";
    const std::filesystem::path beside = deck_in(folder, wanted);
    return beside.empty() ? deck_in(folder / "..", wanted) : beside;
}

/// Adds what the deck beside a run tells, if there is one.
void add_deck(const eclipse::CaseFiles& files, bool has_pore_volumes, eclipse::LeftOut& left_out,
              std::vector<std::string>& notes) {
    const std::filesystem::path deck = deck_of(files);
    if (deck.empty()) {
        return;
    }
    try {
        left_out.add(eclipse::scan_deck(deck, has_pore_volumes).left_out);
    } catch (const Error& error) {
        notes.push_back("the deck beside the run tells nothing: " + std::string(error.what()));
    }
}

/// What the deck beside a run tells; nothing without one, or where it cannot be read, as run_notes() tells.
eclipse::ScannedDeck scanned(const eclipse::CaseFiles& files) {
    try {
        const std::filesystem::path deck = deck_of(files);
        return deck.empty() ? eclipse::ScannedDeck() : eclipse::scan_deck(deck, true);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::optional<double> run_salinity(const eclipse::CaseFiles& files) {
    const std::optional<double> molality = scanned(files).molality;
    return molality ? std::optional(salinity_of(*molality)) : std::nullopt;
}

bool is_brine_oil(const eclipse::CaseFiles& files) { return scanned(files).has_co2_store; }

std::string run_dissolved_ratio(const eclipse::CaseFiles& files) { return scanned(files).dissolved_ratio; }

std::optional<double> run_rock_compressibility(const eclipse::CaseFiles& files) {
    return scanned(files).rock_compressibility;
}

std::vector<double> run_pressure_limits(const eclipse::CaseFiles& files) { return scanned(files).pressure_limits; }

std::vector<double> run_temperatures(const eclipse::CaseFiles& files) { return scanned(files).temperatures; }

std::vector<std::string> run_notes(const eclipse::CaseFiles& files, const eclipse::CornerPointGrid& grid,
                                   const HeldOfRun& held) {
    auto [left_out, has_pore_volumes] = left_out_of(files.init);
    if (!grid.distant_connections().empty()) {
        left_out.add(LeftOutKind::transmissibility, "NNC");
    }
    std::vector<std::string> of_deck;
    add_deck(files, has_pore_volumes, left_out, of_deck);
    for (const char* name : {"TRANX", "TRANZ", "TRANR"}) {
        if (held.is_radial) {
            left_out.remove(name);
        }
    }
    if (held.has_tables) {
        left_out.remove("SATNUM");
    }
    const std::string in_flow = held.has_flow ? left_out.take_transmissibilities() : "";
    std::vector<std::string> notes = left_out.notes();
    if (!in_flow.empty()) {
        notes.insert(notes.begin(), in_flow +
                                        ": the transmissibilities of the data set hold them, by which reduced physics "
                                        "computes flow; a network sees permeability and geometry alone");
    }
    notes.insert(notes.end(), of_deck.begin(), of_deck.end());
    add_local_grids(files, grid, notes);
    return notes;
}

}  // namespace plumecast
