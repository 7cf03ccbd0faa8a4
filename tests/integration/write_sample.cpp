#include <cstring>
#include <limits>
#include <vector>

#include <plumecast/reservoir/dataset/fields.hpp>

#include "support/samples/sample_dataset.hpp"

namespace {

constexpr int repeats = 1000;

void repeat_cases(plumecast::DatasetContent& content) {
    for (auto& [name, values] : content.arrays) {
        const std::vector<float> once = values;
        for (int i = 1; i < repeats; ++i) {
            values.insert(values.end(), once.begin(), once.end());
        }
    }
}

}  // namespace

/// Writes the sample data set of the data tests: write_sample PATH [inputs|broken|many|cartesian|guided].
///   inputs  without outputs, to be predicted      broken  with a NaN in the porosity of the first case
///   many    a thousand times, to have time for a signal      cartesian  the sample in three dimensions
///   guided  one that reduced physics can compute
int main(int argc, char** argv) {
    if (argc < 2) {
        return 2;
    }
    const bool is_cartesian = argc > 2 && std::strcmp(argv[2], "cartesian") == 0;
    if (argc > 2 && std::strcmp(argv[2], "guided") == 0) {
        plumecast::write_dataset(argv[1], plumecast::testing::guided_content());
        return 0;
    }
    plumecast::DatasetContent content =
        is_cartesian ? plumecast::testing::cartesian_content() : plumecast::testing::sample_content();
    if (argc > 2 && std::strcmp(argv[2], "inputs") == 0) {
        content.arrays.erase("gas_saturation");
        content.arrays.erase("pressure_buildup");
    }
    if (argc > 2 && std::strcmp(argv[2], "broken") == 0) {
        content.arrays.at("porosity").front() = std::numeric_limits<float>::quiet_NaN();
    }
    if (argc > 2 && std::strcmp(argv[2], "many") == 0) {
        repeat_cases(content);
    }
    plumecast::write_dataset(argv[1], content);
    return 0;
}
