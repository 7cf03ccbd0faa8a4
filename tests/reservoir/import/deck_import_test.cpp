#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/cases/data_notes.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/import/import.hpp>

#include "reservoir/dataset/cases/case_operations.hpp"
#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/import/box_model_files.hpp"
#include "reservoir/import/deck_import_test.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(DeckImportTest, CellsWithoutPoreVolumeAreInactive) {
    const std::string permeability = "PERMX\n 24*100 /\nPERMZ\n 24*10 /\n";
    const Dataset shale = text(box_grid_text() + "PORO\n 24*0.2 /\nNTG\n 12*1 6*0.5 6*0 /\n" + permeability);
    EXPECT_EQ(count_active(shale), 18);
    EXPECT_FLOAT_EQ(map(shale, "porosity")[12], 0.1F);
    EXPECT_EQ(map(shale, "porosity")[18], 0.0F);
    EXPECT_EQ(count_active(text(box_grid_text() + "PORO\n 20*0.2 4*0 /\n" + permeability)), 20);
    EXPECT_EQ(count_active(text(box_grid_text() + box_rock_text() + "ISOLNUM\n 2*0 20*1 2 1* /\n")), 22);
    EXPECT_EQ(count_active(text(box_grid_text() + box_rock_text() + "PORV\n 3*0 21* /\n")), 21);
    EXPECT_EQ(count_active(text(box_grid_text() + box_rock_text() + "ACTNUM\n 5*0 19* /\n")), 19);
    EXPECT_EQ(count_active(text(box_grid_text() + "PORO\n 12*0.2 12*0.001 /\nMINPV\n 500 /\n" + permeability)), 12);
    EXPECT_EQ(count_active(text(box_grid_text() + box_rock_text() + "MINPVV\n 12*30000 12*10 /\n")), 12);
    EXPECT_THAT(error_of_text(box_grid_text() + box_rock_text() + "NTG\n 23*1 -1 /\n"),
                HasSubstr("NTG of cell (4, 3, 2) is -1"));
    EXPECT_THAT(error_of_text(box_grid_text() + box_rock_text() + "ACTNUM\n 23*1 2 /\n"), HasSubstr("ACTNUM with 2"));
}

TEST_F(DeckImportTest, MultipliersOfPoreVolumeBecomePorosityOrANote) {
    const Dataset lower = text(box_grid_text() + box_rock_text() + "MULTPV\n 12*1 11*0.5 0.500001 /\n");
    EXPECT_FLOAT_EQ(map(lower, "porosity")[0], 0.2F);
    EXPECT_FLOAT_EQ(map(lower, "porosity")[12], 0.1F);
    EXPECT_THAT(notes(), ElementsAre(StartsWith("pore volumes of 12 cells are 0.5 times PORO x NTG x cell volume")));
    const Dataset aquifer = text(box_grid_text() + box_rock_text() + "MULTPV\n 1000 23*1 /\n");
    EXPECT_FLOAT_EQ(map(aquifer, "porosity")[0], 0.2F);
    EXPECT_FLOAT_EQ(map(aquifer, "pore_volume")[0], 1000.0F * map(aquifer, "pore_volume")[1]);
    EXPECT_FLOAT_EQ(map(aquifer, "pore_volume")[1], 0.2F * aquifer.cell_values("cell_volume")[1]);
    EXPECT_THAT(notes(), ElementsAre(AllOf(StartsWith("pore volumes of 1 cell are 1000 times"),
                                           HasSubstr("pore_volume holds them beside the porosity"))));
}

