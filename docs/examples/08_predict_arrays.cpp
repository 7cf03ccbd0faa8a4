// Predicts one case from arrays to arrays with a trained model, in C++; 03_predict.c and 03_predict.py are the same in
// C and Python.
//
//   example_08_predict_arrays models/radial-co2
//
// 1 Mt of CO2 per year for 30 years into 100 m of homogeneous rock. Prints the largest build-up of pressure and the
// largest saturation.
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/inference/bundle/training_grids.hpp>
#include <plumecast/inference/predictor.hpp>

namespace {

using namespace plumecast;

constexpr std::int64_t Z = 32, R = 64, T = 24;

/// A map [1, Z, R] of one value in some rows and the first so many columns, and of 0 elsewhere.
std::vector<float> map_of(float value, std::int64_t first_row, std::int64_t last_row, std::int64_t columns = R) {
    std::vector<float> values(static_cast<std::size_t>(Z * R));
    for (std::int64_t cell = first_row * R; cell < last_row * R; ++cell) {
        values[static_cast<std::size_t>(cell)] = cell % R < columns ? value : 0.0F;
    }
    return values;
}

/// Largest value; inactive cells hold NaN.
double largest(const std::vector<float>& values) {
    float found = 0.0F;
    for (const float value : values) {
        found = std::fmax(found, value);
    }
    return static_cast<double>(found);
}

void predict(const std::string& model) {
    const auto backend = make_cpu_backend();
    const Predictor predictor(model, *backend);
    // Edges of the training: 32 rows over 200 m, 64 columns. Cases on them have gradients too.
    const GridAndTimes grid = training_grids(predictor.bundle()).at(0);
    std::vector<double> times(T);  // of one's own, from a day to 30 years
    for (std::size_t t = 0; t < times.size(); ++t) {
        times[t] = std::pow(10957.5, static_cast<double>(t) / static_cast<double>(T - 1));
    }
    // The upper 100 m belong to the formation; the well is open in their lower half.
    const auto horizontal = map_of(100.0F, 0, 16), vertical = map_of(10.0F, 0, 16), porosity = map_of(0.2F, 0, 16);
    const auto active = map_of(1.0F, 0, 16), perforation = map_of(1.0F, 8, 16, 1);
    const double rate = 1.0, pressure = 150.0, temperature = 60.0, water = 0.2, lambda = 0.5, thickness = 100.0;

    MemoryCases cases{{{"r_edges", view_of(grid.r_edges.data(), {R + 1}, "m")},
                       {"z_edges", view_of(grid.z_edges.data(), {Z + 1}, "m")},
                       {"times", view_of(times.data(), {T}, "day")},
                       {"permeability_r", view_of(horizontal.data(), {1, Z, R}, "mD")},
                       {"permeability_z", view_of(vertical.data(), {1, Z, R}, "mD")},
                       {"porosity", view_of(porosity.data(), {1, Z, R}, "1")},
                       {"perforation", view_of(perforation.data(), {1, Z, R}, "1")},
                       {"active", view_of(active.data(), {1, Z, R}, "1")},
                       {"injection_rate", view_of(&rate, {1}, "Mt/year")},
                       {"initial_pressure", view_of(&pressure, {1}, "bar")},
                       {"temperature", view_of(&temperature, {1}, "degC")},
                       {"irreducible_water_saturation", view_of(&water, {1}, "1")},
                       {"van_genuchten_lambda", view_of(&lambda, {1}, "1")},
                       {"thickness", view_of(&thickness, {1}, "m")}}};
    std::vector<float> saturation(T * Z * R), buildup(T * Z * R);
    const PredictedArrays fields{{{"gas_saturation", output_to(saturation.data(), {1, T, Z, R})},
                                  {"pressure_buildup", output_to(buildup.data(), {1, T, Z, R})}}};
    predictor.predict(cases, fields, {});
    std::printf("largest build-up %.1f bar, largest saturation %.2f\n", largest(buildup), largest(saturation));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        predict(argc > 1 ? argv[1] : "models/radial-co2");
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
