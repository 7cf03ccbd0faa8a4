
#include "reservoir/simulation/deck.hpp"
#include "reservoir/physics/cylinder.hpp"
#include "reservoir/physics/saturation_functions.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reservoir/simulation/deck_sections.hpp"
#include "reservoir/simulation/sample_reservoir.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<double> times = {1.0, 2.5, 30.0};

/// As a deck writes numbers, whatever the locale of the test.
double number_in(const std::string& word) {
    double value = 0.0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

/// Words after a keyword, up to the next line that starts with a letter; "n*v" stands for n words.
std::vector<std::string> words_of(const std::string& deck, const std::string& keyword) {
    std::istringstream lines(deck);
    std::vector<std::string> words;
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z') {
            is_inside = line == keyword;
            continue;
        }
        std::istringstream parts(line);
        for (std::string word; is_inside && parts >> word;) {
            if (word != "/") {
                words.push_back(word);
            }
        }
    }
    return words;
}

TEST(DeckText, MakesBrineTheOilPhase) {
    const std::string deck = deck_text(sample_reservoir(), times);
    EXPECT_THAT(deck, HasSubstr("\nOIL\nGAS\nDISGAS\nCO2STORE\n"));
    EXPECT_THAT(deck, Not(HasSubstr("WATER")));
    EXPECT_THAT(deck, HasSubstr("\nRTEMP\n"));
    EXPECT_THAT(deck, HasSubstr("\nUNIFOUT\n"));
}

TEST(DeckText, MakesBrineTheWaterPhaseWhereAsked) {
    const Reservoir reservoir = sample_reservoir();
    const std::string deck = deck_text(reservoir, times, BrinePhase::water);
    EXPECT_THAT(deck, HasSubstr("\nWATER\nGAS\nDISGASW\nCO2STORE\n"));
    EXPECT_THAT(deck, Not(HasSubstr("OIL")));
    EXPECT_THAT(deck, Not(HasSubstr("RSVD")));
    EXPECT_EQ(words_of(deck, "EQUIL").at(2), "0");  // the contact, above all cells
    EXPECT_THAT(deck, HasSubstr("\nRPTRST\n BASIC=2 BG BW PCGW /\n"));
}

TEST(DeckText, HasTheSameSaturationFunctionsForBothPhasesOfBrine) {
    const std::vector<std::string> oil = words_of(deck_text(sample_reservoir(), times), "SGOF");
    const std::string deck = deck_text(sample_reservoir(), times, BrinePhase::water);
    const std::vector<std::string> gas = words_of(deck, "SGFN"), water = words_of(deck, "SWFN");
    const std::size_t rows = oil.size() / 4;
    ASSERT_EQ(gas.size(), 3 * rows);
    ASSERT_EQ(water.size(), 3 * rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t of_water = 3 * (rows - 1 - row);
        EXPECT_EQ(gas[3 * row], oil[4 * row]);
        EXPECT_EQ(gas[3 * row + 1], oil[4 * row + 1]);
        EXPECT_EQ(gas[3 * row + 2], oil[4 * row + 3]);
        EXPECT_NEAR(number_in(water[of_water]), 1.0 - number_in(oil[4 * row]), 1e-8);
        EXPECT_EQ(water[of_water + 1], oil[4 * row + 2]);
        EXPECT_EQ(water[of_water + 2], oil[4 * row + 3]);
    }
}

TEST(DeckText, ScalesCapillaryPressureOfWaterByTheSameFactor) {
    const Reservoir reservoir = sample_reservoir();
    const std::string deck = deck_text(reservoir, times, BrinePhase::water);
    EXPECT_THAT(deck, Not(HasSubstr("\nPCG\n")));
    const std::vector<std::string> words = words_of(deck, "JFUNC");
    ASSERT_EQ(words.size(), 6u);
    EXPECT_EQ(words[0], "BOTH");
    const double porosity = 0.17, permeability = 40.0;
    // Capillary pressure [bar] by the manual of the keyword, tension in dyn/cm and permeability in mD.
    const double factor = 0.318316 * number_in(words[1]) * std::pow(porosity, number_in(words[3])) /
                          std::pow(permeability, number_in(words[4]));
    EXPECT_NEAR(factor / leverett_factor(permeability, porosity), 1.0, 1e-6);
}

TEST(DeckText, StatesTheSalinityAsMolality) {
    Reservoir reservoir = sample_reservoir();
    EXPECT_THAT(deck_text(reservoir, times), HasSubstr("\nSALINITY\n 0 /\n"));
    reservoir.inputs.salinity = 0.1;
    const std::string word = words_of(deck_text(reservoir, times), "SALINITY").at(0);
    double molality = 0.0;
    std::from_chars(word.data(), word.data() + word.size(), molality);
    EXPECT_NEAR(molality, 0.1 / (0.9 * 0.05844), 1e-8);
}

