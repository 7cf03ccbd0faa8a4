#include <cmath>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/deck/deck_scan.hpp"
#include "reservoir/eclipse/grdecl.hpp"

namespace plumecast::testing {
namespace {

using eclipse::Grdecl;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// The language of decks: records, comments, quotes, files that include others, and keywords that are left out.
class DeckTextTest : public TemporaryFolder {
   protected:
    Grdecl read(const std::string& text) {
        write(folder_ / "MODEL.GRDECL", text);
        return eclipse::read_grdecl_text(folder_ / "MODEL.GRDECL");
    }
    std::vector<double> porosity(const std::string& text) {
        const Grdecl model = read(text);
        const auto found = model.arrays.find("PORO");
        return found == model.arrays.end() ? std::vector<double>() : found->second.expand(found->second.count, "PORO");
    }
    std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const InvalidData& error) {
            return error.what();
        }
        return "";
    }
    std::vector<std::string> scanned(const std::string& text, bool has_pore_volumes = true) {
        write(folder_ / "RUN.DATA", text);
        return eclipse::scan_deck(folder_ / "RUN.DATA", has_pore_volumes).left_out.notes();
    }
};

TEST_F(DeckTextTest, NamesDatesThatTheCalendarDoesNotHave) {
    const std::string wrong =
        "START\n 31 'FEB' 2020 /\nGRID\nSCHEDULE\nDATES\n 1 JAN 2021 /\n 30 'FEB' 2021 12:30:00 / noon\n 1 JLY 2021 /\n"
        " 1 MAI 2022 /\n/\nMULTFLT\n 'F' 0.1 /\n/\n";
    EXPECT_THAT(scanned(wrong),
                ElementsAre(StartsWith("MULTFLT of section SCHEDULE is left out"),
                            AllOf(StartsWith("START 31 FEB 2020, DATES 30 FEB 2021 12:30:00, DATES 1 MAI "
                                             "2022 are left out: the calendar has no such day"),
                                  HasSubstr("correct the deck"))));
    EXPECT_THAT(scanned("START\n 29 FEB 2020 /\nDATES\n 31 'DEC' 2020 /\n/\nEND\n"), IsEmpty());
    EXPECT_THAT(scanned("START\n 1* /\nDATES\n 31 NOV 2020 /\nTSTEP\n 10 /\n"),
                ElementsAre(StartsWith("DATES 31 NOV")));
    const Grdecl model = read("START\n 31 FEB 2020 /\nPORO\n 0.3 /\nDATES\n 31 APR 2020 /\n/\n");
    EXPECT_TRUE(model.arrays.contains("PORO"));
    EXPECT_THAT(model.notes, ElementsAre(StartsWith("START 31 FEB 2020, DATES 31 APR 2020 are left out"),
                                         StartsWith("DATES is left out: not known here")));
    EXPECT_THAT(read("START\n 1 JAN 2020 /\nPORO\n 0.3 /\n").notes, IsEmpty());
}

TEST_F(DeckTextTest, EndsKeywordsOfSeveralRecordsAtTheEmptyOne) {
    for (const char* faults :
         {"FAULTS\n 'F1' 2 2 1 3 1 2 X /\n 'F2' 1 4 2 2 1 2 Y /\n/\n",
          "FAULTS\nF1 2 2 1 3 1 2 X /\nF2 1 4 2 2 1 2 Y /\n/\n", "FAULTS\n 'A/B' 2 2 1 3 1 2 X / of the west\n/\n",
          "FAULTS\n \"F 1\" 2 2 1 3 1 2 X /\n/\n", "faults\n 'F1' 2 2 1 3 1 2 X /\n"}) {
        const Grdecl model = read(std::string(faults) + "PORO\n 2*0.2 /\n");
        ASSERT_TRUE(model.arrays.contains("PORO")) << faults;
        EXPECT_THAT(model.notes, ElementsAre(StartsWith("FAULTS is left out: "))) << faults;
    }
    const Grdecl model = read(
        "NNC\n 1 1 1 2 1 1 0.5 /\n 1 1 1 1 2 1 0.5 /\n/\nMULTFLT\n'F1' 0.1 /\n/\nAQUCON\n 1 1 2 1 1 1 1 'I-' /\n/\n"
        "MULTREGT\n 1 2 0.0 'XYZ' /\n/\nPORO\n 0.3 /\n");
    EXPECT_THAT(model.notes, ElementsAre(StartsWith("MULTFLT is left out"), StartsWith("NNC, MULTREGT are left out"),
                                         StartsWith("AQUCON is left out")));
}

