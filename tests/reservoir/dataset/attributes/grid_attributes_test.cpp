#include "reservoir/dataset/attributes/grid_attributes.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>

#include "reservoir/case_physics/dataset_box.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/physics/connections/box_transmissibilities.hpp"
#include "reservoir/physics/radial_connections.hpp"
#include "reservoir/physics/temperature_profile.hpp"
#include "reservoir/physics/two_phase/simulation.hpp"
#include "support/samples/sample_dataset.hpp"

namespace plumecast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The sample with the volumes and centres of its box, as an import of a regular grid states them, moved along x.
DatasetContent placed_content(float shift) {
    DatasetContent content = cartesian_content();
    for (std::size_t cell = 0; cell < 24; ++cell) {
        const std::size_t i = cell % 4, j = cell / 4 % 3, k = cell / 12;
        const std::vector<double>&x = content.x_edges, &y = content.y_edges, &z = content.z_edges;
        content.arrays["cell_volume"].push_back(
            static_cast<float>((x[i + 1] - x[i]) * (y[j + 1] - y[j]) * (z[k + 1] - z[k])));
        content.arrays["cell_centre_x"].push_back(static_cast<float>(0.5 * (x[i] + x[i + 1])) + shift);
        content.arrays["cell_centre_y"].push_back(static_cast<float>(0.5 * (y[j] + y[j + 1])));
        content.arrays["cell_centre_z"].push_back(static_cast<float>(0.5 * (z[k] + z[k + 1])));
    }
    for (const char* name : {"irreducible_water_saturation", "van_genuchten_lambda"}) {
        content.arrays[name] = {0.2F, 0.3F};
    }
    return content;
}

class GridAttributes : public ::testing::Test {
   protected:
    std::string write(DatasetContent content, const FileAttributes& attributes = {}) {
        content.attributes.insert(attributes.begin(), attributes.end());
        write_dataset(folder_.file("data.h5"), content);
        return folder_.file("data.h5");
    }
    /// What opening a file refuses; validate() has to say so too.
    std::string refused(const std::string& path) {
        try {
            Dataset{path};
        } catch (const InvalidData& error) {
            const std::vector<Violation> found = validate(path);
            EXPECT_EQ(found.size(), 1U);
            return error.what();
        }
        return "";
    }
    ScratchFolder folder_;
};

TEST_F(GridAttributes, RefuseARotationOfCellsThatLieOnTheMap) {
    EXPECT_THAT(refused(write(placed_content(40.0F), {{"rotation", "60"}})),
                AllOf(HasSubstr("attribute rotation is 60 (the centres and pillars"), HasSubstr("remove it")));
    EXPECT_EQ(refused(write(placed_content(40.0F), {{"rotation", "0"}, {"origin", "x 5 m, y 6 m"}})), "");
    EXPECT_EQ(refused(write(placed_content(0.0F), {{"rotation", "60"}})), "");
    EXPECT_EQ(refused(write(cartesian_content(), {{"rotation", "60"}})), "");
    DatasetContent other_volumes = cartesian_content();
    other_volumes.arrays["cell_volume"].assign(24, 100.0F);
    EXPECT_EQ(refused(write(other_volumes, {{"rotation", "60"}})), "");
}

TEST_F(GridAttributes, RefuseAnAquiferAtTheSidesOfACornerPointGrid) {
    EXPECT_THAT(refused(write(placed_content(40.0F), {{"aquifer_factor", "100"}})),
                AllOf(HasSubstr("attribute aquifer_factor is 100 (it is of the sides of a box"),
                      HasSubstr("/inputs/pore_volume")));
    EXPECT_EQ(refused(write(placed_content(40.0F), {{"aquifer_factor", "1"}})), "");
}

TEST_F(GridAttributes, WarnOfAnAquiferThatChangesNothing) {
    const auto warns = [](const char* why) {
        return ElementsAre(AllOf(Field(&Violation::problem, HasSubstr(why)), Field(&Violation::is_error, false)));
    };
    DatasetContent content = placed_content(0.0F);
    EXPECT_THAT(validate(write(content, {{"aquifer_factor", "100"}})), IsEmpty());
    content.arrays["pore_volume"] = content.arrays["porosity"];
    EXPECT_THAT(validate(write(content, {{"aquifer_factor", "100"}})), warns("/inputs/pore_volume takes its place"));
    EXPECT_THAT(validate(write(content)), IsEmpty());
    EXPECT_THAT(validate(write(sample_content(), {{"aquifer_factor", "100"}})), warns("of the sides of a box"));
}

TEST_F(GridAttributes, GiveReportsAndPhysicsTheSameTemperaturesOfACylinder) {
    const std::string path = write(sample_content(), {{"temperature_gradient", "0.04"}});
    EXPECT_THAT(validate(path), IsEmpty());
    const Dataset dataset(path);
    const CaseFields warm = case_inputs(dataset, 0, {});
    const RadialCase radial = radial_case(dataset, 0);
    const TemperatureProfile profile = radial.temperatures();
    const two_phase::Reservoir reservoir(radial);
    ASSERT_EQ(warm.temperatures.size(), radial.cells());
    for (std::size_t row = 0; row < reservoir.rows; ++row) {
        EXPECT_EQ(warm.temperatures[row * radial.columns()], profile.at(reservoir.depth[row]));
        EXPECT_NEAR(warm.initial_pressures[row * radial.columns()], reservoir.initial_pressure[row], 1e-9);
    }
    const CaseFields plain = case_inputs(Dataset(write(sample_content())), 0, {});
    EXPECT_NE(warm.initial_pressures, plain.initial_pressures);
}

TEST_F(GridAttributes, GiveReportsAndPhysicsTheSameVolumesOfABox) {
    DatasetContent bare = placed_content(0.0F);
    for (const char* name : {"cell_volume", "cell_centre_x", "cell_centre_y", "cell_centre_z"}) {
        bare.arrays.erase(name);
    }
    for (const DatasetContent& content : {placed_content(0.0F), bare}) {
        const CaseFields without = case_inputs(Dataset(write(content)), 0, {});
        const Dataset dataset(write(content, {{"aquifer_factor", "100"}}));
        const CaseFields fields = case_inputs(dataset, 0, {});
        const std::vector<double> of_physics = box_pore_volumes(box_case(dataset, 0));
        for (std::size_t cell = 0; cell < 24; ++cell) {
            const std::size_t column = cell % 12;
            const bool inside = column == 5 || column == 6;
            EXPECT_DOUBLE_EQ(fields.pore_volumes[cell], without.pore_volumes[cell] * (inside ? 1.0 : 100.0)) << cell;
            EXPECT_NEAR(fields.pore_volumes[cell], of_physics[cell], 1e-3) << cell;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