TEST(DeckText, LimitsThePressureInTheWellWhereTheCaseDoes) {
    Reservoir reservoir = sample_reservoir();
    EXPECT_THAT(deck_text(reservoir, times), HasSubstr(" 1* 950 /\n"));
    reservoir.inputs.bottom_hole_pressure_limit = 187.125;
    EXPECT_THAT(deck_text(reservoir, times), HasSubstr(" 1* 187.125 /\n"));
    EXPECT_THAT(deck_text(reservoir, times), Not(HasSubstr(" 950 /")));
}

/// A kilogram per cubic metre and year is 0.00147 surface volumes of gas per one of brine and day, for brine that takes
/// up as much room there as in the formation.
TEST(DeckText, LimitsTheRateOfDissolutionWhereTheCaseDoes) {
    Reservoir reservoir = sample_reservoir();
    EXPECT_THAT(deck_text(reservoir, times, BrinePhase::water), Not(HasSubstr("DRSDT")));
    reservoir.inputs.dissolution_rate_limit = 2.0;
    const std::vector<std::string> words = words_of(deck_text(reservoir, times, BrinePhase::water), "DRSDT");
    ASSERT_EQ(words.size(), 1U);
    double rate = 0.0;
    std::from_chars(words[0].data(), words[0].data() + words[0].size(), rate);
    EXPECT_NEAR(rate, 2.0 / 365.25 / 1.86842, 0.1 * 2.0 / 365.25 / 1.86842);
}

TEST(DeckText, GrowsWarmerWithDepthWhereTheCaseDoes) {
    Reservoir reservoir = sample_reservoir();
    EXPECT_THAT(deck_text(reservoir, times, BrinePhase::water), Not(HasSubstr("RTEMPVD")));
    reservoir.rock_fluid.temperature_gradient = 0.05;
    const std::string text = deck_text(reservoir, times, BrinePhase::water);
    const double height = reservoir.thickness(), middle = reservoir.inputs.temperature;
    EXPECT_THAT(text,
                HasSubstr(fmt::format("RTEMPVD\n {:.6f} {:.6f}\n {:.6f} {:.6f} /\n", deck::top_depth,
                                      middle - 0.025 * height, deck::top_depth + height, middle + 0.025 * height)));
    EXPECT_THAT(text, Not(HasSubstr("RTEMP\n")));
}

TEST(DeckText, HasTablesOfDrainageAndImbibitionWithHysteresis) {
    Reservoir reservoir = sample_reservoir();
    const std::string without = deck_text(reservoir, times, BrinePhase::water);
    for (const double none : {0.0, 0.05}) {  // not more than drainage leaves
        reservoir.inputs.residual_gas_saturation = none;
        EXPECT_EQ(deck_text(reservoir, times, BrinePhase::water), without);
    }
    reservoir.inputs.residual_gas_saturation = 0.3;
    const std::string deck = deck_text(reservoir, times, BrinePhase::water);
    EXPECT_EQ(words_of(deck, "SATOPTS"), (std::vector<std::string>{"HYSTER"}));
    EXPECT_EQ(words_of(deck, "EHYSTR"), (std::vector<std::string>{"0.1", "2", "1.0", "0.0", "KR"}));
    EXPECT_EQ(words_of(deck, "IMBNUM"), (std::vector<std::string>{"24*2"}));
    EXPECT_EQ(words_of(deck, "SATNUM"), (std::vector<std::string>{"24*1"}));
    EXPECT_EQ(words_of(deck, "TABDIMS")[0], "2");
    // The second table begins at the saturation that is left.
    const std::size_t second = deck.find("/\n", deck.find("SGFN"));
    const std::string begin = deck.substr(second + 2, deck.find('\n', deck.find('\n', second + 2) + 1) - second - 2);
    EXPECT_THAT(begin, HasSubstr(" 0.00000000 0 0\n 0.30000000 0 "));
    EXPECT_THAT(deck, HasSubstr("FGMMO\n"));
    EXPECT_THAT(without, Not(HasSubstr("HYST")));
}

TEST(DeckText, HoldsTheActiveRowsOnly) {
    const Reservoir reservoir = sample_reservoir();
    const std::string deck = deck_text(reservoir, times);
    EXPECT_EQ(words_of(deck, "DIMENS"), (std::vector<std::string>{"8", "1", "3"}));
    for (const char* keyword : {"PERMX", "PERMZ", "PORO", "TRANX", "TRANZ", "PCG"}) {
        EXPECT_EQ(words_of(deck, keyword).size(), 24u) << keyword;
    }
    EXPECT_EQ(words_of(deck, "COORD").size(), 2u * 9u * 6u);
    EXPECT_EQ(words_of(deck, "ZCORN").size(), 6u);
}