TEST_F(DeckTextTest, NotesNothingThatChangesNothing) {
    EXPECT_THAT(read("MULTX\n 4*1 /\nMULTFLT\n 'F1' 1.0 /\n/\nSATNUM\n 4*1 /\nSALINITY\n 0 /\nFIPNUM\n 4*2 /\n"
                     "GDORIENT\n INC INC INC DOWN RIGHT /\nCOORDSYS\n 1 2 /\nPORO\n4*0.2/\n")
                    .notes,
                IsEmpty());
    EXPECT_THAT(read("MULTX\n 3*1 0.5 /\n").notes, ElementsAre(StartsWith("MULTX is left out")));
    EXPECT_EQ(read("SALINITY\n 1.2 /\nPORO\n 0.3 /\n").molality, 1.2);
    EXPECT_EQ(read("PORO\n 0.3 /\n").molality, std::nullopt);
}

TEST_F(DeckTextTest, NamesUnknownKeywordsAndReadsOnBehindThem) {
    write(folder_ / "more.inc", "PERMX\n 1 /\n");
    const Grdecl model = read("FACIES\n 2*1 2*2 /\nSHALEVOL\n 4*0.1 /\nRECORDS\n a b /\n c d /\n/\nPORO\n 4*0.2 /\n");
    EXPECT_THAT(model.arrays.at("PORO").expand(4, "PORO"), SizeIs(4));
    EXPECT_THAT(model.notes, ElementsAre(StartsWith("FACIES, SHALEVOL, RECORDS are left out: not known here")));
    // PORO may be the name of an array in a record of the unknown keyword.
    EXPECT_THAT(read("MYTABLE\n 1 2 /\nINCLUDE 'more.inc' /\n").arrays.count("PERMX"), 1u);
    EXPECT_THAT(error_of("CHANGEIT\nPORO 2 /\n/\nPORO\n 4*0.2 /\n"), HasSubstr("PORO behind a keyword whose records"));
}

TEST_F(DeckTextTest, RefusesEverythingThatChangesArrays) {
    for (const char* name : {"EQUALS", "COPY", "MULTIPLY", "ADD", "BOX", "MAXVALUE", "MINVALUE", "EQUALREG", "MULTIREG",
                             "ADDREG", "COPYREG", "COPYBOX", "OPERATE", "OPERATER", "EQLZCORN", "ADDZCORN"}) {
        EXPECT_THAT(error_of("PORO\n 4*0.2 /\n" + std::string(name) + "\n 'PORO' 2 'MULTX' 'PORO' 0.5 /\n/\n"),
                    AllOf(HasSubstr("byte 14: "), HasSubstr(std::string(name) + " changes arrays")));
    }
    for (const char* name : {"IMPORT", "GDFILE", "GETDATA", "SKIP100", "SKIP300", "DUALPORO"}) {
        EXPECT_THAT(error_of(std::string(name) + "\n"), HasSubstr(std::string("byte 0: ") + name + " "));
    }
}

TEST_F(DeckTextTest, LeavesOutPartsThatBelongElsewhere) {
    EXPECT_THAT(porosity("PORO\n 0.1 /\nSKIP\nPORO\n 0.2 /\nENDSKIP\n"), ElementsAre(0.1));
    EXPECT_THAT(porosity("PORO\n 0.1 /\nCARFIN\n 'FINE' 1 1 1 1 1 1 2 2 1 /\nPORO\n 4*0.3 /\nENDFIN\n"),
                ElementsAre(0.1));
    EXPECT_THAT(porosity("TITLE\n PORO of the north\nPORO\n 0.1 /\nEND\nPORO\n 0.2 /\n"), ElementsAre(0.1));
    EXPECT_THAT(error_of("SKIP\nPORO\n 0.2 /\n"), HasSubstr("byte 0: SKIP without ENDSKIP"));
    EXPECT_THAT(error_of("CARFIN\n 'FINE' 1 1 1 1 1 1 2 2 1 /\nPORO\n 4*0.3 /\n"), HasSubstr("CARFIN without ENDFIN"));
}

