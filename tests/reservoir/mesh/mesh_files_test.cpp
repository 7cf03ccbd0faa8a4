#include <cstring>
#include <set>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/mesh/hexahedra.hpp"
#include "reservoir/mesh/vtk_files.hpp"
#include "reservoir/mesh/xdmf_file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<double> r_edges{0.1, 4.0, 300.0};
const std::vector<double> z_edges{0.0, 2.0, 7.0};

std::vector<std::int32_t> all_of(const eclipse::PillarGrid& grid) { return std::vector<std::int32_t>(grid.cells(), 1); }

/// Six times the volume of the tetrahedron of four points of a mesh, positive for VTK's order.
double six_volumes(const HexMesh& mesh, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    const auto edge = [&](std::size_t to, std::size_t axis) {
        return static_cast<double>(mesh.points[3 * to + axis]) - static_cast<double>(mesh.points[3 * a + axis]);
    };
    return (edge(b, 1) * edge(c, 2) - edge(b, 2) * edge(c, 1)) * edge(d, 0) +
           (edge(b, 2) * edge(c, 0) - edge(b, 0) * edge(c, 2)) * edge(d, 1) +
           (edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0)) * edge(d, 2);
}

TEST(Hexahedra, SharePointsAlsoWhereTheCylinderCloses) {
    const auto grid = eclipse::cylinder_grid(r_edges, z_edges, 6, 100.0);
    const HexMesh mesh = hexahedra(grid, all_of(grid));
    EXPECT_EQ(mesh.cells(), grid.cells());
    EXPECT_EQ(mesh.points.size(), 3 * 3U * 6U * 3U);
    const std::set<std::int32_t> used(mesh.corners.begin(), mesh.corners.end());
    EXPECT_EQ(used.size(), mesh.points.size() / 3);
}

TEST(Hexahedra, StandUprightWithTheirLowerFaceFirst) {
    const auto grid = eclipse::cylinder_grid(r_edges, z_edges, 6, 100.0);
    const HexMesh mesh = hexahedra(grid, all_of(grid));
    for (std::size_t cell = 0; cell < mesh.cells(); ++cell) {
        const auto corner = [&](std::size_t i) { return static_cast<std::size_t>(mesh.corners[8 * cell + i]); };
        EXPECT_LT(mesh.points[3 * corner(0) + 2], mesh.points[3 * corner(4) + 2]);
        EXPECT_GT(six_volumes(mesh, corner(0), corner(1), corner(3), corner(4)), 0.0);
    }
}

TEST(Hexahedra, LeaveOutCellsThatAreNotWanted) {
    const auto grid = eclipse::box_grid(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1}, z_edges, 0.0);
    const HexMesh mesh = hexahedra(grid, std::vector<std::int32_t>{0, 1, 0, 0});
    EXPECT_EQ(mesh.cells(), 1U);
    EXPECT_EQ(mesh.points.size(), 24U);
    EXPECT_EQ(*std::max_element(mesh.points.begin(), mesh.points.end()), 2.0F);
}

TEST(Hexahedra, LieOnTheMapToTheMillimetre) {
    const auto grid = eclipse::box_grid(std::vector<double>{0, 100}, std::vector<double>{0, 50}, z_edges, 0.0);
    HexMesh mesh = hexahedra(grid, all_of(grid));
    const HexMesh before = mesh;
    put_on_map(mesh, {});
    EXPECT_EQ(mesh.points, before.points);
    put_on_map(mesh, {90.0, {{450000.125, 6700000.25}}});
    for (std::size_t at = 0; at < mesh.points.size(); at += 3) {
        EXPECT_NEAR(mesh.points[at], 450000.125 - before.points[at + 1], 1e-3);
        EXPECT_NEAR(mesh.points[at + 1], 6700000.25 + before.points[at], 1e-3);
        EXPECT_EQ(mesh.points[at + 2], before.points[at + 2]);
    }
}

class MeshFiles : public TemporaryFolder {};