TEST(DeckText, OverridesTransmissibilitiesWithTheCylinders) {
    const Reservoir reservoir = sample_reservoir();
    const std::string deck = deck_text(reservoir, times);
    const auto& r = reservoir.grid.r_edges;
    const auto& kr = reservoir.rock.permeability_r;
    const auto& kz = reservoir.rock.permeability_z;
    const double outwards = cylinder::radial_transmissibility({r[1], r[2]}, kr[8 + 1], {r[2], r[3]}, kr[8 + 2], 20.0);
    EXPECT_NEAR(number_in(words_of(deck, "TRANX")[8 + 1]) / outwards, 1.0, 1e-8);
    EXPECT_EQ(words_of(deck, "TRANX")[7], "0");
    const double downwards = cylinder::vertical_transmissibility({r[2], r[3]}, 20.0, kz[2], 20.0, kz[8 + 2]);
    EXPECT_NEAR(number_in(words_of(deck, "TRANZ")[2]) / downwards, 1.0, 1e-8);
    EXPECT_EQ(words_of(deck, "TRANZ")[16], "0");
}

TEST(DeckText, ConnectsThePerforatedRowsByTheirShare) {
    const Reservoir reservoir = sample_reservoir();  // perforated from 25 m to 45 m, rows of 20 m
    const std::vector<std::string> words = words_of(deck_text(reservoir, times), "COMPDAT");
    ASSERT_EQ(words.size(), 18u);
    EXPECT_EQ(words[3], "2");
    EXPECT_EQ(words[9 + 3], "3");
    const cylinder::Ring first{reservoir.grid.r_edges[0], reservoir.grid.r_edges[1]};
    const auto factor = [&](std::size_t row, double height) {
        return cylinder::well_connection_factor(first, reservoir.rock.permeability_r[row * 8], height);
    };
    EXPECT_NEAR(number_in(words[7]) / factor(1, 15.0), 1.0, 1e-8);
    EXPECT_NEAR(number_in(words[9 + 7]) / factor(2, 5.0), 1.0, 1e-8);
    EXPECT_EQ(words[8], "0.2");
}

TEST(DeckText, AsksForTheRateInSurfaceVolumeAndTheStepsBetweenSnapshots) {
    Reservoir reservoir = sample_reservoir();
    reservoir.inputs.injection_rate = 1.0;
    const std::string deck = deck_text(reservoir, times);
    EXPECT_NEAR(number_in(words_of(deck, "WCONINJE")[4]), 1e9 / 365.25 / 1.86842, 1e-3);
    EXPECT_EQ(words_of(deck, "TSTEP"), (std::vector<std::string>{"1", "1.5", "27.5"}));
}

TEST(DeckText, ScalesCapillaryPressureFromTheEndOfTheTable) {
    const Reservoir reservoir = sample_reservoir();
    const std::string deck = deck_text(reservoir, times);
    const double end = number_in(words_of(deck, "SGOF").back());
    const double factor = std::sqrt(reservoir.rock.porosity[5] / 0.2 * 100.0 / reservoir.rock.permeability_r[5]);
    EXPECT_NEAR(number_in(words_of(deck, "PCG")[5]) / (end * factor), 1.0, 1e-6);
}

TEST(DeckText, KeepsLinesShort) {
    std::istringstream lines(deck_text(sample_reservoir(), times));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 128u);
    }
}

TEST(DeckText, ChangesTheRateOnTheDaysOfASchedule) {
    Reservoir reservoir = sample_reservoir();
    reservoir.inputs.schedule_ends = {1.5, 10.0, 20.0, 30.0};
    reservoir.inputs.schedule_rates = {0.3, 0.0, 0.3, 0.3};
    EXPECT_EQ(report_days(reservoir.inputs, times), (std::vector<double>{1.0, 1.5, 2.5, 10.0, 30.0}));
    const std::string deck = deck_text(reservoir, times);
    const std::string text = deck.substr(deck.find("WCONINJE"));
    const std::string rate = words_of(text, "WCONINJE")[4];
    EXPECT_NEAR(number_in(rate) / surface_rate(0.3), 1.0, 1e-9);
    const std::string open = "WCONINJE\n INJ GAS OPEN RATE " + rate + " 1* 950 /\n/\n";
    EXPECT_EQ(text, open + "TSTEP\n 1 0.5 /\nWCONINJE\n INJ GAS SHUT RATE 0 1* 950 /\n/\nTSTEP\n 1 7.5 /\n" + open +
                        "TSTEP\n 20 /\nEND\n");
}

}  // namespace
}  // namespace plumecast::testing
