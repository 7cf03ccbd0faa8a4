#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <plumecast/inference/bundle.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

/// Row and column of cells beside the well and in the plume, at the last time.
constexpr std::array<std::array<std::int64_t, 2>, 3> pinned_cells{{{0, 0}, {1, 1}, {2, 2}}};

/// What a bundle predicted of a case of guided_content() when this version of the physics was made.
const std::map<std::string, std::array<float, 3>> recorded_fields{
    {"gas_saturation", {0.497061F, 0.332034F, 0.0102687F}},
    {"pressure_buildup", {6.49375F, 5.66276F, 4.20905F}},
    {"dissolved_co2", {12.5418F, 16.6604F, 7.58496F}}};

/// A network whose weights depend on nothing but their places: a change of how weights are drawn changes no prediction.
void write_model(const std::string& bundle, const Dataset& data) {
    const auto backend = make_cpu_backend({.threads = 1});
    const FieldNetwork network(*backend, tiny_guided_network("conv_fno"), 3);
    double place = 0.0;
    for (const Parameter& parameter : network.parameters().all()) {
        const View weight = parameter.weight.mutable_value();
        std::vector<float> values(static_cast<std::size_t>(weight.shape.count()));
        for (float& value : values) {
            value = static_cast<float>(0.2 * std::sin(place));
            place += 1.0;
        }
        backend->upload(ConstView(weight.shape, DType::float32, values.data()), weight);
    }
    write_bundle(bundle, {"tiny", {{"fields", &network}}, grid_record(data), "A tiny model.\n"});
}

TEST(PinnedPrediction, IsWhatItWas) {
    const ScratchFolder folder;
    const Dataset data(write_guided_sample(folder));
    write_model(folder.file("model"), data);
    const auto backend = make_cpu_backend({.threads = 1});
    Predictor(folder.file("model"), *backend).predict(folder.file("guided.h5"), folder.file("fields.h5"), {});
    const Dataset found(folder.file("fields.h5"));
    for (const auto& [field, values] : recorded_fields) {
        std::vector<float> all(static_cast<std::size_t>(found.snapshots() * found.cells()));
        constexpr std::int64_t which = 1;
        found.read_output(field, {&which, 1}, all);
        for (std::size_t i = 0; i < pinned_cells.size(); ++i) {
            const auto [row, column] = pinned_cells[i];
            const std::int64_t at = ((found.snapshots() - 1) * found.rows() + row) * found.columns() + column;
            const float value = all[static_cast<std::size_t>(at)];
            EXPECT_NEAR(value, values[i], 1e-5F * (1.0F + std::abs(values[i]))) << field << ' ' << i;
        }
    }
}

}  // namespace
}  // namespace plumecast::testing
