// Eight threads predict the same cases with one model at once, each with a predictor that shares plans and weights with
// the others: usage test_predictor_threads MODEL CASES.h5. Without a test framework, so that a build with the thread
// sanitizer is small. Exit status 0 when every thread gets the bits that one alone gets.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "support/samples/first_cases.hpp"

namespace plumecast::testing {
namespace {

constexpr int threads = 8, batches = 2;

/// Gas saturation of all cases, so many at once; NaN in inactive cells as -1.
std::vector<float> predicted(const Predictor& predictor, const MemoryCases& cases, std::int64_t batch) {
    const Dataset dataset(cases);
    std::vector<std::int64_t> extents{dataset.cases(), dataset.snapshots()};
    const Shape space = dataset.space();
    extents.insert(extents.end(), space.extents().begin(), space.extents().end());
    std::vector<float> values(static_cast<std::size_t>(dataset.cases() * dataset.snapshots() * dataset.cells()));
    PredictedArrays outputs;
    outputs.arrays["gas_saturation"] = output_to(values.data(), extents);
    PredictionOptions options;
    options.batch = batch;
    predictor.predict(cases, outputs, options);
    std::ranges::replace_if(
        values, [](float value) { return std::isnan(value); }, -1.0F);
    return values;
}

int run(const std::string& model, const std::string& path) {
    const auto backend = make_cpu_backend({.threads = 1});
    const Predictor predictor(model, *backend);
    // In memory: the lock around files of HDF5 would keep in order what nothing else does, and hide it.
    const DatasetContent content = first_cases(path, 2);
    const MemoryCases cases = views_of(content);
    std::array<std::vector<float>, threads> results;
    {
        std::vector<std::jthread> running;
        for (int thread = 0; thread < threads; ++thread) {  // some ask for one plan, some for another
            running.emplace_back([&, thread] {
                results[static_cast<std::size_t>(thread)] =
                    predicted(Predictor(predictor), cases, 1 + thread % batches);
            });
        }
    }
    bool same = true;
    for (int batch = 0; batch < batches; ++batch) {
        const std::vector<float> expected = predicted(predictor, cases, 1 + batch);
        for (int thread = batch; thread < threads; thread += batches) {
            same = same && results[static_cast<std::size_t>(thread)] == expected;
        }
    }
    const float most = std::ranges::max(results.front());
    std::printf("%d threads, %zu saturations up to %g: %s\n", threads, results.front().size(),
                static_cast<double>(most), same ? "the bits of one thread" : "OTHER BITS than one thread");
    return same && most > 0.0F ? 0 : 1;
}

}  // namespace
}  // namespace plumecast::testing

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s MODEL CASES.h5\n", argv[0]);
        return 2;
    }
    try {
        return plumecast::testing::run(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
