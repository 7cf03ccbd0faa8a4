#include <gtest/gtest.h>

#include <malloc.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <plumecast/inference/predictor.hpp>

#include "support/samples/tiny_run.hpp"

namespace plumecast::testing {
namespace {

constexpr int grids = 20, calls = 400;

/// One case of the sample on a grid of so many columns, which differ in width.
DatasetContent case_of(std::size_t columns) {
    const DatasetContent sample = sample_content();
    DatasetContent content = sample;
    content.r_edges = {0.1};
    for (std::size_t column = 0; column < columns; ++column) {
        content.r_edges.push_back(content.r_edges.back() * 1.5 + 1.0);
    }
    for (auto& [name, values] : content.arrays) {
        const bool is_map = values.size() == 3 * 4 * 5;
        std::vector<float> own;
        for (std::size_t cell = 0; is_map && cell < 4 * columns; ++cell) {
            own.push_back(values[cell / columns * 5 + cell % 5]);
        }
        values = is_map ? own : std::vector<float>{values.front()};
    }
    content.arrays.erase("gas_saturation");
    content.arrays.erase("pressure_buildup");
    return content;
}

/// Memory that the heap has handed out [bytes].
double heap_in_use() {
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd);
}

/// What the backend's memory holds [bytes].
std::size_t in_use(Backend& backend) {
    backend.reset_peak_bytes();
    return backend.peak_bytes();
}

TEST(ManyCalls, OverTwentyGridsLeaveTheMemoryFlat) {
    const auto backend = make_cpu_backend({.threads = 1});
    const ScratchFolder folder;
    write_tiny_model(folder.file("model"), *backend, tiny_network("ufno"));
    const Predictor predictor(folder.file("model"), *backend);
    std::vector<DatasetContent> contents;
    for (std::size_t grid = 0; grid < grids; ++grid) {
        contents.push_back(case_of(5 + grid));
    }
    double heap = 0.0;
    std::size_t arena = 0;
    for (int call = 0; call < calls; ++call) {
        const std::size_t columns = 5 + static_cast<std::size_t>(call % grids);
        std::vector<float> values(3 * 4 * columns, -7.0F);
        predictor.predict(views_of(contents[static_cast<std::size_t>(call % grids)]),
                          PredictedArrays{{{"gas_saturation",
                                            output_to(values.data(), {1, 3, 4, static_cast<std::int64_t>(columns)})}}},
                          {});
        ASSERT_TRUE(values.front() != -7.0F && std::isfinite(values.front())) << "call " << call;
        if (call + 1 == calls / 4) {
            heap = heap_in_use();
            arena = in_use(*backend);
        }
    }
    // Pieces of the arena may be somewhat larger than what lies in them; a plan more would be twice as much.
    EXPECT_LE(static_cast<double>(in_use(*backend)), 1.05 * static_cast<double>(arena)) << "eight grids' plans";
    EXPECT_LT(heap_in_use(), heap + 200.0 * (calls - calls / 4)) << "less than 200 bytes a call";
}

}  // namespace
}  // namespace plumecast::testing
