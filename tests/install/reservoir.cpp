// A program that reads data sets and measures them, without networks: links plumecast::reservoir alone.
#include <cstdio>

#include <plumecast/reservoir/dataset/dataset.hpp>
#include <plumecast/reservoir/dataset/validation.hpp>
#include <plumecast/reservoir/physics/co2_density.hpp>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::printf("usage: reservoir DATA.h5\n");
        return 2;
    }
    const plumecast::Dataset cases(argv[1]);
    const double density = plumecast::co2_density(150.0, 60.0);  // bar, degC
    const bool right = cases.cases() > 0 && density > 500.0 && density < 800.0;
    std::printf("plumecast::reservoir: %lld cases, %s\n", static_cast<long long>(cases.cases()),
                right ? "usable" : "wrong");
    return right ? 0 : 1;
}
