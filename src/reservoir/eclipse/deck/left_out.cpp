#include "reservoir/eclipse/deck/left_out.hpp"

#include <algorithm>

namespace plumecast::eclipse {
namespace {

constexpr std::size_t most_names_shown = 12;

const char* explanation(LeftOutKind kind) {
    switch (kind) {
        case LeftOutKind::faults:
            return "a data set holds no faults; its inputs tell flow by permeability and geometry alone";
        case LeftOutKind::transmissibility:
            return "no transmissibilities and no connections between cells apart come with it; its inputs tell flow by "
                   "permeability and geometry alone";
        case LeftOutKind::later_changes:
            return "a data set holds flow between cells and pores as they are at the start of the run, by which "
                   "reduced "
                   "physics computes all of it; the fields of the run have the change";
        case LeftOutKind::thresholds:
            return "a data set holds no pressures that flow has to exceed";
        case LeftOutKind::pore_volume:
            return "a data set knows pore volumes by porosity and cell volume alone";
        case LeftOutKind::boundaries:
            return "a data set holds no aquifers and no conditions at its sides";
        case LeftOutKind::local_grids:
            return "a data set holds the cells of the main grid alone, also where others stand in their place";
        case LeftOutKind::saturation:
            return "a data set holds one set of saturation functions per case";
        case LeftOutKind::hysteresis:
            return "a data set holds of hysteresis what the value residual_gas_saturation states, after Land: without "
                   "it its inputs are those of a case without";
        case LeftOutKind::fluids:
            return "a data set holds no diffusion, of limits of dissolution what the value dissolution_rate_limit "
                   "states, one brine and one line of temperature per case";
        case LeftOutKind::rock:
            return "a data set holds no tables of rock compaction, and one rock compressibility";
        case LeftOutKind::block_geometry:
            return "grids are read from COORD and ZCORN";
        case LeftOutKind::tensor:
            return "a data set holds permeability along its axes only";
        case LeftOutKind::processes:
            return "a data set tells of CO2 in brine whose temperature stays as it is, and reduced physics computes no "
                   "more; the fields of a run have what it does";
        case LeftOutKind::other_gas:
            return "the gas is hydrogen, which reports and reduced physics take for CO2";
        case LeftOutKind::initial_state:
            return "a data set begins with brine at rest and without gas, at the pressure and the temperature that are "
                   "stated";
        case LeftOutKind::one_simulator:
            return "the lines from there to ENDSKIP count here, as in OPM Flow, and not in the simulator of that "
                   "number; state what they say of salinity, rock and temperature where it differs";
        case LeftOutKind::missing_files:
            return "no such file is there, and what it states, as SALINITY or faults, is taken as not stated; copy it "
                   "there";
        case LeftOutKind::dates:
            return "the calendar has no such day (a simulator refuses it, or counts from another one); correct the "
                   "deck, and the start that reports and exports take";
        case LeftOutKind::unknown:
            break;
    }
    return "not known here, see whether the model depends on it";
}

}  // namespace

void LeftOut::add(LeftOutKind kind, const std::string& name) {
    std::vector<std::string>& names = names_[kind];
    if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
    }
}

void LeftOut::add(const LeftOut& other) {
    for (const auto& [kind, names] : other.names_) {
        for (const std::string& name : names) {
            add(kind, name);
        }
    }
}

void LeftOut::remove(const std::string& name) {
    for (auto& [kind, names] : names_) {
        std::erase(names, name);
    }
    std::erase_if(names_, [](const auto& entry) { return entry.second.empty(); });
}

std::string LeftOut::take_transmissibilities() {
    std::string taken;
    for (const LeftOutKind kind : {LeftOutKind::faults, LeftOutKind::transmissibility}) {
        for (const std::string& name : names_[kind]) {
            taken += (taken.empty() ? "" : ", ") + name;
        }
        names_.erase(kind);
    }
    return taken;
}

std::vector<std::string> LeftOut::notes() const {
    std::vector<std::string> lines;
    for (const auto& [kind, names] : names_) {
        std::string line;
        for (std::size_t i = 0; i < std::min(names.size(), most_names_shown); ++i) {
            line += (i == 0 ? "" : ", ") + names[i];
        }
        if (names.size() > most_names_shown) {
            line += " and " + std::to_string(names.size() - most_names_shown) + " more";
        }
        lines.push_back(line + (names.size() == 1 ? " is" : " are") + " left out: " + explanation(kind));
    }
    return lines;
}

}  // namespace plumecast::eclipse
