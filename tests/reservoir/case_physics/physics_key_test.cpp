#include "reservoir/case_physics/physics_key.hpp"

#include <string>

#include <gmock/gmock.h>

#include "reservoir/physics/connections/box_physics.hpp"
#include "support/repository.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string key_of(const std::string& sample, const PhysicsSettings& settings = {}) {
    return shared_key_of(Dataset(repository_folder() + "/data/" + sample), settings);
}

TEST(SharedKey, OfABoxNamesTheRevisionOfItsPhysics) {
    const std::string revision = "revision " + std::to_string(box_physics_revision);
    EXPECT_THAT(key_of("box_sample.h5"), HasSubstr(revision));
    EXPECT_THAT(key_of("radial_sample.h5"), Not(HasSubstr("revision")));  // files of cylinders keep their keys
}

TEST(SharedKey, DependsOnStepsAndVersion) {
    const std::string key = key_of("radial_sample.h5", {1});
    EXPECT_NE(key, key_of("radial_sample.h5", {2}));
    EXPECT_NE(key, key_of("radial_sample.h5", {1, 1}));
    EXPECT_EQ(key, key_of("radial_sample.h5", {1}));
}

}  // namespace
}  // namespace plumecast::testing