TEST_F(DeckTextTest, ReadsTextOfOtherEditors) {
    EXPECT_THAT(porosity("\xEF\xBB\xBF-- exported\r\nPORO\r\n 0.1 0.2 /\r\n"), ElementsAre(0.1, 0.2));
    EXPECT_THAT(porosity("-- exported\rPORO\r 0.1 0.2 /\r"), ElementsAre(0.1, 0.2));
    EXPECT_THAT(porosity("PORO 0.1--half\n0.2/end"), ElementsAre(0.1, 0.2));
    EXPECT_THAT(porosity("RPTGRID\n PORO\n PERMX\n /\nporo\n 0.1 0.2 /\n\x1A"), ElementsAre(0.1, 0.2));
    for (const std::string& wide :
         {std::string("\xFF\xFEP\0O\0", 6), std::string("\xFE\xFF\0P\0O", 6), std::string("P\0O\0", 4)}) {
        EXPECT_THAT(error_of(wide), HasSubstr("text in UTF-16"));
    }
}

TEST_F(DeckTextTest, FindsIncludedFiles) {
    std::filesystem::create_directories(folder_ / "props" / "deep");
    write(folder_ / "props" / "rock.inc", "PORO\n 0.3 /\n");
    write(folder_ / "props" / "deep" / "rock.inc", "PORO\n 0.4 /\n");
    EXPECT_THAT(porosity("INCLUDE\n 'props\\rock.inc' /\n"), ElementsAre(0.3));
    EXPECT_THAT(porosity("INCLUDE\n '.\\props\\deep\\rock.inc' /\n"), ElementsAre(0.4));
    EXPECT_THAT(porosity("INCLUDE\n 'props/rock.inc  ' /\n"), ElementsAre(0.3));
    EXPECT_THAT(porosity("INCLUDE\n props/rock.inc /\n"), ElementsAre(0.3));
    EXPECT_THAT(porosity("INCLUDE\n props/rock.inc/\n"), ElementsAre(0.3));
    EXPECT_THAT(porosity("PATHS\n 'ROCK' 'props/deep' /\n 'P' 'props' /\n/\nINCLUDE\n '$ROCK/rock.inc' /\n"),
                ElementsAre(0.4));
    EXPECT_THAT(porosity("PATHS\n 'P' 'props' /\n/\nINCLUDE\n '$P\\deep\\rock.inc' /\n"), ElementsAre(0.4));
    write(folder_ / "props" / "all.inc", "INCLUDE\n 'deep/rock.inc' /\n");
    EXPECT_THAT(porosity("INCLUDE\n 'props/all.inc' /\n"), ElementsAre(0.4));
    EXPECT_THAT(error_of("INCLUDE\n '$GRID/rock.inc' /\n"), HasSubstr("no PATHS before it names 'GRID'"));
}

TEST_F(DeckTextTest, KeepsDefaultsWhereTheyHaveAMeaning) {
    const Grdecl model = read("NTG\n 2* 0.5 /\n");
    const std::vector<double> net = model.arrays.at("NTG").expand(3, "NTG");
    EXPECT_TRUE(std::isnan(net[0]) && std::isnan(net[1]));
    EXPECT_EQ(net[2], 0.5);
    EXPECT_THAT(error_of("PERMX\n 2* /\n"), HasSubstr("asks for a default"));
    EXPECT_THAT(error_of("PORO\n nan /\n"), HasSubstr("'nan' (no number)"));
    EXPECT_THAT(error_of("SPECGRID\n 2 2 1 2 F /\n"), HasSubstr("2 coordinate systems"));
}

TEST_F(DeckTextTest, FindsInTheDeckOfARunWhatChangesIt) {
    EXPECT_THAT(
        scanned("RUNSPEC\nTITLE\n MULTFLT\nSATOPTS\n 'HYSTER' /\nGRID\nEQUALS\n MULTZ 0.1 1 2 1 2 1 1 /\n PORO 0.2 /\n"
                "/\nFAULTS\n 'A' 1 1 1 1 1 1 'X' /\n/\nPROPS\nSALINITY\n 0.7 /\nSOLUTION\n"
                "AQUANCON\n 1 1 1 1 1 1 1 J- /\n/\nEND\nIMBNUM\n 4*2 /\n"),
        ElementsAre(StartsWith("FAULTS is left out"), StartsWith("MULTZ is left out"),
                    StartsWith("AQUANCON is left out"), StartsWith("SATOPTS HYSTER is left out")));
    EXPECT_EQ(eclipse::scan_deck(folder_ / "RUN.DATA", false).molality, 0.7);
    EXPECT_THAT(scanned("GRID\nMULTPV\n 4*2 /\nPORO\n 4*0.2 /\nPROPS\nSALINITY\n 0 /\n"), IsEmpty());
    EXPECT_EQ(eclipse::scan_deck(folder_ / "RUN.DATA", false).molality, 0.0);
    EXPECT_THAT(scanned("PROPS\nSALINITY\nROCK\n 100 1e-5 /\n"), IsEmpty());
    EXPECT_EQ(eclipse::scan_deck(folder_ / "RUN.DATA", false).molality, std::nullopt);
    EXPECT_THAT(scanned("DX\n 4*10 /\nTOPS\n 4*1000 /\n"), IsEmpty());
    EXPECT_THAT(scanned("RPTGRID\n MULTX\n TRANX\n /\n"), IsEmpty());
    EXPECT_THAT(scanned("GRID\nMULTPV\n 4*2 /\n", false), ElementsAre(StartsWith("MULTPV is left out")));
    write(folder_ / "faults.inc", "MULTFLT\n 'A' 0 /\n/\n");
    EXPECT_THAT(scanned("INCLUDE\n 'faults.inc' /\nINCLUDE\n 'missing.inc' /\n"),
                ElementsAre(StartsWith("MULTFLT"), AllOf(StartsWith("INCLUDE 'missing.inc' is left out: no such file"),
                                                         HasSubstr("as SALINITY or faults"))));
}