TEST_F(DeckImportTest, MapAxesTellThePlace) {
    const std::string axes = "MAPUNITS\n METRES /\nMAPAXES\n 431000 6521100 431000 6521000 431100 6521000 /\n";
    EXPECT_EQ(text(axes + "GRIDUNIT\n METRES /\n" + box_grid_text() + box_rock_text()).attribute("origin"),
              "x 431000 m, y 6521000 m, depth 1000 m");
    EXPECT_EQ(text(axes + "GRIDUNIT\n METRES MAP /\n" + box_grid_text() + box_rock_text()).attribute("origin"),
              "x 0 m, y 0 m, depth 1000 m");
    // The grid's x axis points north, its y axis west: a cell 50 m along x and 150 m along y lies 150 m west, 50 m
    // north.
    const Dataset turned = text("MAPAXES\n 0 2000 1000 2000 1000 3000 /\n" + box_grid_text() + box_rock_text());
    EXPECT_EQ(turned.attribute("origin"), "x 700 m, y 2000 m, depth 1000 m");
    EXPECT_FLOAT_EQ(turned.cell_values("cell_centre_x")[4], 150.0F);
    EXPECT_FLOAT_EQ(turned.cell_values("cell_centre_y")[4], 50.0F);
    EXPECT_FLOAT_EQ(turned.cell_values("cell_volume")[4], 100000.0F);
    EXPECT_THAT(error_of_text("MAPAXES\n 0 1 0 0 1 1 /\n" + box_grid_text() + box_rock_text()),
                HasSubstr("MAPAXES whose axes are not perpendicular"));
    EXPECT_THAT(error_of_text("MAPAXES\n 0 1 0 0 1 /\n" + box_grid_text() + box_rock_text()),
                HasSubstr("MAPAXES with 5 values"));
}

TEST_F(DeckImportTest, NotesThatACaseLiesElsewhere) {
    write(folder_ / "A.GRDECL", box_grid_text() + box_rock_text());
    write(folder_ / "B.GRDECL", "MAPAXES\n 500 100 500 0 600 0 /\n" + box_grid_text() + box_rock_text());
    options_.sources = {(folder_ / "A.GRDECL").string(), (folder_ / "B.GRDECL").string()};
    import_models(options_);
    EXPECT_EQ(Dataset(options_.output).attribute("origin"), "x 0 m, y 0 m, depth 1000 m");
    EXPECT_THAT(notes(),
                ElementsAre("the grid begins at x 500 m, y 0 m, depth 1000 m: the place that the data set states, "
                            "x 0 m, y 0 m, depth 1000 m, is another case's (case 1)"));
}

TEST_F(DeckImportTest, GridFilesTellThePlaceToo) {
    BoxRun run;
    run.of_grid = texts("MAPUNITS", {"FEET"}) + reals("MAPAXES", {0.0F, 200.0F, 0.0F, 100.0F, 100.0F, 100.0F}) +
                  texts("GRIDUNIT", {"METRES", ""});
    EXPECT_EQ(import(run.save(folder_ / "RUN")).attribute("origin"), "x 0 m, y 30.48 m, depth 1000 m");
    run.of_grid = reals("MAPAXES", {0.0F, 200.0F, 0.0F, 100.0F, 100.0F, 100.0F}) + texts("GRIDUNIT", {"METRES", "MAP"});
    EXPECT_EQ(import(run.save(folder_ / "RUN")).attribute("origin"), "x 0 m, y 0 m, depth 1000 m");
}

TEST_F(DeckImportTest, TakesTheUnitSystemThatTheTextNames) {
    const std::string deck = box_grid_text() + box_rock_text();
    EXPECT_NEAR(text(deck).x_edges()[1], 100.0, 1e-6);
    EXPECT_NEAR(text("FIELD\n" + deck).x_edges()[1], 30.48, 1e-6);
    EXPECT_NEAR(text("FILEUNIT\n 'FIELD   ' /\n" + deck).x_edges()[1], 30.48, 1e-6);
    EXPECT_THAT(error_of_text("METRIC\nFILEUNIT\n FIELD /\n" + deck), HasSubstr("FIELD behind METRIC"));
    EXPECT_THAT(error_of_text("FILEUNIT\n FEET /\n" + deck), HasSubstr("FILEUNIT 'FEET'"));
    options_.set["units"] = "METRIC";
    EXPECT_THAT(error_of_text("FIELD\n" + deck),
                HasSubstr("the text has the keyword FIELD, but the values state METRIC"));
    EXPECT_THAT(error_of_text("FIELD\nMETRIC\n" + deck), HasSubstr("METRIC behind FIELD"));
    options_.set["units"] = "IMPERIAL";
    EXPECT_THAT(error_of_text(deck), HasSubstr("no unit system \"IMPERIAL\""));
}

TEST_F(DeckImportTest, RefusesExtentsThatContradictEachOther) {
    EXPECT_THAT(error_of_text(box_grid_text() + box_rock_text() + "DIMENS\n 9 9 9 /\n"),
                HasSubstr("DIMENS with other extents"));
}

