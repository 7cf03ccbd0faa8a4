// HDF5 1.10 loses its own buffers when the index of a damaged file cannot be read; the leak sanitizer, which looks for
// a function of this name, must not blame the tests for it. That our code closes every object it opened is checked
// here.
#include <gtest/gtest.h>
#include <hdf5.h>

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }

namespace {

class OpenObjects : public ::testing::Environment {
   public:
    void TearDown() override {
        EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0) << "HDF5 objects left open";
    }
};

[[maybe_unused]] const ::testing::Environment* const open_objects =
    ::testing::AddGlobalTestEnvironment(new OpenObjects);

}  // namespace
