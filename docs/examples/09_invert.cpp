// Finds reservoirs that explain what was observed, in C++ over the C interface; docs/python.md has the same in Python.
//
//   example_09_invert
//
// The prior are 12 homogeneous cylinders of other permeabilities, which it writes; the first of them tells what is
// known. Observed are the build-ups at a well 500 m from the injector after one, two and five years. Prints the misfit
// at each step.
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include <plumecast.h>
#include <plumecast/reservoir/dataset/fields.hpp>

namespace {

void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        throw std::runtime_error(plumecast_last_error());
    }
}

/// 12 cylinders of 4 x 12 cells at six times, without fields.
void write_prior(const std::string& path) {
    constexpr std::size_t cases = 12, rows = 4, columns = 12;
    plumecast::DatasetContent content;
    content.r_edges = {0.1, 5, 15, 40, 90, 180, 350, 700, 1400, 3000, 8000, 30000, 100000};
    content.z_edges = {0, 10, 20, 30, 40};
    content.times = {30, 365, 731, 1826, 3652, 10957};
    const auto put = [&](const char* name, std::size_t times, float value) {
        content.arrays[name].insert(content.arrays[name].end(), times, value);
    };
    for (std::size_t which = 0; which < cases; ++which) {
        const float permeability = 40.0F + 20.0F * static_cast<float>(which);
        put("active", rows * columns, 1.0F);
        put("permeability_r", rows * columns, permeability);
        put("permeability_z", rows * columns, 0.1F * permeability);
        put("porosity", rows * columns, 0.2F);
        for (std::size_t row = 0; row < rows; ++row) {
            put("perforation", 1, 1.0F);
            put("perforation", columns - 1, 0.0F);
        }
        put("injection_rate", 1, 0.3F);
        put("initial_pressure", 1, 150.0F);
        put("temperature", 1, 55.0F);
        put("irreducible_water_saturation", 1, 0.2F);
        put("van_genuchten_lambda", 1, 0.5F);
        put("thickness", 1, 40.0F);
    }
    plumecast::write_dataset(path, content);
}

void invert() {
    write_prior("prior.h5");
    std::ofstream("observations.csv") << "field,r,z,time,value,unit,standard_deviation\n"
                                         "pressure_buildup,500,1,365,6.1,bar,0.5\n"
                                         "pressure_buildup,500,1,731,6.9,bar,0.5\n"
                                         "pressure_buildup,500,1,1826,8.0,bar,0.5\n";
    const char* configuration = R"({
        "model": "estimate", "case": "prior.h5", "prior": "prior.h5", "observations": "observations.csv",
        "unknown": ["permeability_r", "permeability_z"], "steps": 4, "output": "posterior"})";
    plumecast_device* opened = nullptr;
    require(plumecast_device_open("cpu", nullptr, &opened));
    const std::unique_ptr<plumecast_device, decltype(&plumecast_device_release)> device(opened,
                                                                                        plumecast_device_release);
    plumecast_inversion_options options{};
    options.size = sizeof options;
    options.step = [](const char* json, void*) { std::printf("%s\n", json); };  // misfits and more
    require(plumecast_invert(device.get(), configuration, &options));
    std::printf("posterior/posterior.h5 holds the reservoirs that explain the observations\n");
}

}  // namespace

int main() {
    try {
        invert();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