TEST_F(DeckImportTest, NamesTheIncludedFileThatIsNotThere) {
    EXPECT_THAT(error_of_text("INCLUDE\n 'rock.inc' /\n"),
                AllOf(HasSubstr("MODEL.GRDECL: byte 0: INCLUDE 'rock.inc' (no such file: "), HasSubstr("rock.inc'")));
}

TEST_F(DeckImportTest, RefusesLayersThatGoUp) {
    std::string upwards = box_grid_text();
    upwards.replace(upwards.find("48*1000 48*1010 48*1010 48*1020"), 31, "48*1020 48*1010 48*1010 48*1000");
    EXPECT_THAT(error_of_text(upwards + box_rock_text()),
                AllOf(HasSubstr("layers are numbered upwards"), HasSubstr("24 of 24 active cells")));
    std::string heights = box_grid_text();
    heights.replace(heights.find("48*1000 48*1010 48*1010 48*1020"), 31, "48*-1000 48*-1010 48*-1010 48*-1020");
    EXPECT_THAT(error_of_text(heights + box_rock_text()), HasSubstr("depths count upwards"));
    BoxRun run;
    std::ranges::reverse(run.depths);
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("layers are numbered upwards"));
}

TEST_F(DeckImportTest, RefusesRingsWhoseLayersGoUp) {
    std::string grid = "SPECGRID\n 2 1 2 1 F /\nCOORD\n";
    for (const double side : {-std::numbers::pi, std::numbers::pi}) {
        for (const double r : {0.5, 10.0, 40.0}) {
            const std::string place = fmt::format(" {} {}", r, side * r);
            grid += place + " 1000" + place + " 1020\n";
        }
    }
    EXPECT_THAT(error_of_text(grid + "/\nZCORN\n 8*1020 8*1010 8*1010 8*1000 /\n"),
                HasSubstr("layers are numbered upwards"));
}

TEST_F(DeckImportTest, PillarsMayPointUp) {
    std::string text_of_grid = box_grid_text();
    for (const auto& [from, to] :
         {std::pair(" 1000", " TOP"), std::pair(" 1020\n", " 1000\n"), std::pair(" TOP", " 1020")}) {
        for (std::size_t at = text_of_grid.find(from); at < text_of_grid.find("ZCORN");
             at = text_of_grid.find(from, at)) {
            text_of_grid.replace(at, std::string(from).size(), to);
            at += std::string(to).size();
        }
    }
    EXPECT_FLOAT_EQ(text(text_of_grid + box_rock_text()).cell_values("cell_centre_z")[12], 15.0F);
}

TEST_F(DeckImportTest, RefusesPillarsInTheOrderOfAnotherGrid) {
    std::string deck = box_grid_text();
    deck.replace(deck.find("4 3 2"), 5, "3 4 2");
    EXPECT_THAT(error_of_text(deck + box_rock_text()),
                AllOf(HasSubstr("active cells are turned inside out on the map"), HasSubstr("correct SPECGRID")));
}

TEST_F(DeckImportTest, SaysThatLayersOverlap) {
    std::string deck = box_grid_text();
    deck.replace(deck.find("48*1010 48*1010"), 15, "48*1013 48*1010");
    text(deck + box_rock_text());
    EXPECT_THAT(notes(), ElementsAre(StartsWith("12 cells reach below the top of the cell beneath, by up to 3 m")));
}

TEST_F(DeckImportTest, CellsTurnedInsideOutHaveNoVolume) {
    BoxRun run;
    for (std::size_t corner : {0, 1, 8, 9}) {  // the top of cell (1, 1, 1) lies 5 m below its bottom
        run.depths[corner] = 1015.0F;
    }
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_EQ(count_active(dataset), 23);
    EXPECT_THAT(notes(), Contains(StartsWith("1 cell is left out whose bottom lies above the top")));
}

TEST_F(DeckImportTest, PoreVolumesOfTheRunTellWhichCellsItHolds) {
    BoxRun run;
    run.active[23] = 0;
    run.stored = 22;
    run.pore_volumes[20] = run.pore_volumes[23] = 0.0F;
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_EQ(count_active(dataset), 22);
    EXPECT_EQ(map(dataset, "active")[20], 0.0F);
    EXPECT_THAT(notes(), IsEmpty());
    run.active = std::vector<int>(box_cells, 1);  // Intersect: ACTNUM has all cells
    EXPECT_EQ(count_active(import(run.save(folder_ / "RUN"))), 22);
    run.stored = box_cells;  // arrays of all cells
    EXPECT_EQ(count_active(import(run.save(folder_ / "RUN"))), 22);
    run.stored = 21;
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("with 21 values for a grid of 24 cells"));
}

