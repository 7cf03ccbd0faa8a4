#include "reservoir/import/model_notes/effective_porosity.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/model_files.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::array radii = {0.5, 10.0, 40.0, 100.0};  // of the rings of RadialRun, in layers of 5 m

double squares(int ring) {
    const auto at = static_cast<std::size_t>(ring);
    return radii[at + 1] * radii[at + 1] - radii[at] * radii[at];
}

class EffectivePorosityTest : public TemporaryFolder {
   protected:
    EffectivePorosityTest() {
        options_.output = (folder_ / "data.h5").string();
        options_.set = Json::Object{{"injection_rate", 0.5},
                                    {"temperature", 60.0},
                                    {"irreducible_water_saturation", 0.2},
                                    {"van_genuchten_lambda", 0.5}};
    }
    std::vector<float> import(const std::string& source) {
        options_.sources = {source};
        notes_.clear();
        for (const DataNote& note : import_models(options_).notes) {
            notes_.push_back(note.line());
        }
        const Dataset dataset(options_.output);
        std::vector<float> porosity(static_cast<std::size_t>(dataset.cells()));
        const std::int64_t which = 0;
        dataset.read_map("porosity", {&which, 1}, porosity);
        return porosity;
    }
    /// A run in a wedge with straight pillars, whose INIT file holds the given pore volumes.
    std::vector<float> import_wedge(double degrees, const std::vector<double>& pore_volumes) {
        RadialRun run;
        run.wedge = degrees;
        const std::string root = run.save(folder_ / "WEDGE");
        if (!pore_volumes.empty()) {
            RadialRun::write(root + ".INIT", run.initial() + doubles("PORV", pore_volumes));
        }
        return import(root);
    }
    /// Of each cell, between arcs of the whole ring [m3].
    static double ring_pores(const std::vector<float>& porosity) {
        double sum = 0.0;
        for (int cell = 0; cell < 6; ++cell) {
            sum += static_cast<double>(porosity[static_cast<std::size_t>(cell)]) * std::numbers::pi *
                   squares(cell % 3) * 5.0;
        }
        return sum;
    }
    static double porosity_of(int cell) { return 0.5 * (0.1 + 0.01 * cell); }  // times net to gross

    ImportOptions options_;
    std::vector<std::string> notes_;
};

/// A sector between chords has half the sine of its angle times the difference of the squares of its radii.
TEST_F(EffectivePorosityTest, LetsTheRingHoldWhatAWedgeWithStraightPillarsDoes) {
    for (const auto& [degrees, sine] : {std::pair(30.0, 0.5), std::pair(60.0, 0.8660254)}) {
        std::vector<double> pore_volumes;
        double sum = 0.0;
        for (int cell = 0; cell < 6; ++cell) {
            pore_volumes.push_back(porosity_of(cell) * 0.5 * sine * squares(cell % 3) * 5.0);
            sum += pore_volumes.back();
        }
        const double of_ring = 360.0 / degrees * sum;
        EXPECT_NEAR(ring_pores(import_wedge(degrees, pore_volumes)), of_ring, 1e-5 * of_ring) << degrees;
        const double share = sine / (degrees * std::numbers::pi / 180.0);
        EXPECT_THAT(notes_,
                    Contains(HasSubstr(fmt::format("the 6 cells of the wedge by chords, {:.4g} times", share))));
        EXPECT_NEAR(ring_pores(import_wedge(degrees, {})), of_ring, 1e-5 * of_ring) << "without PORV, " << degrees;
    }
}

TEST_F(EffectivePorosityTest, KeepsThePorosityOfAWedgeWhosePoreVolumesAreThoseBetweenArcs) {
    std::vector<double> pore_volumes;
    for (int cell = 0; cell < 6; ++cell) {  // of a sixth of the ring
        pore_volumes.push_back(porosity_of(cell) * std::numbers::pi / 6.0 * squares(cell % 3) * 5.0);
    }
    const std::vector<float> porosity = import_wedge(60.0, pore_volumes);
    for (int cell = 0; cell < 6; ++cell) {
        EXPECT_NEAR(porosity[static_cast<std::size_t>(cell)], porosity_of(cell), 1e-6);
    }
    EXPECT_THAT(notes_, Not(Contains(HasSubstr("chords"))));
    pore_volumes[4] *= 1.5;
    EXPECT_NEAR(import_wedge(60.0, pore_volumes)[4], 1.5 * porosity_of(4), 1e-5);
    EXPECT_THAT(notes_, Contains(HasSubstr("pore volumes of 1 cell are 1.5 times")));
}

TEST_F(EffectivePorosityTest, KeepsThePorosityOfCylinders) {
    const std::vector<float> unrolled = import(RadialRun().save(folder_ / "RING"));
    EXPECT_NEAR(unrolled[4], porosity_of(4), 1e-7);
    EXPECT_THAT(notes_, Not(Contains(HasSubstr("chords"))));
    std::string rings = "SPECGRID\n 2 1 1 1 T /\nCOORD\n";
    for (const double angle : {0.0, 60.0}) {
        for (const double r : {0.5, 10.0, 40.0}) {
            rings += fmt::format(" {0} {1} 1000 {0} {1} 1010\n", r, angle);
        }
    }
    write(folder_ / "ARCS.GRDECL",
          rings + "/\nZCORN\n 8*1000 8*1010 /\nPORO\n 2*0.2 /\nPERMX\n 2*100 /\nPERMZ\n 2*10 /\n");
    options_.set["initial_pressure"] = 100.0;
    options_.set["times"] = Json::Array{10.0};
    options_.set["perforation"] = Json::Array{0.0, 10.0};
    EXPECT_EQ(import((folder_ / "ARCS.GRDECL").string())[1], 0.2F);
    EXPECT_THAT(notes_, Not(Contains(HasSubstr("chords"))));
}

}  // namespace
}  // namespace plumecast::testing
