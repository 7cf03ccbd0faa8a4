/* Predicts one case from arrays to arrays with a trained model, in C.
 *
 *   example_03_predict models/radial-co2
 *
 * 1 Mt of CO2 per year for 30 years into 100 m of homogeneous rock. Prints how far the gas reaches at the end, and the
 * largest build-up of pressure.
 */
#include <plumecast.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Z = 32, R = 64, T = 6 };

static int64_t case_shape[] = {1}, map_shape[] = {1, Z, R}, field_shape[] = {1, T, Z, R};

static void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        fprintf(stderr, "%s\n", plumecast_last_error());
        exit(1);
    }
}

/* An array of numbers of `bits` bits, row-major without gaps. */
static plumecast_array array_of(void* data, uint8_t bits, int32_t ndim, int64_t* shape) {
    plumecast_array array;
    memset(&array, 0, sizeof array);
    array.data = data;
    array.device.device_type = PLUMECAST_HOST;
    array.ndim = ndim;
    array.dtype.code = PLUMECAST_FLOAT;
    array.dtype.bits = bits;
    array.dtype.lanes = 1;
    array.shape = shape;
    return array;
}

static void set_axis(plumecast_cases* cases, const char* name, const char* unit, const double* entries, int64_t count) {
    const plumecast_array array = array_of((void*)entries, 64, 1, &count); /* only read; the shape is copied */
    require(plumecast_cases_set(cases, name, unit, &array));
}

static void set_map(plumecast_cases* cases, const char* name, const char* unit, float* values) {
    const plumecast_array array = array_of(values, 32, 3, map_shape);
    require(plumecast_cases_set(cases, name, unit, &array));
}

static void set_scalar(plumecast_cases* cases, const char* name, const char* unit, double* value) {
    const plumecast_array array = array_of(value, 64, 1, case_shape);
    require(plumecast_cases_set(cases, name, unit, &array));
}

/* Edges or times of the grid of the training: 32 rows over 200 m, 64 columns to 100 km, 24 times. */
static const double* axis_of(const plumecast_model* model, const char* name, size_t entries) {
    const double* values = NULL;
    size_t count = 0;
    require(plumecast_model_axis(model, name, &values, &count));
    if (count != entries) {
        fprintf(stderr, "the model has %lu %s, this program has room for %lu\n", (unsigned long)count, name,
                (unsigned long)entries);
        exit(1);
    }
    return values;
}

/* Cells as the model has them, which need no interpolation; times of one's own. */
static void set_grid(plumecast_cases* cases, const plumecast_model* model) {
    static double times[T] = {30.0, 365.25, 1826.25, 3652.5, 7305.0, 10957.5};
    set_axis(cases, "r_edges", "m", axis_of(model, "r_edges", R + 1), R + 1);
    set_axis(cases, "z_edges", "m", axis_of(model, "z_edges", Z + 1), Z + 1);
    set_axis(cases, "times", "day", times, T);
}

/* The upper 100 m belong to the formation; the well is open in their lower half. */
static void set_rock(plumecast_cases* cases) {
    static float horizontal[Z * R], vertical[Z * R], porosity[Z * R], perforation[Z * R], active[Z * R];
    int i;
    for (i = 0; i < Z / 2 * R; ++i) {
        horizontal[i] = 100.0F;
        vertical[i] = 10.0F;
        porosity[i] = 0.2F;
        active[i] = 1.0F;
        perforation[i] = i >= Z / 4 * R && i % R == 0 ? 1.0F : 0.0F;
    }
    set_map(cases, "permeability_r", "mD", horizontal);
    set_map(cases, "permeability_z", "mD", vertical);
    set_map(cases, "porosity", "1", porosity);
    set_map(cases, "perforation", "1", perforation);
    set_map(cases, "active", "1", active);
}

static void set_conditions(plumecast_cases* cases) {
    static double rate = 1.0, pressure = 150.0, temperature = 60.0, water = 0.2, lambda = 0.5, thickness = 100.0;
    set_scalar(cases, "injection_rate", "Mt/year", &rate);
    set_scalar(cases, "initial_pressure", "bar", &pressure);
    set_scalar(cases, "temperature", "degC", &temperature);
    set_scalar(cases, "irreducible_water_saturation", "1", &water);
    set_scalar(cases, "van_genuchten_lambda", "1", &lambda);
    set_scalar(cases, "thickness", "m", &thickness);
}

static void print_plume(const double* r_edges, const float* saturation, const float* buildup) {
    const float* at_end = saturation + (T - 1) * Z * R;
    double reach = 0.0, largest = 0.0;
    int i, row, column;
    for (column = 0; column < R; ++column) {
        for (row = 0; row < Z; ++row) {
            if (at_end[row * R + column] > 0.01F) { /* not so where a cell is inactive, NaN */
                reach = r_edges[column + 1];
            }
        }
    }
    for (i = 0; i < T * Z * R; ++i) {
        largest = buildup[i] > largest ? buildup[i] : largest;
    }
    printf("after 30 years: gas out to %.0f m, largest build-up %.1f bar\n", reach, largest);
}

int main(int argc, char** argv) {
    static float saturation[T * Z * R], buildup[T * Z * R];
    plumecast_named outputs[2];
    plumecast_device* device = NULL;
    plumecast_model* model = NULL;
    plumecast_cases* cases = NULL;
    require(plumecast_device_open("auto", NULL, &device));
    require(plumecast_model_load(device, argc > 1 ? argv[1] : "models/radial-co2", &model));
    require(plumecast_cases_create(&cases));
    set_grid(cases, model);
    set_rock(cases);
    set_conditions(cases);
    require(plumecast_cases_check(cases, NULL));
    outputs[0].name = "gas_saturation";
    outputs[0].array = array_of(saturation, 32, 4, field_shape);
    outputs[1].name = "pressure_buildup";
    outputs[1].array = array_of(buildup, 32, 4, field_shape);
    require(plumecast_predict(model, cases, outputs, 2, NULL));
    print_plume(axis_of(model, "r_edges", R + 1), saturation, buildup);
    plumecast_cases_release(cases);
    plumecast_model_release(model);
    plumecast_device_release(device);
    return 0;
}
