// Reads all cases of a data set as training does, in a random order, batch after batch, and counts time and memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/reservoir/batches/prefetcher.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/training/recipe.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

std::vector<std::vector<std::int64_t>> shuffled_batches(std::int64_t cases, std::int64_t batch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(cases));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(17));
    std::vector<std::vector<std::int64_t>> batches;
    for (auto first = order.begin(); first != order.end();) {
        const auto last = first + std::min<std::ptrdiff_t>(batch, order.end() - first);
        batches.emplace_back(first, last);
        first = last;
    }
    return batches;
}

int run(int argc, char** argv) {
    CLI::App app("Prints cases, bytes of fields and seconds, and the peak of resident memory in bytes, as JSON.");
    std::string data, field = "gas_saturation";
    std::int64_t batch = 4;
    app.add_option("data", data, "Data set with outputs")->required()->type_name("DATA.h5");
    app.add_option("--field", field, "Field to train on")->capture_default_str();
    app.add_option("--batch", batch)->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const Dataset dataset(data);
    const auto source =
        dataset_source(dataset, default_channels(), {Field{field, field == "pressure_buildup" ? "bar" : "1"}});
    const auto begin = std::chrono::steady_clock::now();
    Prefetcher batches(*source, shuffled_batches(dataset.cases(), batch));
    std::size_t bytes = 0;
    while (const auto loaded = batches.next()) {
        bytes += loaded->targets.bytes();
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"cases\": %lld, \"field_bytes\": %zu, \"seconds\": %.3f, \"peak_bytes\": %lld}\n",
                static_cast<long long>(dataset.cases()), bytes, seconds.count(), 1024LL * usage.ru_maxrss);
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