TEST_F(DeckImportTest, NotesWhatTheFilesOfARunTell) {
    BoxRun run;
    std::vector<std::string> flags(121, whole(0));
    run.of_initial = record("LOGIHEAD", "LOGI", flags, 1000) + run.cell_array("MULTX", 1.0) +
                     run.cell_array("SATNUM", 1.0) + run.cell_array("SWL", 0.2) + run.cell_array("IMBNUM", 1.0);
    import(run.save(folder_ / "RUN"));
    EXPECT_THAT(notes(), IsEmpty());
    flags[6] = whole(-1);
    run.of_initial = record("LOGIHEAD", "LOGI", flags, 1000) + run.cell_array("MULTX", 0.5) +
                     run.cell_array("SATNUM", 2.0) + run.cell_array("AQUIFERA", 1.0) + run.cell_array("IMBNUM", 3.0);
    run.behind_grid = integers("NNC1", {1, 2}) + integers("NNC2", {3, 4});
    import(run.save(folder_ / "RUN"));
    EXPECT_THAT(notes(), ElementsAre(StartsWith("MULTX, NNC are left out"), StartsWith("AQUIFERA is left out"),
                                     StartsWith("SATNUM is left out"),
                                     StartsWith("hysteresis (LOGIHEAD), IMBNUM are left out")));
    EXPECT_EQ(report_.notes.size(), 4u);
}

TEST_F(DeckImportTest, RefusesDualPorosityThatTheInitFileAloneTells) {
    BoxRun run;
    std::vector<std::string> flags(121, whole(0));
    flags[14] = whole(-1);
    run.of_initial = record("LOGIHEAD", "LOGI", flags, 1000);
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")),
                AllOf(HasSubstr("LOGIHEAD declares dual porosity"), HasSubstr("import the matrix or the fractures")));
}

TEST_F(DeckImportTest, NotesLocalGridsAndTheDeckBesideARun) {
    BoxRun run;
    std::vector<int> head(100, 0);
    head[0] = 1;
    head[1] = head[2] = 2;
    head[3] = head[4] = 1;
    run.behind_grid = texts("LGR", {"FINE"}) + integers("GRIDHEAD", head) + integers("HOSTNUM", {1, 1, 1, 1}) +
                      integers("ENDGRID", {}) + integers("ENDLGR", {});
    run.of_state = texts("LGR", {"FINE"}) + integers("ICON", std::vector<int>(25, 1));
    write(folder_ / "RUN.DATA", "RUNSPEC\nSATOPTS\n HYSTER /\nGRID\nMULTFLT\n 'F' 0.1 /\n/\nPROPS\nSALINITY\n 0.7 /\n");
    import(run.save(folder_ / "RUN"));
    EXPECT_THAT(notes(),
                ElementsAre(StartsWith("MULTFLT is left out"), StartsWith("SATOPTS HYSTER is left out"),
                            StartsWith("local grid FINE (4 cells in the place of 1 of the main grid) is left out"),
                            StartsWith("wells in local grid FINE are left out")));
    EXPECT_NEAR(Dataset(options_.output).scalar("salinity")[0], 0.7 * 0.05844 / (1.0 + 0.7 * 0.05844), 1e-6);
    std::filesystem::rename(folder_ / "RUN.DATA", folder_ / "Run.data");
    import(run.save(folder_ / "RUN"));
    EXPECT_THAT(notes(), Contains(StartsWith("MULTFLT is left out")));
    write(folder_ / "RUN.DATA", std::string("\xFF\xFEG\0", 4));
    import(run.save(folder_ / "RUN"));
    EXPECT_THAT(notes(), Contains(AllOf(StartsWith("the deck beside the run tells nothing"), HasSubstr("UTF-16"))));
}

