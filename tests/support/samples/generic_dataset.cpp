#include "support/samples/generic_dataset.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "reservoir/h5/file.hpp"

namespace plumecast::testing {

void write_generic_data(const std::string& path) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    h5::File file = h5::File::create(path);
    file.set_text("/", "format", "plumecast-dataset");
    file.set_integer("/", "format_version", 3);
    file.set_text("/", "geometry", "generic");
    file.set_text("/", "axes", "x");
    file.create_array<double>("/grid/times", {{2}, false, std::nullopt});
    file.write_rows<double>("/grid/times", 0, 2, std::vector<double>{1.0, 3.0});
    file.set_text("/grid/times", "units", "s");
    const auto add = [&](const std::string& name, std::vector<std::int64_t> extents, const std::vector<float>& values,
                         const std::string& unit) {
        file.create_array<float>(name, {extents, false, std::nullopt});
        file.write_rows<float>(name, 0, extents[0], values);
        file.set_text(name, "units", unit);
    };
    add("/inputs/map", {2, 3}, {0, 1, 2, 10, 11, none}, "m");
    add("/inputs/number", {2}, {1, 2}, "1");
    add("/inputs/series", {2, 2}, {0, 1, 100, 101}, "1");
    file.set_text("/inputs/series", "axes", "N,T");
    add("/inputs/field", {2, 2, 3}, {0, 1, 2, 10, 11, 12, 100, 101, none, 110, 111, none}, "1");
    add("/outputs/u", {2, 2, 3}, {0, -1, -2, -10, -11, -12, -100, -101, none, -110, -111, none}, "K");
    file.create_array<std::uint8_t>("/inputs/active", {{2, 3}, false, std::nullopt});
    file.write_rows<std::uint8_t>("/inputs/active", 0, 2, std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0});
    file.set_text("/inputs/active", "units", "1");
    file.close();
}

}  // namespace plumecast::testing