TEST_F(DeckTextTest, IgnoresRemarksBehindKeywords) {
    write(folder_ / "faults.inc", "MULTFLT\n 'A' 0 /\n/\n");
    EXPECT_THAT(
        scanned(
            "RUNSPEC   of the south\nOIL\nGRID\nINCLUDE   faults of the model\n 'faults.inc' /\nFAULTS METRIC  11:56 "
            "11 APR 85\n 'F' 1 1 1 3 1 2 'I' /\n/\nPROPS\nROCK  METRIC\n 100 4e-5 /\nSALINITY  METRIC  11:56 11 "
            "APR 85 -- made / by hand\n 1.2 /\n"),
        ElementsAre(StartsWith("MULTFLT, FAULTS are left out")));
    const eclipse::ScannedDeck deck = eclipse::scan_deck(folder_ / "RUN.DATA", true);
    EXPECT_EQ(deck.molality, 1.2);
    EXPECT_EQ(deck.rock_compressibility, 4e-5);
    // Data that begin like keywords are none: in the course of a record, and where a slash ends it on the line.
    EXPECT_THAT(scanned("SCHEDULE\nGCONINJE\nFIELD GAS RATE 1e5 /\n/\nWCONPROD\nMULTX OPEN ORAT 5 /\nP2 OPEN\n THPRES "
                        "ORAT 5\n/\n/\n"),
                IsEmpty());
    const Grdecl model =
        read("SPECGRID  Petrel export\n 2 2 1 1 F /\nPORO  of 2021\n 4*0.2 /\nSALINITY  METRIC 11 APR\n 1.2 /\n");
    EXPECT_THAT(model.arrays.at("PORO").expand(4, "PORO"), SizeIs(4));
    EXPECT_EQ(model.molality, 1.2);
    EXPECT_THAT(error_of("PORO  high 0.2 /\n"), HasSubstr("'high' (no number)"));
}

TEST_F(DeckTextTest, NamesWhatARunComputesBeyondCarbonDioxideInBrine) {
    EXPECT_THAT(scanned("RUNSPEC\nTHERMAL\nPOLYMER\nMICP\nPRECSALT\nDUALPORO\nSOLVENT\nH2STORE\nGRID\nHALFTRAN\n"),
                ElementsAre(StartsWith("HALFTRAN is left out"),
                            StartsWith("THERMAL, POLYMER, MICP, PRECSALT, DUALPORO, SOLVENT are left out"),
                            AllOf(StartsWith("H2STORE is left out"), HasSubstr("hydrogen"))));
    EXPECT_THAT(scanned("SOLUTION\nPRESSURE\n 4*100 /\nSGAS\n 4*0.1 /\nDEPTH\n 4*1000 /\nEQUALS\n SWAT 0.9 /\n/\n"),
                IsEmpty())
        << "the states tell how a run begins";
}

TEST_F(DeckTextTest, NamesLinesThatCountForOneSimulatorOnly) {
    EXPECT_THAT(scanned("PROPS\nSKIP100\nSALINITY\n 3 /\nENDSKIP\n"),
                ElementsAre(AllOf(StartsWith("SKIP100 is left out"), HasSubstr("count here, as in OPM Flow"))));
}

