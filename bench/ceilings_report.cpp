// Prints what this machine can do at most, as JSON.
#include <cstdio>
#include <thread>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "ceilings/ceilings.hpp"

int main(int argc, char** argv) {
    CLI::App app("Measures the ceilings of this machine: multiply-adds, copying and reading memory.");
    int threads = static_cast<int>(std::thread::hardware_concurrency());
    int megabytes = 512;
    app.add_option("--threads", threads)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--megabytes", megabytes, "Size of the arrays")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    std::puts(to_json(plumecast::bench::measure_ceilings(threads, megabytes)).dump(-1).c_str());
}
