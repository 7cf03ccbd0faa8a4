#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/tensor.hpp>

namespace plumecast::testing {
namespace {

std::string text_of(const char* path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// What the kernel says of the mapping that an address lies in, a line "Name: value" each; empty where it does not.
std::string mapping_of(const void* address) {
    std::istringstream lines(text_of("/proc/self/smaps"));
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    std::string line, found;
    bool is_inside = false;
    while (std::getline(lines, line)) {
        std::uintptr_t low = 0, high = 0;
        char dash = 0;
        std::istringstream range(line);
        if (range >> std::hex >> low >> dash >> high && dash == '-') {
            is_inside = low <= wanted && wanted < high;
        } else if (is_inside) {
            found += line + "\n";
        }
    }
    return found;
}

std::string value_of(const std::string& mapping, const std::string& name) {
    const auto at = mapping.find("\n" + name + ":");
    return at == std::string::npos ? "" : mapping.substr(at, mapping.find('\n', at + 1) - at);
}

TEST(HugePages, AreAskedForWhereTheSystemHasThem) {
    const std::string policy = text_of("/sys/kernel/mm/transparent_hugepage/enabled");
    if (policy.empty() || policy.find("[never]") != std::string::npos) {
        GTEST_SKIP() << "this system grants none";
    }
    const auto backend = make_cpu_backend({.threads = 1});
    constexpr std::size_t bytes = std::size_t{16} << 20;
    Tensor field(backend->memory(), {static_cast<std::int64_t>(bytes / sizeof(float))}, DType::float32);
    std::memset(field.view().data, 1, bytes);
    const std::string mapping = mapping_of(field.view().data);
    ASSERT_FALSE(mapping.empty()) << "the arena is a mapping";
    EXPECT_NE(value_of(mapping, "VmFlags").find(" hg"), std::string::npos) << mapping;
    RecordProperty("granted", value_of(mapping, "AnonHugePages"));  // memory in pieces may leave none to grant
}

}  // namespace
}  // namespace plumecast::testing
