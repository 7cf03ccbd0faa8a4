#include "reservoir/import/array_import.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/h5/file.hpp"

namespace plumecast {
namespace {

using ::testing::HasSubstr;

using ArrayImportTest = testing::TemporaryFolder;

TEST_F(ArrayImportTest, NamesACaseOfWhichNoCellIsActive) {
    const std::string source = (folder_ / "a.h5").string(), map = (folder_ / "map.json").string();
    {
        h5::File file = h5::File::create(source);
        file.create_array<float>("/porosity", {{1, 2}, false, std::nullopt});
        file.write_rows<float>("/porosity", 0, 1, std::vector<float>{0.2F, 0.3F});
        file.set_real("/porosity", "valid_max", 0.1F);
        file.close();
    }
    write(map, R"({"grid": {"r_edges": [0.1, 1, 10], "z_edges": [0, 5], "times": [1]},
        "inputs": {"porosity": {"array": "/porosity", "axes": "z r", "unit": "1"}, "permeability_r": 100,
                   "permeability_z": 10, "perforation": 1, "injection_rate": 1, "initial_pressure": 100,
                   "temperature": 50, "irreducible_water_saturation": 0.2, "van_genuchten_lambda": 0.5}})");
    ImportOptions options;
    options.sources = {source};
    options.map = map;
    options.output = (folder_ / "data.h5").string();
    try {
        import_arrays(options);
        FAIL() << "a case without rock was imported";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("no cell of case 0 is active"));
        EXPECT_THAT(error.what(), HasSubstr("valid_max"));
    }
}

}  // namespace
}  // namespace plumecast
