#include <algorithm>
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/metrics/plume.hpp>

#include "reservoir/metrics/column_shares.hpp"
#include "support/even_odd.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class PolygonFileTest : public ::testing::Test {
   protected:
    MapPolygon read(const std::string& name, const std::string& text) {
        std::ofstream(folder_.file(name)) << text;
        return read_polygon(folder_.file(name));
    }
    std::string error_of(const std::string& name, const std::string& text) {
        try {
            read(name, text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    ScratchFolder folder_;
};

TEST_F(PolygonFileTest, ReadsPointsOfText) {
    const MapPolygon polygon =
        read("area.csv", "x,y\r\n# a square\n0,0\n1000,0\n1000,1000\n0,1000\n\n400;400\n600;400\n500;600\n");
    ASSERT_THAT(polygon.rings, SizeIs(2));
    EXPECT_TRUE(is_inside(polygon, 100.0, 900.0));
    EXPECT_FALSE(is_inside(polygon, 500.0, 450.0));  // in the hole
    EXPECT_FALSE(is_inside(polygon, -1.0, 500.0));
}

TEST_F(PolygonFileTest, KeepsTheFirstPointBehindAMarkOrASign) {
    const std::string points = "0,0\n1000,0\n1000,1000\n0,1000\n";
    EXPECT_THAT(read("mark.csv", "\xEF\xBB\xBF" + points).rings[0], SizeIs(4));
    EXPECT_THAT(read("named.csv", "\xEF\xBB\xBFx (EPSG:25832),y\n" + points).rings[0], SizeIs(4));
    EXPECT_THAT(read("signs.csv", "+0,+0\n+1000,0\n+1000,+1000\n").rings[0], SizeIs(3));
    EXPECT_THAT(error_of("typo.csv", "43OO18,652\n" + points), HasSubstr("line 1: '43OO18,652' is no point"));
    EXPECT_THAT(error_of("twice.csv", "x,y\nmetres,metres\n" + points), HasSubstr("line 2: 'metres,metres' is no"));
}

TEST_F(PolygonFileTest, TakesTheColumnsThatAHeadingNames) {
    const auto first = [&](const char* text) { return read("named.csv", text).rings.at(0).at(0); };
    EXPECT_THAT(first("id,x,y\n7,1000,2000\n8,1000,3000\nlast one,2000,3000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("y;\"x\"\n2000;1000\n3000;1000\n3000;2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("Northing (m),Easting (m)\n2000,1000\n3000,1000\n3000,2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("name  y  x\na  2000  1000\nb 3000 1000\nc 3000 +2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("x,y\n1000 2000\n1000;3000\n2000,3000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("\"a name, of x\",x,y\n\"L, north\",1000,2000\nM,1000,3000\n,2000,3000\n"),
                ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("OBJECTID,POINT_X,POINT_Y\n1,1000,2000\n2,1000,3000\n3,2000,3000\n"),
                ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("ycoord;xcoord\n2000;1000\n3000;1000\n3000;2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("Y-coordinate,X_Coord\n2000,1000\n3000,1000\n3000,2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("y (m) x (m)\n2000 1000\n3000 1000\n3000 2000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("name x y\n\"L north\" 1000 2000\nM 1000 3000\nN 2000 3000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(first("x_old,y_old,x,y\n0,0,1000,2000\n0,0,1000,3000\n0,0,2000,3000\n"), ElementsAre(1000.0, 2000.0));
    EXPECT_THAT(error_of("a.csv", "id,x,y\n7,1000\n"), HasSubstr("line 2: '7,1000' is no point"));
    EXPECT_THAT(error_of("a.csv", "x_a,x_b,y\n0,1000,2000\n"), HasSubstr("names no columns x and y, or several"));
    EXPECT_THAT(error_of("a.csv", "first,second\n1000,2000\n"), HasSubstr("line 1: 'first,second' names no columns x"));
}

TEST_F(PolygonFileTest, KeepsColumnsThatAreEmpty) {
    for (const char between : {'\t', ',', ';'}) {
        std::string text = "name,y,x,z\n,2000,1000,7\n,3000,1000,8\nlast one,3000,2000,9\n";
        std::ranges::replace(text, ',', between);
        EXPECT_THAT(read("named.txt", text).rings.at(0).at(0), ElementsAre(1000.0, 2000.0)) << between;
    }
}

TEST_F(PolygonFileTest, RefusesDecimalCommasByName) {
    for (const char* row :
         {"433000,5;6523000,5", "433000,5\t6523000", "433000,5 6523000,5", "\"433000,5\",\"6523000,5\""}) {
        EXPECT_THAT(error_of("a.csv", std::string(row) + "\n"), HasSubstr("has decimal commas")) << row;
    }
    EXPECT_THAT(error_of("a.csv", "x;y\n433000;6523000,5\n"),
                HasSubstr("line 2: '433000;6523000,5' has decimal commas"));
    EXPECT_THAT(read("a.csv", "name;x;y\nBlock 1,2;0;0\nB;1000;0\nC;0;1000\n").rings, SizeIs(1));
}

TEST_F(PolygonFileTest, ReadsGeoJson) {
    const std::string square = "[[[0,0],[1000,0],[1000,1000.5],[0,1000],[0,0]]]";
    const std::string polygon = "{\"type\":\"Polygon\",\"coordinates\":" + square + "}";
    const std::string several = "{\"type\":\"MultiPolygon\",\"coordinates\":[" + square + "," + square + "]}";
    EXPECT_THAT(read("a.geojson", polygon).rings, SizeIs(1));
    EXPECT_THAT(read("a.json", several).rings, SizeIs(2));
    EXPECT_TRUE(is_inside(read("a.json", several), 500.0, 500.0));  // of two polygons that overlap
    const std::string features =
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},"
        "\"geometry\":" +
        polygon + "}]}";
    EXPECT_TRUE(is_inside(read("a.geojson", features), 500.0, 500.0));
}

TEST_F(PolygonFileTest, NamesWhatIsNoArea) {
    EXPECT_THAT(error_of("a.csv", "0,0\n1000,0\n"), HasSubstr("a ring of 2 points"));
    EXPECT_THAT(error_of("a.csv", "0,0\n1000,x\n"), HasSubstr("line 2: '1000,x' is no point"));
    EXPECT_THAT(error_of("a.csv", "\n"), HasSubstr("no polygon"));
    EXPECT_THAT(error_of("a.csv", "5.1,60.2\n5.2,60.2\n5.2,60.3\n"), HasSubstr("look like degrees"));
    EXPECT_THAT(error_of("a.geojson", "{\"type\":\"Point\",\"coordinates\":[0,0]}"), HasSubstr("a Point"));
    EXPECT_THAT(error_of("a.geojson", "{\"type\":\"Polygon\",\"coordinates\":[[[0],[1,2],[3,4]]]}"),
                HasSubstr("a point that is no [x, y]"));
    EXPECT_THAT(error_of("a.geojson", "{\"type\":\"Feature\",\"geometry\":null}"),
                HasSubstr("a feature without geometry"));
    EXPECT_THROW(read_polygon(folder_.file("nothing.csv")), IoError);
}

TEST_F(PolygonFileTest, CutsColumnsOfABox) {
    DatasetContent content = cartesian_content();  // x from -100 to 700, y from 0 to 200
    const MapPolygon area{{{{-1000.0, -1000.0}, {50.0, -1000.0}, {50.0, 1000.0}, {-1000.0, 1000.0}}}};
    write_dataset(folder_.file("box.h5"), content);
    EXPECT_THAT(shares_within(Dataset(folder_.file("box.h5")), area),
                ElementsAre(1.0, 0.5, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0));
    content.attributes["rotation"] = "90";  // the grid's x axis goes north
    content.attributes["origin"] = "x 0 m, y 0 m";
    write_dataset(folder_.file("turned.h5"), content);
    const MapPolygon north{{{{-1000.0, 50.0}, {1000.0, 50.0}, {1000.0, 1000.0}, {-1000.0, 1000.0}}}};
    EXPECT_THAT(shares_within(Dataset(folder_.file("turned.h5")), north),
                ElementsAre(0.0, 0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0));
}

TEST_F(PolygonFileTest, TakesCentresOfCornerPointCells) {
    DatasetContent content = cartesian_content();
    std::vector<float> x, y, z, volumes;
    for (int cell = 0; cell < 24; ++cell) {  // columns of 100 x 100 m, turned by 90 degrees
        x.push_back(-100.0F * static_cast<float>(cell / 4 % 3));
        y.push_back(100.0F * static_cast<float>(cell % 4));
        z.push_back(10.0F * static_cast<float>(cell / 12));
        volumes.push_back(1e5F);
    }
    content.arrays["cell_centre_x"] = x;
    content.arrays["cell_centre_y"] = y;
    content.arrays["cell_centre_z"] = z;
    content.arrays["cell_volume"] = volumes;
    content.attributes["origin"] = "x 5000 m, y 7000 m";
    write_dataset(folder_.file("corners.h5"), content);
    const MapPolygon north{{{{4000.0, 7100.0}, {6000.0, 7100.0}, {6000.0, 9000.0}, {4000.0, 9000.0}}}};
    EXPECT_THAT(shares_within(Dataset(folder_.file("corners.h5")), north),
                ElementsAre(0.0, 0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0));
}

TEST_F(PolygonFileTest, RefusesAnAreaElsewhere) {
    const MapPolygon far{{{{1e6, 1e6}, {2e6, 1e6}, {1e6, 2e6}}}};
    try {
        shares_within(Dataset(write_cartesian_sample(folder_)), far);
        FAIL() << "an area elsewhere";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("no part of its grid lies within the polygon (the file states no origin"));
    }
    EXPECT_THROW(shares_within(Dataset(write_sample(folder_)), far), InvalidData);
}

}  // namespace
}  // namespace plumecast::testing
