#include "reservoir/eclipse/deck/keywords.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plumecast::eclipse {
namespace {

// Keywords of decks and how many records follow them, as the manual of OPM Flow and the list of keywords in opm-common
// have it. Only what stands in exported models and in sections up to SOLUTION matters here.

constexpr std::string_view without_records =
    " ECHO NOECHO END ENDBOX ENDFIN ENDINC SKIP ENDSKIP WARN NOWARN RUNSPEC GRID EDIT PROPS REGIONS SOLUTION SUMMARY "
    "SCHEDULE OPTIMIZE INIT METRIC FIELD LAB PVT-M OIL WATER GAS DISGAS DISGASW VAPOIL VAPWAT CO2STORE CO2STOR CO2SOL "
    "GASWAT H2STORE THERMAL TEMP DIFFUSE DUALPORO DUALPERM RADIAL CART UNIFIN UNIFOUT UNIFOUTS UNIFSAVE FMTIN FMTOUT "
    "NOSIM NONNC IMPLICIT IMPES FULLIMP MONITOR NOMONITO INSPEC NOINSPEC RSSPEC NORSSPEC MULTIN MULTOUT MULTOUTS "
    "NINEPOIN "
    "DUMPFLUX USEFLUX USENOFLO HALFTRAN NEWTRAN OLDTRAN OLDTRANR CIRCLE DPGRID NODPPM NOGGF PINCHOUT RPTISOL LGRCOPY "
    "PYINPUT FILLEPS STONE STONE1 STONE2 COAL SOLVENT POLYMER SURFACT FOAM ALKALINE HYST NOHYST GRAVDR GRAVDRB NOGRAV "
    "BLACKOIL NOCASC MECH GEOMECH MICP BIOFILM PRECSALT H2SOL API TRACTVD DIFFDP HMPROPS OUTSOL ";

constexpr std::string_view with_lists =
    " FAULTS MULTFLT MULTREGT MULTREGP MULTREGD MULTREGH NNC EDITNNC EDITNNCR AQUCON AQUANCON AQUCT AQUNNC AQUNUM "
    "AQUFET "
    "AQUFETP AQUFLUX AQUCHWAT AQUCHGAS AQUALIST BC BCCON BCPROP AMALGAM COLLAPSE AUTOCOAR PINCHREG THPRES THPRESFT "
    "TRANGL "
    "PATHS HMFAULTS HMMULTFT HMMLAQUN HMAQUNUM SIGMAGD IHOST EQUALS COPY MULTIPLY ADD MAXVALUE MINVALUE EQUALREG "
    "MULTIREG "
    "ADDREG COPYREG COPYBOX OPERATE OPERATER EQLZCORN ADDZCORN LICENSES TRACER ";

constexpr std::string_view with_tables =
    " COORDSYS JFUNCR MPFNNC COARSEN BRINE SWOF SGOF SWFN SGFN SGWFN SLGOF SOF2 SOF3 PVTO PVTG PVTW PVDO PVDG PVCDO "
    "ROCK "
    "ROCKTAB ROCKTABH ROCKTABW ROCK2D ROCK2DTR OVERBURD DENSITY GRAVITY EQUIL RSVD RVVD PBVD PDVD RTEMPVD TEMPVD "
    "SALTVD "
    "SALTPVD EHYSTRR WAGHYSTR AQUTAB DIFFC DIFFCGAS DIFFCWAT SPECROCK SPECHEAT ENPTVD ENKRVD ENPCVD RSCONSTT PERMFACT ";

constexpr std::string_view harmless_with_one =
    " GDORIENT GRIDFILE RPTGRID RPTGRIDL RPTINIT RPTEDIT RPTPROPS RPTREGS RPTSOL RPTRST RPTSCHED RPTRUNSP RPTCPL "
    "BOUNDARY "
    "DEBUG DEBUG3 EXTRAPMS FORMFEED MESSAGE MESSAGES PETGRID PARAOPTS NMATOPTS FIPNUM OPERNUM MULTNUM FLUXNUM "
    "FLUXREG FLUXTYPE PINCHNUM DOMAINS DPNUM RESVNUM MPFANUM DATUM DATUMR DATUMRX START TABDIMS "
    "EQLDIMS "
    "REGDIMS WELLDIMS GRIDOPTS FAULTDIM VFPPDIMS VFPIDIMS NSTACK NUPCOL SMRYDIMS UDQDIMS UDADIMS ACTDIMS AQUDIMS "
    "ENDSCALE "
    "EQLOPTS NUMRES LGR PERMTHT THCONR THCROCK THCOIL THCGAS THCWATER THCONSF HEATCR HEATCRT EQLNUM TNUM HXFIN HYFIN "
    "HZFIN "
    "HRFIN NXFIN NYFIN NZFIN LXFIN LYFIN LZFIN PCW PCG SWLPC SGLPC "
    "SCALECRS TOLCRIT RESTART PRVD VISOPTS ROCKOPTS NOHMD DIMPES MEMORY CPR TITLE SATOPTS ";

constexpr std::string_view read_arrays =
    " SPECGRID DIMENS COORD ZCORN ACTNUM PORO NTG PERMX PERMY PERMZ PERMR MAPAXES MULTPV PORV MINPV MINPORV MINPVV "
    "ISOLNUM ";

constexpr std::string_view array_changes =
    " EQUALS COPY MULTIPLY ADD BOX MAXVALUE MINVALUE EQUALREG MULTIREG ADDREG COPYREG COPYBOX OPERATE OPERATER "
    "EQLZCORN "
    "ADDZCORN ";

constexpr std::string_view multipliers =
    " MULTX MULTX- MULTY MULTY- MULTZ MULTZ- MULTR MULTR- MULTTHT MULTTHT- HMMULTX HMMULTY HMMULTZ HMMULTR HMMULTTH "
    "HMMULTPV MULTFLT MULTPV BTOBALFV BTOBALFA SATNUM ENDNUM ROCKNUM PVTNUM KRNUM SWAT ";

constexpr std::string_view zeros = " SGAS SOIL RS RV NINENUM ";

using LeftOutEntry = std::pair<LeftOutKind, std::string_view>;
constexpr std::array<LeftOutEntry, 16> left_out_names = {{
    {LeftOutKind::faults, " FAULTS MULTFLT HMFAULTS HMMULTFT "},
    {LeftOutKind::transmissibility,
     " MULTX MULTX- MULTY MULTY- MULTZ MULTZ- MULTR MULTR- MULTTHT MULTTHT- MULTREGT MULTREGD MULTREGH HMMULTX HMMULTY "
     "HMMULTZ HMMULTR HMMULTTH TRANX TRANY TRANZ TRANR TRANTHT TRANGL NNC EDITNNC EDITNNCR MPFNNC PINCH PINCHREG "
     "PINCHXY "
     "PINCHOUT MINNNCT CRITPERM HALFTRAN "},
    {LeftOutKind::thresholds, " THPRES THPRESFT "},
    {LeftOutKind::pore_volume, " MULTREGP ROCKV BTOBALFV BTOBALFA HMMULTPV DZNET "},
    {LeftOutKind::boundaries,
     " AQUCON AQUANCON AQUCT AQUFET AQUFETP AQUFLUX AQUNUM AQUNNC AQUTAB AQUCHWAT AQUCHGAS BC BCCON BCPROP HMAQUNUM "
     "HMMLAQUN USEFLUX "},
    {LeftOutKind::local_grids, " CARFIN RADFIN RADFIN4 REFINE EXTFIN VEFIN AMALGAM COARSEN COLLAPSE AUTOCOAR "},
    {LeftOutKind::saturation,
     " SATNUM ENDNUM KRNUM SWL SWCR SWU SGL SGCR SGU SOWCR SOGCR KRW KRWR KRG KRGR KRO KRORG KRORW JFUNC JFUNCR "
     "SWATINIT PERMFACT ENPTVD ENKRVD ENPCVD "},
    {LeftOutKind::hysteresis,
     " IMBNUM IMBNUMMF EHYSTR EHYSTRR WAGHYSTR HYST ISWL ISWLPC ISWCR ISWU ISGL ISGLPC ISGCR ISGU ISOWCR ISOGCR IPCW "
     "IPCG "},
    {LeftOutKind::fluids,
     " SALINITY SALT SALTP SALTMF SALTVD SALTPVD BRINE DIFFC DIFFCGAS DIFFCWAT DIFFUSE DISPERC DRSDT DRSDTR DRSDTCON "
     "DRVDT "
     "VAPPARS PVTNUM "},
    {LeftOutKind::rock, " ROCKTAB ROCKTABH ROCKTABW ROCK2D ROCK2DTR OVERBURD ROCKNUM ROCKCOMP "},
    {LeftOutKind::block_geometry, " DX DY DZ DXV DYV DZV TOPS DR DRV DTHETA DTHETAV INRAD OUTRAD DEPTH DEPTHZ "},
    {LeftOutKind::tensor, " PERMXY PERMYZ PERMZX "},
    {LeftOutKind::processes,
     " THERMAL TEMP SOLVENT CO2SOL H2SOL MISCIBLE POLYMER POLYMW SURFACT FOAM ALKALINE MICP BIOFILM PRECSALT COAL MECH "
     "GEOMECH DUALPORO DUALPERM NINENUM NINEPOIN "},
    {LeftOutKind::other_gas, " H2STORE "},
    {LeftOutKind::initial_state, " PRESSURE SGAS SWAT SOIL RS RV PBUB PDEW TEMPI RTEMP RTEMPA "},
    {LeftOutKind::one_simulator, " SKIP100 SKIP300 "},
}};

using RefusedEntry = std::pair<std::string_view, std::string_view>;
constexpr std::array<RefusedEntry, 9> refused_names = {{
    {"IMPORT", "reads arrays from a record file"},
    {"GDFILE", "takes the grid from another file"},
    {"GETDATA", "takes arrays from another run"},
    {"SKIP100", "begins lines that count for one simulator only"},
    {"SKIP300", "begins lines that count for one simulator only"},
    {"PYINPUT", "begins a program"},
    {"COLUMNS", "cuts lines"},
    {"DUALPORO", "declares two porosities per cell"},
    {"DUALPERM", "declares two porosities per cell"},
}};

using RoleEntry = std::pair<std::string_view, DeckRole>;
constexpr std::array<RoleEntry, 18> special_roles = {{
    {"INCLUDE", DeckRole::include},
    {"PATHS", DeckRole::paths},
    {"GRIDUNIT", DeckRole::grid_unit},
    {"MAPUNITS", DeckRole::map_unit},
    {"METRIC", DeckRole::units},
    {"FIELD", DeckRole::units},
    {"LAB", DeckRole::units},
    {"PVT-M", DeckRole::units},
    {"FILEUNIT", DeckRole::units},
    {"TITLE", DeckRole::title},
    {"SKIP", DeckRole::skip},
    {"ENDINC", DeckRole::end_file},
    {"END", DeckRole::end_deck},
    {"CARFIN", DeckRole::local_grid},
    {"RADFIN", DeckRole::local_grid},
    {"RADFIN4", DeckRole::local_grid},
    {"REFINE", DeckRole::local_grid},
    {"ENDFIN", DeckRole::end_local},
}};

/// Whether a list of names, with a blank around each, holds one.
bool holds(std::string_view names, std::string_view name) {
    for (std::size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
        if (names[at - 1] == ' ' && names[at + name.size()] == ' ') {
            return true;
        }
    }
    return false;
}

DeckRecords records_of(std::string_view name) {
    return holds(without_records, name) ? DeckRecords::none
           : holds(with_lists, name)    ? DeckRecords::list
           : holds(with_tables, name)   ? DeckRecords::open
                                        : DeckRecords::one;
}

}  // namespace

