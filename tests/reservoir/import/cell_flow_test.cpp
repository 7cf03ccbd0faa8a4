#include <vector>

#include <gmock/gmock.h>

#include "reservoir/import/cell_flow.hpp"
#include "reservoir/import/deck_import_test.hpp"
#include "reservoir/physics/cylinder.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Of the box of BoxRun, between two cells.
constexpr double along = cylinder::darcy * 1000.0 * 100.0 / 100.0, down = cylinder::darcy * 10000.0 * 10.0 / 10.0;

/// TRANX, TRANY and TRANZ of the box; 0 where there is no next cell.
std::string flow_of_box(double factor = 1.0) {
    std::vector<double> x(box_cells, along), y(box_cells, along), z(box_cells, down);
    for (std::size_t cell = 0; cell < box_cells; ++cell) {
        x[cell] *= cell % 4 == 3 ? 0.0 : factor;
        y[cell] *= cell % 12 >= 8 ? 0.0 : factor;
        z[cell] *= cell >= 12 ? 0.0 : factor;
    }
    return doubles("TRANX", x) + doubles("TRANY", y) + doubles("TRANZ", z);
}

class CellFlowTest : public DeckImportTest {
   protected:
    CellFlowTest() { options_.grid = ImportGrid::box; }
};

TEST_F(CellFlowTest, ThatOfABoxIsNotStated) {
    BoxRun run;
    run.of_initial = flow_of_box();
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_FALSE(dataset.has("transmissibility_x"));
    EXPECT_THAT(notes(), IsEmpty());
}

TEST_F(CellFlowTest, MultipliersAreInTheTransmissibilities) {
    BoxRun run;
    run.of_initial = flow_of_box(0.5) + run.cell_array("MULTX", 0.5);
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_FLOAT_EQ(map(dataset, "transmissibility_x")[1], static_cast<float>(0.5 * along));
    EXPECT_FLOAT_EQ(map(dataset, "transmissibility_z")[11], static_cast<float>(0.5 * down));
    EXPECT_EQ(map(dataset, "transmissibility_z")[12], 0.0F);
    EXPECT_THAT(notes(), ElementsAre(StartsWith("MULTX: the transmissibilities of the data set hold them")));
    EXPECT_THAT(dataset.connection_transmissibilities(0), IsEmpty());
}

TEST_F(CellFlowTest, ConnectionsBetweenCellsApartAreStated) {
    BoxRun run;
    run.active[5] = 0;
    run.stored = box_cells - 1;
    run.of_initial = flow_of_box();
    run.behind_grid = integers("NNC1", {1, 20, 6, 1}) + integers("NNC2", {14, 3, 1, 14});
    run.of_initial = flow_of_box() + doubles("TRANNNC", {0.5, 0.25, 7.0, 0.125});
    const Dataset dataset = import(run.save(folder_ / "RUN"));
    EXPECT_THAT(dataset.cell_values("connection_first"), ElementsAre(0.0F, 2.0F));
    EXPECT_THAT(dataset.cell_values("connection_second"), ElementsAre(13.0F, 19.0F));
    EXPECT_THAT(dataset.connection_transmissibilities(0), ElementsAre(0.625F, 0.25F));  // without the inactive cell
    EXPECT_EQ(map(dataset, "transmissibility_x")[5], 0.0F);
    EXPECT_THAT(notes(), ElementsAre(StartsWith("NNC: the transmissibilities of the data set hold them")));
}

TEST(FlowOfCases, HasFactorsOfWellsWhereTheyAreOpenInTheCase) {
    CaseArrays arrays{{"active", {1.0F, 1.0F}}, {"perforation", {0.5F, 0.0F}}};
    FlowOfCases::add_wells_to(arrays, {{0, 5.0}, {1, 7.0}});  // the second was open at another time
    EXPECT_THAT(arrays.at("well_connection_factor"), ElementsAre(5.0F, 0.0F));
}

/// Three columns of four layers: of the second, two layers pinch out; of the third, all below the first.
TEST(ConnectAcrossPinched, JoinsTheNextActiveCellBelow) {
    Transmissibilities flow;
    flow.z = {1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const std::vector<std::uint8_t> active = {1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0};
    connect_across_pinched(flow, active, 3);
    EXPECT_THAT(flow.z, ElementsAre(1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0));
    EXPECT_THAT(flow.apart, ElementsAre(::testing::Pair(eclipse::CellPair{1, 10}, 2.0)));
    flow.z[1] = 2.0;  // as the simulator that lists such pairs apart too
    flow.apart = {{{1, 10}, 7.0}};
    connect_across_pinched(flow, active, 3);
    EXPECT_THAT(flow.apart, ElementsAre(::testing::Pair(eclipse::CellPair{1, 10}, 7.0)));
}

TEST_F(CellFlowTest, NamesWhatDoesNotFit) {
    BoxRun run;
    run.behind_grid = integers("NNC1", {1, 2}) + integers("NNC2", {14});
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("NNC2 (INTE, 1 values) (NNC1 names 2 cells)"));
    run.behind_grid = integers("NNC1", {1, 2}) + integers("NNC2", {14, 25});
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("cell 25 lies outside the grid"));
    run.behind_grid = integers("NNC1", {1, 2}) + integers("NNC2", {14, 15});
    run.of_initial = flow_of_box() + doubles("TRANNNC", {0.5});
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("TRANNNC with 1 values for 2 pairs of cells"));
    run.of_initial = flow_of_box(-1.0) + doubles("TRANNNC", {0.5, 0.5});
    EXPECT_THAT(error_of(run.save(folder_ / "RUN")), HasSubstr("TRANX holds -"));
    run.of_initial = flow_of_box();  // connections of which nothing tells how well they conduct
    EXPECT_FALSE(import(run.save(folder_ / "RUN")).has("transmissibility_x"));
    EXPECT_THAT(notes(), ElementsAre(StartsWith("NNC is left out")));
}

TEST_F(CellFlowTest, CasesShareTheirConnections) {
    BoxRun run;
    run.behind_grid = integers("NNC1", {1}) + integers("NNC2", {14});
    run.of_initial = flow_of_box() + doubles("TRANNNC", {0.5});
    const std::string first = run.save(folder_ / "A");
    run.behind_grid = integers("NNC1", {2}) + integers("NNC2", {15});
    run.of_initial = flow_of_box(2.0) + doubles("TRANNNC", {0.75});
    options_.sources = {first, run.save(folder_ / "B")};
    import_models(options_);
    const Dataset dataset(options_.output);
    EXPECT_THAT(dataset.cell_values("connection_first"), ElementsAre(0.0F, 1.0F));
    EXPECT_THAT(dataset.connection_transmissibilities(0), ElementsAre(0.5F, 0.0F));
    EXPECT_THAT(dataset.connection_transmissibilities(1), ElementsAre(0.0F, 0.75F));
    EXPECT_THAT(errors_of(options_.output), IsEmpty());
    run.of_initial = "";  // a run that tells no transmissibilities
    options_.sources = {first, run.save(folder_ / "C")};
    const ImportReport report = import_models(options_);
    EXPECT_FALSE(Dataset(options_.output).has("transmissibility_x"));
    EXPECT_THAT(report.assumptions, ElementsAre(StartsWith("transmissibilities are left out, since not all cases")));
}

}  // namespace
}  // namespace plumecast::testing
