#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/h5/file.hpp"
#include "support/repository.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// The faulted site of the repository, whose transmissibilities are those of a simulator: leaning pillars, a fault that
/// opens along its way and lets half of the flow through, a baffle, cells without rock.
class CornerPointsTest : public ::testing::Test {
   protected:
    /// A copy without transmissibilities and without some more.
    std::string copy_without(const std::vector<std::string>& paths) {
        const h5::File source = h5::File::open(site_);
        const std::string path = folder_.file("site.h5");
        h5::File file = h5::File::create(path);
        for (const ArraySpec& spec : dataset_arrays(Geometry::cartesian)) {
            const bool is_flow =
                spec.path.find("transmissibility") != std::string::npos || spec.path.starts_with("/connections");
            if (source.has(spec.path) && !is_flow && std::ranges::find(paths, spec.path) == paths.end()) {
                file.copy_array(source, spec.path);
                file.copy_attributes(source, spec.path, {});
            }
        }
        file.copy_attributes(source, "/", {});
        file.close();
        return path;
    }

    ScratchFolder folder_;
    std::string site_ = repository_folder() + "/data/faulted_site.h5";
};

TEST_F(CornerPointsTest, TellWhatFlowsAsTheSimulatorHasIt) {
    const BoxCase stated = box_case(Dataset(site_), 0), found = box_case(Dataset(copy_without({})), 0);
    constexpr std::size_t fault = 6;                       // columns before it
    constexpr double across = 0.5, through_baffle = 0.05;  // MULTFLT, MULTZ
    constexpr std::size_t baffle = 1;                      // the layer above it
    // What is left of a side across the fault is thin, and the grid file has depths in single precision.
    const auto near = [](double one, double other, double tolerance = 1e-5) {
        return std::abs(one - other) <= tolerance * std::max(one, other);
    };
    std::size_t flows = 0;
    for (std::size_t cell = 0; cell < stated.cells(); ++cell) {
        const bool at_fault = cell % stated.columns() + 1 == fault;
        const double along_x = (at_fault ? across : 1.0) * found.transmissibility_x[cell];
        EXPECT_TRUE(near(stated.transmissibility_x[cell], along_x, at_fault ? 1e-4 : 1e-5)) << cell;
        EXPECT_TRUE(near(stated.transmissibility_y[cell], found.transmissibility_y[cell])) << cell;
        const double down = cell / stated.plane() == baffle ? through_baffle : 1.0;
        EXPECT_TRUE(near(stated.transmissibility_z[cell], down * found.transmissibility_z[cell])) << cell;
        flows += stated.transmissibility_x[cell] > 0.0 ? 1U : 0U;
    }
    EXPECT_GT(flows, 450U);
    std::map<std::pair<std::size_t, std::size_t>, double> apart;
    for (const BoxConnection& one : found.connections) {
        apart[{one.first, one.second}] = across * one.transmissibility;
    }
    ASSERT_EQ(apart.size(), stated.connections.size());
    for (const BoxConnection& one : stated.connections) {
        const auto pair = std::minmax({one.first, one.second});
        EXPECT_TRUE(near(apart[{pair.first, pair.second}], one.transmissibility, 1e-4))
            << pair.first << ' ' << pair.second;
    }
}

TEST_F(CornerPointsTest, AreAskedForWhereNoTransmissibilitiesAre) {
    const Dataset dataset(copy_without({"/grid/pillars", "/grid/corner_depths"}));
    try {
        box_case(dataset, 0);
        ADD_FAILURE() << "no error";
    } catch (const InvalidData& error) {
        EXPECT_THAT(error.what(), HasSubstr("_y and _z or /grid/pillars and corner_depths"));
    }
}

}  // namespace
}  // namespace plumecast::testing
