#include <filesystem>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reporting/export.hpp>
#include <plumecast/reservoir/dataset/fields.hpp>

#include "reservoir/dataset/temporary_folder.hpp"
#include "reservoir/eclipse/record_file.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class ExportTest : public TemporaryFolder {
   protected:
    std::string sample(const DatasetContent& content = sample_content()) const {
        const std::string path = (folder_ / "fields.h5").string();
        write_dataset(path, content);
        return path;
    }
    ExportOptions options(ExportFormat format = ExportFormat::eclipse) const {
        ExportOptions result;
        result.folder = folder_ / "out";
        result.formats = {format};
        return result;
    }
    /// Values of every record of that keyword in a file of the output.
    std::vector<std::vector<double>> numbers(const std::string& file, const std::string& keyword) const {
        std::vector<std::vector<double>> all;
        eclipse::RecordFile records(folder_ / "out" / file);
        while (const auto record = records.next()) {
            if (record->keyword == keyword) {
                all.push_back(records.numbers(*record));
            }
        }
        return all;
    }
    std::string error_of(const std::string& path, const ExportOptions& wanted) const {
        try {
            export_fields(path, wanted, {});
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(ExportTest, TakesTheDepthThatTheFileStatesAndSaysSo) {
    DatasetContent content = sample_content();
    content.attributes["top_depth"] = "1325";
    ExportOptions wanted = options();
    wanted.cases = {0};
    std::string said;
    wanted.log = [&](Severity, std::string_view message) { said = message; };
    export_fields(sample(content), wanted, {});
    EXPECT_EQ(said, "depth of the top of the formation: 1325 m, as the file states it");
    EXPECT_EQ(numbers("CASE.INIT", "DEPTH").front().front(), 1326.0);  // the middle of a layer of 2 m
    export_fields(sample(), wanted, {});
    EXPECT_THAT(said, HasSubstr("m in case 0, computed: where fresh water at rest has the initial pressure"));
    wanted.top_depth = 1400.0;
    export_fields(sample(content), wanted, {});
    EXPECT_EQ(said, "depth of the top of the formation: 1400 m, as given");
}

TEST_F(ExportTest, WritesFieldsOfActiveCellsOnAllSectors) {
    ExportOptions wanted = options();
    wanted.cases = {1};
    wanted.sectors = 4;
    EXPECT_EQ(export_fields(sample(), wanted, {}), 1);
    const auto gas = numbers("CASE.UNRST", "SGAS");
    ASSERT_EQ(gas.size(), 4U);  // at rest and at three times
    EXPECT_EQ(gas[0].size(), 3U * 4U * 5U);
    EXPECT_THAT(gas[0], Each(0.0));
    const std::vector<float> field = sample_content().arrays.at("gas_saturation");
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t cell = 0; cell < 20; ++cell) {  // sectors and rings of a row
            const auto expected = static_cast<double>(field[(3 + 2) * 20 + row * 5 + cell % 5]);
            EXPECT_EQ(gas[3][row * 20 + cell], expected);
        }
    }
}

TEST_F(ExportTest, SharesPoreVolumesOutAndKeepsTimes) {
    ExportOptions wanted = options();
    wanted.cases = {0};
    wanted.sectors = 4;
    export_fields(sample(), wanted, {});
    const std::vector<double> pores = numbers("CASE.INIT", "PORV").front();
    ASSERT_EQ(pores.size(), 4U * 4U * 5U);
    const double first = std::numbers::pi * (1.0 - 0.01) * 2.0 * 0.1;
    EXPECT_NEAR(pores[0] / (first / 4.0), 1.0, 1e-6);
    EXPECT_EQ(pores.back(), 0.0);
    EXPECT_EQ(numbers("CASE.UNRST", "DOUBHEAD")[2][0], 10.0);
    const std::vector<double> head = numbers("CASE.UNRST", "INTEHEAD")[3];
    EXPECT_EQ(head[64], 10.0);  // 2020-01-01 and 100 days
    EXPECT_EQ(head[65], 4.0);
    EXPECT_EQ(head[66], 2020.0);
    EXPECT_EQ(head[11], 60.0);
    EXPECT_EQ(numbers("CASE.UNSMRY", "PARAMS").size(), 3U);
}

TEST_F(ExportTest, AddsTheBuildUpToThePressureOfWaterAtRest) {
    ExportOptions wanted = options();
    wanted.cases = {0};
    wanted.sectors = 1;
    export_fields(sample(), wanted, {});
    const auto pressure = numbers("CASE.UNRST", "PRESSURE");
    const auto buildup = numbers("CASE.UNRST", "DELTAP");
    EXPECT_NEAR(pressure[0][0], 110.0 + 0.098, 2e-3);  // a metre below the top
    EXPECT_NEAR(pressure[2][7] - pressure[0][7], buildup[2][7], 1e-4);
}

TEST_F(ExportTest, NumbersTheFilesOfSeveralCases) {
    export_fields(sample(), options(ExportFormat::csv), {});
    for (const char* file : {"CASE_0000_totals.csv", "CASE_0001_cells.csv", "CASE_0002_fields.csv"}) {
        EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / file)) << file;
    }
    const std::string totals = read(folder_ / "out" / "CASE_0002_totals.csv");
    EXPECT_THAT(totals, HasSubstr("time [day],DATE,mass_injected [Mt],mass_free [Mt]"));
    EXPECT_EQ(std::ranges::count(totals, '\n'), 4);
    EXPECT_EQ(std::ranges::count(read(folder_ / "out" / "CASE_0002_fields.csv"), '\n'), 1 + 3 * 15);
}