std::optional<DeckKeyword> deck_keyword(std::string_view name) {
    if (name.empty() || name.size() > 8 || name.find(' ') != std::string_view::npos) {
        return std::nullopt;
    }
    DeckKeyword keyword{DeckRole::harmless, records_of(name), LeftOutKind::unknown, {}};
    const auto left_out =
        std::ranges::find_if(left_out_names, [&](const LeftOutEntry& entry) { return holds(entry.second, name); });
    if (left_out != left_out_names.end()) {
        keyword.role = DeckRole::left_out;
        keyword.left_out = left_out->first;
    }
    if (const auto special = std::ranges::find(special_roles, name, &RoleEntry::first);
        special != special_roles.end()) {
        keyword.role = special->second;
        return keyword;
    }
    if (const auto refused = std::ranges::find(refused_names, name, &RefusedEntry::first);
        refused != refused_names.end()) {
        keyword.role = DeckRole::refused;
        keyword.reason = refused->second;
        return keyword;
    }
    if (holds(read_arrays, name)) {
        keyword.role = DeckRole::array;
    } else if (holds(array_changes, name)) {
        keyword.role = DeckRole::changes;
    }
    const bool is_known =
        keyword.role != DeckRole::harmless || keyword.records != DeckRecords::one || holds(harmless_with_one, name);
    return is_known ? std::optional(keyword) : std::nullopt;
}

std::optional<double> neutral_value(std::string_view name) {
    return holds(multipliers, name) ? std::optional(1.0) : holds(zeros, name) ? std::optional(0.0) : std::nullopt;
}

bool lists_names(std::string_view name) { return name.starts_with("RPT"); }

bool takes_defaults(std::string_view name) {
    return name == "NTG" || name == "ACTNUM" || name == "MULTPV" || name == "PORV" || name == "MINPVV" ||
           name == "MINPV" || name == "MINPORV" || name == "ISOLNUM";
}

}  // namespace plumecast::eclipse
