#include "reservoir/import/array_import.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What a map says of the case, but porosity, permeability and perforation.
constexpr const char* scalars = R"("injection_rate": 1, "initial_pressure": 100, "temperature": 50,
    "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5)";

class ArrayImportTest : public testing::TemporaryFolder {
   protected:
    /// Makes the file of arrays, and what `fill` adds to it.
    void make_source(const std::function<void(h5::File&)>& fill) {
        h5::File file = h5::File::create(source());
        fill(file);
        file.close();
    }
    ImportReport import(const std::string& map) {
        write(folder_ / "map.json", map);
        ImportOptions options;
        options.sources = {source()};
        options.map = (folder_ / "map.json").string();
        options.output = output();
        return import_arrays(options);
    }
    std::string refusal(const std::string& map) {
        try {
            import(map);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    std::string source() const { return (folder_ / "a.h5").string(); }
    std::string output() const { return (folder_ / "data.h5").string(); }
};

/// Writes an array of float32 as values.
void add(h5::File& file, const std::string& name, const std::vector<std::int64_t>& extents,
         const std::vector<float>& values) {
    file.create_array<float>(name, {extents, false, std::nullopt});
    file.write_rows<float>(name, 0, extents[0], values);
}

/// A map of two rings in one row, one of whose porosities is named.
std::string radial_map(const std::string& porosity, const std::string& r_edges = "[0.1, 1, 10]",
                       const std::string& z_edges = "[0, 5]", const std::string& times = "[1]") {
    return R"({"grid": {"r_edges": )" + r_edges + R"(, "z_edges": )" + z_edges + R"(, "times": )" + times +
           R"(}, "inputs": {"porosity": )" + porosity +
           R"(, "permeability_r": 100, "permeability_z": 10, "perforation": 1, )" + scalars + "}}";
}

constexpr const char* mapped_porosity = R"({"array": "/porosity", "axes": "z r", "unit": "1"})";

/// A map of a box of 2 rows, 1 line and 2 columns with more entries in `grid`.
std::string box_map(const std::string& more, const std::string& z_edges = "[0, 5, 10]") {
    return R"({"grid": {"x_edges": [0, 10, 20], "y_edges": [0, 10], "times": [1], "z_edges": )" + z_edges + more +
           R"(}, "inputs": {"porosity": 0.2, "permeability_x": 100, "permeability_y": 100, "permeability_z": 10,
              "perforation": 1, "cell_injection_rate": 0.25, )" +
           scalars + "}}";
}

std::string of_cells(const char* name, const char* unit, const char* axes = "z y x") {
    return std::string(R"(, ")") + name + R"(": {"array": "/)" + name + R"(", "axes": ")" + axes + R"(", "unit": ")" +
           unit + "\"}";
}

TEST_F(ArrayImportTest, NamesACaseOfWhichNoCellIsActive) {
    make_source([](h5::File& file) {
        add(file, "/porosity", {1, 2}, {0.2F, 0.3F});
        file.set_real("/porosity", "valid_max", 0.1F);
    });
    EXPECT_THAT(
        refusal(radial_map(mapped_porosity)),
        ::testing::AllOf(HasSubstr("no cell of case 0 is active (porosity is 0 or NaN everywhere"),
                         HasSubstr("valid_max"), HasSubstr("was never written, so that HDF5 gives its fill value")));
}

TEST_F(ArrayImportTest, NotesHowManyCellsAttributesMakeInactive) {
    make_source([](h5::File& file) {
        add(file, "/porosity", {1, 2}, {0.2F, 0.3F});
        file.set_real("/porosity", "valid_max", 0.25F);
        add(file, "/mask", {1, 2}, {1.0F, 7.0F});
        file.set_real("/mask", "_FillValue", 7.0F);
    });
    const auto notes = [](const ImportReport& report) {
        std::vector<std::string> lines;
        std::ranges::transform(report.notes, std::back_inserter(lines), &DataNote::line);
        return lines;
    };
    EXPECT_THAT(notes(import(radial_map(mapped_porosity))),
                ElementsAre("porosity of 1 cell stands for no value by valid_max: made inactive"));
    const std::string masked = radial_map(R"(0.2, "active": {"array": "/mask", "axes": "z r", "unit": "1"})");
    EXPECT_THAT(notes(import(masked)),
                ElementsAre("active of 1 cell stands for no value by _FillValue: made inactive"));
    EXPECT_THAT(notes(import(radial_map("0.2"))), IsEmpty());
}

TEST_F(ArrayImportTest, WritesArraysOfCellsThatAllCasesShare) {
    make_source([](h5::File& file) {
        add(file, "/cell_volume", {2, 1, 2}, {1000, 2000, 3000, 4000});
        add(file, "/cell_centre_x", {2, 1, 2}, {5, 15, 6, 16});
        add(file, "/cell_centre_z", {2, 2}, {2502, 2503, 2507, 2508});
    });
    const std::string cells = of_cells("cell_volume", "m3") + of_cells("cell_centre_x", "m") +
                              R"(, "cell_centre_y": 5)" + of_cells("cell_centre_z", "m", "x z");
    import(box_map(cells, "[2500, 2505, 2510]"));
    EXPECT_THAT(validate(output()), Each(::testing::Field(&Violation::is_error, false)));
    const Dataset data(output());
    EXPECT_THAT(data.cell_values("cell_volume"), ElementsAre(1000, 2000, 3000, 4000));
    EXPECT_THAT(data.cell_values("cell_centre_x"), ElementsAre(5, 15, 6, 16));
    EXPECT_THAT(data.cell_values("cell_centre_y"), Each(5.0F));
    EXPECT_THAT(data.cell_values("cell_centre_z"), ElementsAre(2, 7, 3, 8)) << "below the first of the edges, in z, x";
    EXPECT_EQ(data.attribute("top_depth"), "2500");
}

TEST_F(ArrayImportTest, RefusesArraysOfCellsThatItCannotWrite) {
    make_source([](h5::File& file) {
        add(file, "/cell_volume", {2, 1, 2}, {1000, 2000, -1, 4000});
        add(file, "/cell_centre_z", {2, 1, 2}, {2, 3, 7, 8});
        add(file, "/cell_centre_x", {2, 1, 1}, {5, 15});
        add(file, "/pillars", {2, 3, 6}, std::vector<float>(36, 1.0F));
    });
    EXPECT_THAT(refusal(box_map(of_cells("cell_volume", "m3"))), HasSubstr("cell_volume of cell [1, 0, 0] is -1"));
    EXPECT_THAT(refusal(box_map(of_cells("cell_centre_z", "m"), "[2500, 2505, 2510]")),
                HasSubstr("count both from the surface, or both from the top"));
    EXPECT_THAT(refusal(box_map(of_cells("cell_centre_x", "m"))),
                HasSubstr("/cell_centre_x has 1 entries along x (the grid has 2)"));
    for (const char* name : {"pillars", "corner_depths"}) {
        EXPECT_THAT(refusal(box_map(of_cells(name, "m"))),
                    HasSubstr("grid." + std::string(name) + ": cannot be mapped"));
    }
}

TEST_F(ArrayImportTest, RefusesAxesThatTheFormatDoesNotHave) {
    make_source([](h5::File& file) {
        add(file, "/logarithmic", {2}, {1, 10});
        add(file, "/heights", {2}, {-2510, -2500});
        add(file, "/times", {2}, {30, -9999});
        file.set_real("/times", "_FillValue", -9999.0F);
    });
    const auto axis = [](const char* array, const char* more) {
        return std::string(R"({"array": "/)") + array + R"(", )" + more + "}";
    };
    EXPECT_THAT(refusal(radial_map("0.2", axis("logarithmic", R"("unit": "m", "kind": "centres")"))),
                ::testing::AllOf(HasSubstr("r_edges: entry 0 is -3.5"), HasSubstr("give edges")));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 1, 10]", axis("heights", R"("unit": "m")"))),
                ::testing::AllOf(HasSubstr("z_edges: entry 0 is -2510"), HasSubstr("store depths below the top")));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 1, 10]", "[0, 5]", axis("times", R"("unit": "day")"))),
                ::testing::AllOf(HasSubstr("times: entry 1 is NaN"), HasSubstr("write the whole array")));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 1, 10]", "[0, 5]", "[-1]")), HasSubstr("times: entry 0 is -1"));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 10, 1]")), HasSubstr("r_edges does not increase"));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 1, 10]", "[10, 5, 1]")), HasSubstr("z_edges does not increase"));
    EXPECT_THAT(refusal(radial_map("0.2", "[0.1, 1, 1e8]")),
                ::testing::AllOf(HasSubstr("r_edges: entry 2 is 1e+08"), HasSubstr("correct the array or its unit")));
    EXPECT_EQ(refusal(radial_map("0.2")), "");
}

}  // namespace
}  // namespace plumecast