TEST_F(ExportTest, WritesEachOutputUnderItsHeading) {
    DatasetContent content = sample_content();
    content.arrays["trapped_gas_saturation"].assign(content.arrays["gas_saturation"].size(), 0.0625F);
    content.arrays.erase("pressure_buildup");
    ExportOptions wanted = options(ExportFormat::csv);
    wanted.cases = {0};
    export_fields(sample(content), wanted, {});
    const std::string table = read(folder_ / "out" / "CASE_fields.csv");
    EXPECT_THAT(table, HasSubstr("time [day],row,column,gas_saturation,trapped_gas_saturation\n"));
    EXPECT_THAT(table, HasSubstr("\n1,0,1,0.004,0.0625\n"));
}

TEST_F(ExportTest, DrawsOneSectorAsASection) {
    ExportOptions wanted = options(ExportFormat::vtk);
    wanted.cases = {2};
    wanted.sectors = 1;
    export_fields(sample(), wanted, {});
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "CASE_vtk" / "CASE_0002.vtr"));
    EXPECT_THAT(read(folder_ / "out" / "CASE.pvd"), HasSubstr("timestep=\"100\" file=\"CASE_vtk/CASE_0002.vtr\""));
}

TEST_F(ExportTest, WritesBoxesAsTheyAre) {
    ExportOptions wanted = options();
    wanted.cases = {1};
    export_fields(sample(cartesian_content()), wanted, {});
    const auto gas = numbers("CASE.UNRST", "SGAS");
    EXPECT_EQ(gas[1].size(), 16U);
    EXPECT_EQ(numbers("CASE.INIT", "PERMY").front()[0], 20.0 + 24.0);
    EXPECT_EQ(numbers("CASE.EGRID", "GRIDHEAD").front()[1], 4.0);
}

TEST_F(ExportTest, WritesTheSameFilesWithAnyNumberOfThreads) {
    const std::string path = sample();
    ExportOptions wanted = options();
    wanted.formats = {ExportFormat::eclipse, ExportFormat::vtk, ExportFormat::csv};
    wanted.jobs = 1;
    std::vector<std::int64_t> told;
    const auto tell = [&](std::int64_t done, std::int64_t) {
        told.push_back(done);
        return true;
    };
    EXPECT_EQ(export_fields(path, wanted, tell), 3);
    std::filesystem::rename(folder_ / "out", folder_ / "alone");
    wanted.jobs = 3;
    EXPECT_EQ(export_fields(path, wanted, tell), 3);
    EXPECT_THAT(told, ::testing::ElementsAre(1, 2, 3, 1, 2, 3));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "alone")) {
        // The list of an export's files tells when they were written.
        if (entry.is_regular_file() && entry.path().filename() != ".plumecast.json") {
            const auto other = folder_ / "out" / std::filesystem::relative(entry.path(), folder_ / "alone");
            EXPECT_EQ(read(entry.path()), read(other)) << other;
            ++files;
        }
    }
    EXPECT_EQ(files, 3U * (5 + 1 + 3 + 3));
}

TEST_F(ExportTest, StopsAfterTheCaseAtHandWhenAsked) {
    const auto stop = [](std::int64_t, std::int64_t) { return false; };
    ExportOptions wanted = options();
    wanted.jobs = 1;
    EXPECT_EQ(export_fields(sample(), wanted, stop), 1);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "CASE_0000.UNRST"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "CASE_0001.EGRID"));
}

TEST_F(ExportTest, RefusesToReplaceOnlyWhatItWouldWrite) {
    const std::string path = sample();
    std::filesystem::create_directory(folder_ / "out");
    for (const auto& [format, file] :
         {std::pair(ExportFormat::csv, "CASE_0000_cells.csv"), std::pair(ExportFormat::vtk, "CASE_0000.pvd"),
          std::pair(ExportFormat::xdmf, "CASE_0000_mesh.h5"), std::pair(ExportFormat::eclipse, "CASE_0000.EGRID")}) {
        write(folder_ / "out" / "CASE_0000_mine.csv", "mine");
        write(folder_ / "out" / file, "mine");
        EXPECT_THAT(error_of(path, options(format)), HasSubstr(std::string(file) + ": is there already"));
        std::filesystem::rename(folder_ / "out" / file, folder_ / file);
        EXPECT_EQ(error_of(path, options(format)), "") << file;
        EXPECT_EQ(read(folder_ / "out" / "CASE_0000_mine.csv"), "mine");
    }
}

TEST_F(ExportTest, RefusesWhatItCannotExport) {
    ExportOptions wanted = options();
    wanted.cases = {3};
    EXPECT_THAT(error_of(sample(), wanted), HasSubstr("no case 3 (the file has cases 0 to 2)"));
    wanted = options();
    wanted.sectors = 2;
    EXPECT_THAT(error_of(sample(), wanted), HasSubstr("2 sectors has no volume"));
    DatasetContent content = sample_content();
    content.arrays.at("gas_saturation")[61] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(error_of(sample(content), options()), HasSubstr("/outputs/gas_saturation of case 1"));
    content = sample_content();
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    EXPECT_THAT(error_of(sample(content), options()), HasSubstr("no /outputs"));
}

}  // namespace
}  // namespace plumecast::testing
