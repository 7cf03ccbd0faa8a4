/* Differentiates the mean gas saturation of the first case of a file by its inputs, in C.
 *
 *   example_04_gradient run/best cases.h5
 *
 * Prints the mean over active cells and times as it is predicted, and its derivatives by the permeability, summed over
 * each row, and by the injection rate.
 */
#include <plumecast.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(plumecast_status status) {
    if (status != PLUMECAST_OK) {
        fprintf(stderr, "%s\n", plumecast_last_error());
        exit(1);
    }
}

static float* room_for(int64_t count) {
    float* values = calloc((size_t)count, sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "no memory for %ld values\n", (long)count);
        exit(1);
    }
    return values;
}

static plumecast_named named(const char* name, float* values, int32_t ndim, int64_t* shape) {
    plumecast_named one;
    memset(&one, 0, sizeof one);
    one.name = name;
    one.array.data = values;
    one.array.device.device_type = PLUMECAST_HOST;
    one.array.ndim = ndim;
    one.array.dtype.code = PLUMECAST_FLOAT;
    one.array.dtype.bits = 32;
    one.array.dtype.lanes = 1;
    one.array.shape = shape;
    return one;
}

/* Weights of a mean over the values of the first case that are there; the mean. */
static double weights_of_mean(const float* saturation, int64_t of_first_case, float* weights) {
    double sum = 0.0;
    int64_t count = 0, i;
    for (i = 0; i < of_first_case; ++i) {
        if (!isnan(saturation[i])) { /* so where a cell is inactive */
            sum += saturation[i];
            ++count;
        }
    }
    for (i = 0; i < of_first_case; ++i) {
        weights[i] = isnan(saturation[i]) ? 0.0F : 1.0F / (float)count;
    }
    return sum / (double)count;
}

int main(int argc, char** argv) {
    plumecast_device* device = NULL;
    plumecast_model* model = NULL;
    plumecast_cases* cases = NULL;
    plumecast_recording* recording = NULL;
    plumecast_cases_extents of;
    plumecast_options options;
    plumecast_named output, gradients[2], weight;
    int64_t field_shape[4], map_shape[3], case_shape[1], row, column, cells, times;
    float *saturation, *weights, *by_permeability, *by_rate;

    require(plumecast_device_open("auto", NULL, &device));
    require(plumecast_model_load(device, argc > 1 ? argv[1] : "run/best", &model));
    require(plumecast_cases_open(argc > 2 ? argv[2] : "cases.h5", &cases));
    memset(&of, 0, sizeof of);
    of.size = sizeof of;
    require(plumecast_cases_info(cases, &of));
    cells = of.rows * of.columns;
    times = of.times;
    field_shape[0] = map_shape[0] = case_shape[0] = of.cases;
    field_shape[1] = times;
    field_shape[2] = map_shape[1] = of.rows;
    field_shape[3] = map_shape[2] = of.columns;
    saturation = room_for(of.cases * times * cells);
    weights = room_for(of.cases * times * cells);
    by_permeability = room_for(of.cases * cells);
    by_rate = room_for(of.cases);

    /* The pass forward, with the fields as the networks say them: a value below the cutoff would feel nothing. */
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.limits = PLUMECAST_LIMITS_LEAVE_OUT;
    output = named("gas_saturation", saturation, 4, field_shape);
    require(plumecast_record(model, cases, &output, 1, &options, &recording));
    printf("mean gas saturation of case 0: %.5f\n", weights_of_mean(saturation, times * cells, weights));

    /* And back. */
    weight = named("gas_saturation", weights, 4, field_shape);
    gradients[0] = named("permeability_r", by_permeability, 3, map_shape);
    gradients[1] = named("injection_rate", by_rate, 1, case_shape);
    require(plumecast_pull_back(recording, &weight, 1, gradients, 2));
    for (row = 0; row < of.rows; ++row) {
        double sum = 0.0;
        for (column = 0; column < of.columns; ++column) {
            sum += by_permeability[row * of.columns + column];
        }
        printf("row %2ld: %+.3e per mD\n", (long)row, sum);
    }
    printf("by the injection rate: %+.3e per Mt/year\n", by_rate[0]);

    plumecast_recording_release(recording);
    plumecast_cases_release(cases);
    plumecast_model_release(model);
    plumecast_device_release(device);
    free(saturation);
    free(weights);
    free(by_permeability);
    free(by_rate);
    return 0;
}