TEST_F(DeckImportTest, TakesTheDeckAboveAFolderOfOutput) {
    std::filesystem::create_directory(folder_ / "out");
    write(folder_ / "RUN.DATA", "RUNSPEC\nGRID\nPROPS\nSALINITY\n 0.7 /\nSCHEDULE\nMULTFLT\n 'F' 1.0 /\n/\n");
    import(BoxRun().save(folder_ / "out" / "RUN"));
    EXPECT_THAT(notes(), ElementsAre(StartsWith("MULTFLT of section SCHEDULE is left out")));
    EXPECT_NEAR(Dataset(options_.output).scalar("salinity")[0], 0.7 * 0.05844 / (1.0 + 0.7 * 0.05844), 1e-6);
    write(folder_ / "out" / "RUN.DATA", "RUNSPEC\nGRID\n");
    import(BoxRun().save(folder_ / "out" / "RUN"));
    EXPECT_THAT(notes(), IsEmpty()) << "the deck beside the run counts";
}

TEST_F(DeckImportTest, NotesGoWithTheirCases) {
    write(folder_ / "A.GRDECL", box_grid_text() + box_rock_text() + "MULTX\n 24*0.5 /\n");
    write(folder_ / "B.GRDECL", box_grid_text() + "PORO\n 24*0.3 /\nPERMX\n 24*90 /\nPERMZ\n 24*9 /\n");
    options_.sources = {(folder_ / "A.GRDECL").string(), (folder_ / "B.GRDECL").string()};
    import_models(options_);
    EXPECT_THAT(notes(), ElementsAre(AllOf(StartsWith("MULTX is left out"), HasSubstr("alone (case 0)"))));
    const std::string both = options_.output;
    for (const std::int64_t which : {0, 1}) {
        SubsetOptions subset;
        subset.source = both;
        subset.output = (folder_ / ("part" + std::to_string(which) + ".h5")).string();
        subset.cases = {{which, which}};
        subset_dataset(subset);
        EXPECT_EQ(data_notes(subset.output).size(), which == 0 ? 1u : 0u);
    }
    MergeOptions merge;  // the first file has no notes
    merge.sources = {(folder_ / "part1.h5").string(), (folder_ / "part0.h5").string()};
    merge.output = options_.output = (folder_ / "merged.h5").string();
    merge_datasets(merge);
    EXPECT_THAT(notes(), ElementsAre(AllOf(StartsWith("MULTX is left out"), HasSubstr("alone (case 1)"))));
    options_.output = (folder_ / "copy.h5").string();
    write_dataset(options_.output, Dataset(merge.output));
    EXPECT_THAT(notes(), ElementsAre(StartsWith("MULTX is left out")));
    FieldsWriter writer(options_.output, merge.output, {"gas_saturation"}, {});
    writer.commit();
    EXPECT_THAT(notes(), ElementsAre(StartsWith("MULTX is left out")));
}

TEST_F(DeckImportTest, NotesOfAFileArePrintable) {
    const std::vector<DataNote> notes = grouped_notes({"a\x1B[31mb\n\nc", "c", ""});
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0].line(), "a?[31mb (case 0)");
    EXPECT_EQ(notes[1].line(), "c (cases 0, 1)");
    EXPECT_EQ(grouped_notes({"c", "c"})[0].line(), "c");
}

TEST_F(DeckImportTest, ValidateRefusesRowsThatGoUp) {
    write(folder_ / "MODEL.GRDECL", box_grid_text() + box_rock_text());
    const Dataset sound = import((folder_ / "MODEL.GRDECL").string());
    DatasetContent content;
    content.x_edges = sound.x_edges();
    content.y_edges = sound.y_edges();
    content.z_edges = sound.z_edges();
    content.times = sound.times();
    for (const char* name : {"permeability_x", "permeability_y", "permeability_z", "porosity", "perforation", "active",
                             "cell_injection_rate"}) {
        content.arrays[name] = map(sound, name);
    }
    for (const char* name : {"injection_rate", "initial_pressure", "temperature", "thickness"}) {
        content.arrays[name] = sound.scalar(name);
    }
    for (const char* name : {"cell_volume", "cell_centre_x", "cell_centre_y", "cell_centre_z"}) {
        content.arrays[name] = sound.cell_values(name);
    }
    std::ranges::reverse(content.arrays["cell_centre_z"]);
    const std::string path = (folder_ / "turned.h5").string();
    write_dataset(path, content);
    EXPECT_THAT(errors_of(path), ElementsAre(HasSubstr("/grid/cell_centre_z: cell [1, 0, 0] has depth 5 m")));
}

}  // namespace
}  // namespace plumecast::testing