TEST_F(DeckTextTest, NotesWhatATextSaysOfTheStartOfARun) {
    EXPECT_THAT(
        read("PRESSURE\n 4*150 /\nSGAS\n 4*0.1 /\nTEMPI\n 4*50 /\nRTEMP\n 50 /\nDEPTH\n 4*1000 /\nNINENUM\n 4*1 "
             "/\nHALFTRAN\nPORO\n 4*0.2 /\n")
            .notes,
        ElementsAre(StartsWith("HALFTRAN is left out"), StartsWith("DEPTH is left out: grids are read from COORD"),
                    StartsWith("NINENUM is left out"),
                    AllOf(StartsWith("PRESSURE, SGAS, TEMPI, RTEMP are left out"), HasSubstr("without gas"))));
    EXPECT_THAT(read("SGAS\n 4*0 /\nSWAT\n 4*1 /\nNINENUM\n 4*0 /\nPORO\n 4*0.2 /\n").notes, IsEmpty());
}

TEST_F(DeckTextTest, TellsApartWhatSectionScheduleChanges) {
    write(folder_ / "later.inc", "MULTX-\n 8*1.0 /\nEQUALS\n 'MULTZ' 0.5 1 2 1 2 1 1 /\n/\n");
    const std::string deck =
        "GRID\nMULTFLT\n 'F' 0.1 /\n/\nMULTX\n 4*1 /\nSCHEDULE\nWCONINJE\n 'I' GAS OPEN RATE 1000 /\n/\n"
        "DATES\n 1 JAN 2025 /\n/\nMULTFLT\n 'F' 1.0 /\n/\n";
    EXPECT_THAT(scanned(deck), ElementsAre(StartsWith("MULTFLT is left out: a data set holds no faults"),
                                           StartsWith("MULTFLT of section SCHEDULE is left out: a data set holds flow "
                                                      "between cells and pores as they are at the start")));
    EXPECT_THAT(
        scanned(deck + "INCLUDE\n 'later.inc' /\nTRANX\n 4*2 /\nMULTPV\n 4*2 /\n"),
        ElementsAre(StartsWith("MULTFLT is left out"),
                    StartsWith("MULTFLT of section SCHEDULE, MULTX- of section SCHEDULE, MULTZ of section "
                               "SCHEDULE, TRANX of section SCHEDULE, MULTPV of section SCHEDULE are left out")));
    eclipse::LeftOut left_out = eclipse::scan_deck(folder_ / "RUN.DATA", true).left_out;
    EXPECT_EQ(left_out.take_transmissibilities(), "MULTFLT");
    EXPECT_THAT(left_out.notes(), ElementsAre(StartsWith("MULTFLT of section SCHEDULE, MULTX- of section SCHEDULE")));
}

TEST_F(DeckTextTest, KeepsThePositionsOfItemsLeftToDefaults) {
    const auto deck_of = [&](const std::string& text) {
        EXPECT_THAT(scanned(text), IsEmpty()) << text;
        return eclipse::scan_deck(folder_ / "RUN.DATA", false);
    };
    EXPECT_EQ(deck_of("PROPS\nROCK\n 1* 9e-5 /\n").rock_compressibility, 9e-5);
    EXPECT_EQ(deck_of("PROPS\nROCK\n 2*3e-5 /\nPORO\n 0.2 /\n").rock_compressibility, 3e-5);
    EXPECT_EQ(deck_of("PROPS\nROCK\n 200 1* /\n").rock_compressibility, std::nullopt);
    EXPECT_EQ(deck_of("PROPS\nROCK\n 200 /\n").rock_compressibility, std::nullopt);
    EXPECT_THAT(deck_of("SOLUTION\nRTEMPVD\n 0 2*40 1D3 /\n").temperatures, ElementsAre(0.0, 40.0, 40.0, 1000.0));
    EXPECT_THAT(deck_of("SOLUTION\nTEMPVD\n 0 40 1000 1* /\n").temperatures, IsEmpty());
}

TEST_F(DeckTextTest, NamesRecordsOfFurtherRegions) {
    EXPECT_THAT(
        scanned("PROPS\nROCK\n 100 1e-5 /\n 100 2e-5 /\nSOLUTION\nRTEMPVD\n 0 40 /\n 0 50 /\nPORO\n 0.2 /\n"
                "FAULTS\n/\n"),
        ElementsAre(StartsWith("FAULTS is left out"), StartsWith("RTEMPVD of further regions (EQLNUM) is left out"),
                    StartsWith("ROCK of further regions (ROCKNUM) is left out")));
    const eclipse::ScannedDeck deck = eclipse::scan_deck(folder_ / "RUN.DATA", false);
    EXPECT_EQ(deck.rock_compressibility, 1e-5);
    EXPECT_THAT(deck.temperatures, ElementsAre(0.0, 40.0));
}

}  // namespace
}  // namespace plumecast::testing
