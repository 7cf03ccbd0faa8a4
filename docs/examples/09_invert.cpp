// Finds reservoirs that explain what was observed, in C++ over the C interface; docs/python.md has the same in Python.
//
//   example_09_invert models/radial-co2-fast cases.h5
//
// The cases of the file are the prior, and the first of them tells what is known. Observed are the build-ups at a
// well 500 m from the injector after one, two and five years. Prints the misfit at each step.
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include <plumecast.h>

namespace {

void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        throw std::runtime_error(plumecast_last_error());
    }
}

void invert(const std::string& model, const std::string& cases) {
    std::ofstream("observations.csv") << "field,r,z,time,value,unit,standard_deviation\n"
                                         "pressure_buildup,500,1,365,16.1,bar,0.5\n"
                                         "pressure_buildup,500,1,731,17.4,bar,0.5\n"
                                         "pressure_buildup,500,1,1826,19.0,bar,0.6\n";
    const std::string configuration =
        "{\"model\": \"" + model + "\", \"case\": \"" + cases + "\", \"prior\": \"" + cases +
        "\", \"unknown\": [\"permeability_r\", \"permeability_z\", \"porosity\"], "
        "\"observations\": \"observations.csv\", \"steps\": 4, \"output\": \"posterior\"}";
    plumecast_device* opened = nullptr;
    require(plumecast_device_open("cpu", nullptr, &opened));
    const std::unique_ptr<plumecast_device, decltype(&plumecast_device_release)> device(opened,
                                                                                        plumecast_device_release);
    plumecast_inversion_options options{};
    options.size = sizeof options;
    options.step = [](const char* json, void*) { std::printf("%s\n", json); };  // misfits and more
    require(plumecast_invert(device.get(), configuration.c_str(), &options));
    std::printf("posterior/posterior.h5 holds the reservoirs that explain the observations\n");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        invert(argc > 1 ? argv[1] : "models/radial-co2-fast", argc > 2 ? argv[2] : "cases.h5");
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
