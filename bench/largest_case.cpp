// Prints, as a table, the largest cases N/4 x N x N x T that ranks with so much memory each train on and predict.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <plumecast/training/memory_plan.hpp>
#include <plumecast/training/recipe.hpp>

#include "program.hpp"

namespace plumecast::bench {
namespace {

struct Options {
    double gibibytes = 80.0;
    std::int64_t width = 36, times = 32;
    std::vector<std::int64_t> modes{8, 12, 12, 8};
    int most_cuts = 4;
};

NetworkDescription network_of(const Options& options, const std::string& architecture) {
    NetworkDescription network = Recipe::defaults_3d(architecture).network;
    network.network.width = options.width;
    network.network.modes = options.modes;
    return network;
}

/// The largest N, a multiple of 16, whose plan fits; 0 for none.
std::int64_t largest(const Options& options, const NetworkDescription& network, int cuts, bool trains) {
    const double bytes = options.gibibytes * std::pow(2.0, 30);
    const auto fits = [&](std::int64_t n) {
        const RankPlan plan = plan_rank(network, {n / 4, n, n, options.times}, 1, {1, cuts, cuts});
        return static_cast<double>(trains ? plan.memory.training : plan.memory.inference) <= bytes;
    };
    // In units of 16 cells; not even one field of `high` fits.
    const double cells = bytes * cuts * cuts / static_cast<double>(4 * options.times * options.width);
    std::int64_t low = 1, high = static_cast<std::int64_t>(std::cbrt(4.0 * cells) / 16.0) + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (fits(16 * middle) ? low : high) = middle;
    }
    return fits(16 * low) ? 16 * low : 0;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Largest cases N/4 x N x N x T by memory, found by running the planner.");
    app.add_option("--memory", options.gibibytes, "GiB of each rank")->capture_default_str();
    app.add_option("--width", options.width, "Channels of the hidden fields")->capture_default_str();
    app.add_option("--times", options.times, "Time steps of a case")->capture_default_str();
    app.add_option("--modes", options.modes, "Modes of z, y, x and t")->expected(4)->capture_default_str();
    app.add_option("--cuts", options.most_cuts, "Most parts of x, and of y")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    std::printf(
        "| network | cuts | trains on | million cells x times per rank | predicts | million "
        "|\n|---|---|---|---|---|---|\n");
    for (const char* architecture : {"fno", "ufno"}) {
        const NetworkDescription network = network_of(options, architecture);
        for (int cuts = 1; cuts <= options.most_cuts; cuts *= 2) {
            std::printf("| %s | %dx%d |", architecture, cuts, cuts);
            for (const bool trains : {true, false}) {
                const std::int64_t n = largest(options, network, cuts, trains);
                const double share = static_cast<double>(n / 4 * n * n * options.times) / (cuts * cuts);
                std::printf(" %lld x %lld x %lld | %.1f |", static_cast<long long>(n / 4), static_cast<long long>(n),
                            static_cast<long long>(n), share / 1e6);
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
    return 0;
}

}  // namespace
}  // namespace plumecast::bench

int main(int argc, char** argv) { return plumecast::bench::guarded(plumecast::bench::run, argc, argv); }