TEST_F(MeshFiles, VtuHoldsLengthBeforeEachArray) {
    const auto grid = eclipse::box_grid(std::vector<double>{0, 1}, std::vector<double>{0, 1}, z_edges, 0.0);
    const HexMesh mesh = hexahedra(grid, all_of(grid));
    const std::vector<float> values{0.25F, 0.5F};
    write_vtu(folder_ / "case.vtu", mesh, 30.0, std::vector<CellArray>{{"gas_saturation", values}});
    const std::string text = read(folder_ / "case.vtu");
    EXPECT_THAT(text, HasSubstr("NumberOfPoints=\"12\" NumberOfCells=\"2\""));
    const std::size_t begin = text.find("_", text.find("AppendedData")) + 1;
    const char* data = text.data() + begin + 16;  // behind the time: its length and one double
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, data, sizeof(bytes));
    EXPECT_EQ(bytes, 8U);
    float first = 0.0F;
    std::memcpy(&first, data + 8, sizeof(first));
    EXPECT_EQ(first, 0.25F);
}

TEST_F(MeshFiles, RefuseAValueTooFew) {
    const auto grid = eclipse::box_grid(std::vector<double>{0, 1}, std::vector<double>{0, 1}, z_edges, 0.0);
    const HexMesh mesh = hexahedra(grid, all_of(grid));
    const std::vector<float> one{0.25F};
    EXPECT_THROW(write_vtu(folder_ / "case.vtu", mesh, 0.0, std::vector<CellArray>{{"x", one}}), Error);
    EXPECT_EQ(entries(), 0U);
}

TEST_F(MeshFiles, CollectionsAreXml) {
    const std::vector<std::pair<double, std::string>> steps{{1.0, "N & <1>_vtk/a.vtu"}};
    write_pvd(folder_ / "case.pvd", steps);
    EXPECT_THAT(read(folder_ / "case.pvd"), HasSubstr("file=\"N &amp; &lt;1&gt;_vtk/a.vtu\""));
}

TEST_F(MeshFiles, XdmfFindsItsDataThroughALinkToItsFolder) {
    std::filesystem::create_directories(folder_ / "deep" / "er");
    std::filesystem::create_directory_symlink(folder_ / "deep" / "er", folder_ / "link");
    write_dataset((folder_ / "data.h5").string(), sample_content());
    XdmfSeries series;
    series.fields = folder_ / "data.h5";
    series.mesh = folder_ / "link" / "mesh.h5";
    series.cells = 20;
    series.times = {1.0};
    series.arrays = {"active"};
    write_xdmf(folder_ / "link" / "case.xdmf", series);
    EXPECT_THAT(read(folder_ / "deep" / "er" / "case.xdmf"), HasSubstr(">../../data.h5:/inputs/active"));
    EXPECT_THAT(read(folder_ / "deep" / "er" / "case.xdmf"), HasSubstr(">mesh.h5:/points"));
}

TEST_F(MeshFiles, XdmfPicksACaseAndATimeOutOfTheDataSet) {
    write_dataset((folder_ / "a&b.h5").string(), sample_content());
    XdmfSeries series;
    series.fields = folder_ / "a&b.h5";
    series.mesh = folder_ / "mesh.h5";
    series.cells = 20;
    series.which = 2;
    series.times = {1.0, 10.0, 100.0};
    series.arrays = {"gas_saturation", "active"};
    write_xdmf(folder_ / "case.xdmf", series);
    const std::string text = read(folder_ / "case.xdmf");
    EXPECT_THAT(text, HasSubstr("2 1 0 0 1 1 1 1 1 1 4 5"));
    EXPECT_THAT(text, HasSubstr("Dimensions=\"3 3 4 5\">a&amp;b.h5:/outputs/gas_saturation"));
    EXPECT_THAT(text, HasSubstr("NumberType=\"UChar\" Dimensions=\"3 4 5\">a&amp;b.h5:/inputs/active"));
}

}  // namespace
}  // namespace plumecast::testing
