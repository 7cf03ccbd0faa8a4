/** @file
 * Plumecast for programs in C and whoever calls C: trained models, cases in arrays, fields of CO2 plumes.
 *
 * Every call that can fail returns a status; plumecast_last_error() then says what was wrong, why, and what to do.
 * Texts belong to the library. Handles keep what they need: any order of releasing them is right, and NULL may be
 * released. A model may be used by any number of threads at once, cases and outputs by one at a time. docs/c.md is the
 * manual.
 */
#ifndef PLUMECAST_H
#define PLUMECAST_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/** What the library exports. */
#define PLUMECAST_API __attribute__((visibility("default")))
#else
#define PLUMECAST_API
#endif

/** Grows when functions or members are added; nothing is ever taken away. */
#define PLUMECAST_ABI 3

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. */
typedef enum plumecast_status {
    PLUMECAST_OK = 0,
    PLUMECAST_INVALID_INPUT = 1, /**< an argument that cannot be used: a name, a shape, a count, NULL */
    PLUMECAST_INVALID_DATA = 2,  /**< cases that violate the data set format */
    PLUMECAST_INVALID_MODEL = 3, /**< a model that cannot be read */
    PLUMECAST_DEVICE_ERROR = 4,  /**< a device refused its work */
    PLUMECAST_OUT_OF_MEMORY = 5,
    PLUMECAST_COMM_ERROR = 6, /**< processes could not talk to each other */
    PLUMECAST_IO_ERROR = 7,   /**< the operating system refused to read or write */
    PLUMECAST_NOT_CONVERGED = 8,
    PLUMECAST_NOT_BUILT = 9,    /**< the feature exists, but not in this build */
    PLUMECAST_INTERRUPTED = 10, /**< the stop callback asked for it */
    PLUMECAST_INTERNAL = 11     /**< a mistake of the library; please report it */
} plumecast_status;

/** An array of the caller's, laid out like DLPack's DLTensor, in host memory (device type 1 or 3). */
typedef struct plumecast_array {
    void* data; /**< of the element whose indices are all 0, less byte_offset */
    struct {
        int32_t device_type; /**< PLUMECAST_HOST */
        int32_t device_id;
    } device;     /**< where the data lie */
    int32_t ndim; /**< axes; 0 for a single number */
    struct {
        uint8_t code;     /**< PLUMECAST_INT, PLUMECAST_UINT, PLUMECAST_FLOAT, PLUMECAST_BFLOAT or PLUMECAST_BOOL */
        uint8_t bits;     /**< 8, 16, 32 or 64 */
        uint16_t lanes;   /**< 1 */
    } dtype;              /**< element type */
    int64_t* shape;       /**< [ndim] entries along each axis, slowest first */
    int64_t* strides;     /**< [ndim] elements between neighbours, any numbers; NULL for row-major without gaps */
    uint64_t byte_offset; /**< from data to the element whose indices are all 0 */
} plumecast_array;

enum { PLUMECAST_HOST = 1 };
enum { PLUMECAST_INT = 0, PLUMECAST_UINT = 1, PLUMECAST_FLOAT = 2, PLUMECAST_BFLOAT = 4, PLUMECAST_BOOL = 6 };

/** An array by its name in the data set format (docs/data_format.md): "gas_saturation", "permeability_r". */
typedef struct plumecast_named {
    const char* name;      /**< in the data set format */
    plumecast_array array; /**< with the axes and the unit of that name */
} plumecast_named;

/** The CPU or a GPU, with memory of its own. */
typedef struct plumecast_device plumecast_device;
/** A trained model on a device. */
typedef struct plumecast_model plumecast_model;
/** Cases in arrays of the caller's or in a file. */
typedef struct plumecast_cases plumecast_cases;
/** A prediction that can be pulled back once. */
typedef struct plumecast_recording plumecast_recording;
/** A network by itself, whose weights the caller may change; since ABI 3. */
typedef struct plumecast_network plumecast_network;

/* Structs of options and answers begin with their size, which the caller sets to sizeof; what an older and smaller
 * struct lacks takes its default. A NULL in the place of options is all defaults. */

/** How CUDA devices take spectral transforms: what is faster for a shape, by cuFFT, or as products with truncated
 * matrices. The CPU takes products. */
enum { PLUMECAST_SPECTRAL_AUTO = 0, PLUMECAST_SPECTRAL_CUFFT = 1, PLUMECAST_SPECTRAL_DFT = 2 };

/** What a device may use. */
typedef struct plumecast_device_options {
    size_t size;           /**< sizeof the struct */
    int32_t threads;       /**< of the CPU; 0, the default, for all that the process may use */
    int32_t bfloat16;      /**< 1 to store fields in 16 bits; default 0 */
    uint64_t memory_limit; /**< bytes for tensors; 0, the default, for what machine, container and process may use */
    int32_t spectral;      /**< since ABI 3; PLUMECAST_SPECTRAL_AUTO, the default, _CUFFT or _DFT */
    int32_t reserved;      /**< 0 */
    /** Since ABI 3: of all memory of a CUDA device, from 0 to 1, in place of memory_limit. Where both are 0, the
     * default, nearly all that is free is taken. */
    double memory_share;
} plumecast_device_options;

/** Told how many of all passes of networks over cases are done. */
typedef void (*plumecast_progress)(int64_t done, int64_t all, void* user);
/** Asked between batches; another value than 0 ends the call with PLUMECAST_INTERRUPTED. */
typedef int32_t (*plumecast_stop)(void* user);
/** Severity 0 for what is good to know, 1 for a warning. The message is the library's, until the callback returns. */
typedef void (*plumecast_log)(int32_t severity, const char* message, void* user);

/** Told of each case in their order, once all results are there: 0 good, 1 doubtful, 2 bad. The reasons are the
 * library's, until the callback returns. */
typedef void (*plumecast_verdict)(int64_t which, int32_t trust, const char* reasons, void* user);

/** What becomes of cells and times beyond those of the training where a network predicts whole fields: an error, or
 * NaN.
 */
enum { PLUMECAST_EXTRAPOLATE_REFUSE = 0, PLUMECAST_EXTRAPOLATE_NAN = 1 };

/** Whether values stay within the limits of their field, or are what the networks say. */
enum { PLUMECAST_LIMITS_APPLY = 0, PLUMECAST_LIMITS_LEAVE_OUT = 1 };

/** Callbacks may be NULL, are called by the thread that predicts, and must not throw or jump out. */
typedef struct plumecast_options {
    size_t size;   /**< sizeof the struct */
    int64_t batch; /**< cases computed at once; 0, the default, for as many as seem to fit, up to 16, on a processor up
                      to a case a thread */
    plumecast_progress progress; /**< told of each batch */
    plumecast_stop stop;         /**< asked before each batch */
    plumecast_log log;           /**< told of warnings */
    void* user;                  /**< handed to the callbacks */
    /** Since ABI 2. Left out, saturations may lie outside [0, 1] and traces below a field's cutoff stay, so that each
     * value, and its gradient, feels the inputs. */
    int32_t limits;   /**< PLUMECAST_LIMITS_APPLY, the default, or PLUMECAST_LIMITS_LEAVE_OUT */
    int32_t reserved; /**< 0 */
    /** Since ABI 3, of predictions. A case that cannot be computed is NaN in all its fields and bad; with strict, calls
     * return PLUMECAST_INVALID_DATA when a case is bad, after the results are there, whole. */
    plumecast_verdict verdict; /**< told of each case of a data set; NULL for nobody */
    double buildup_limit;      /**< [bar] above which a case is doubtful; 0, the default, for none */
    int32_t extrapolate;       /**< PLUMECAST_EXTRAPOLATE_REFUSE, the default, or PLUMECAST_EXTRAPOLATE_NAN */
    int32_t strict;            /**< 1 for an error when a case is bad; default 0 */
    /** Since ABI 3, of predictions by models that are calibrated for it: a result file gets the ends of the band of
     * each field too, FIELD_low and FIELD_high; arrays get those that are named. */
    int32_t uncertainty; /**< 1 for bands in a result file; default 0 */
    int32_t unused;      /**< 0 */
} plumecast_options;

/** An input that a model takes, or a field that it predicts. Texts live as long as the model. */
typedef struct plumecast_quantity {
    size_t size;           /**< sizeof the struct */
    const char* name;      /**< in the data set format */
    const char* unit;      /**< as the format writes it: "mD"; "1" for shares */
    const char* axes;      /**< "N,T,Z,R" */
    const char* long_name; /**< in words */
    int32_t required;      /**< 1 for an input that a prediction cannot do without; 1 for fields */
    double low;            /**< admissible values, in the unit */
    double high;           /**< the upper end of them */
    double trained_low;    /**< of an input, the range of the training; NaN where it is not known */
    double trained_high;   /**< the upper end of it */
} plumecast_quantity;

/** How many cases there are, and on which grid. */
typedef struct plumecast_cases_extents {
    size_t size;       /**< sizeof the struct */
    int64_t cases;     /**< N */
    int64_t times;     /**< T */
    int64_t rows;      /**< Z; Y of a plane of generic data, 1 of a line */
    int64_t lines;     /**< Y; 0 of a radial grid, of a plane and of a line */
    int64_t columns;   /**< R, or X */
    int32_t cartesian; /**< 1 for a Cartesian grid, 0 for a radial one */
    int64_t wells;     /**< W of a schedule, since ABI 3; 0 without one */
    int64_t periods;   /**< P of a schedule, since ABI 3; 0 without one */
    int32_t axes;      /**< of space of generic data, 1 to 3, since ABI 3; 0 of reservoirs */
    int32_t timed;     /**< 1 where the cases have times, since ABI 3: generic data may have none, and T is 1 */
} plumecast_cases_extents;

/** What to measure, since ABI 2; docs/report.md has the definitions. 0 stands for the default or for what is unknown.
 */
typedef struct plumecast_measures {
    size_t size;              /**< sizeof the struct */
    const double* thresholds; /**< [threshold_count] of gas saturation; without any, 0.01 and 0.2 */
    size_t threshold_count;   /**< numbers in thresholds */
    double pressure_front;    /**< build-up at the edge of the pressure front [bar]; 1, and no area of review */
    double fracture_gradient; /**< fracture pressure per depth below the surface [bar/m] */
    double fracture_pressure; /**< or one pressure for all [bar] */
    double fracture_factor;   /**< allowed share of it; 0.9 */
    double top_depth;         /**< of the formation [m]; that of the cases, else from the initial pressure */
} plumecast_measures;

/** Where a training run stands: cases done of those of an epoch, counted from 1, and the loss of the last batch. */
typedef void (*plumecast_training_progress)(int32_t epoch, int32_t epochs, int64_t done, int64_t cases, double loss,
                                            void* user);
/** What an epoch came to, as JSON with the losses and errors that metrics.jsonl holds; until the callback returns. */
typedef void (*plumecast_training_epoch)(const char* json, void* user);

/** Since ABI 2. Callbacks may be NULL, and must not throw or jump out. */
typedef struct plumecast_training_options {
    size_t size;                       /**< sizeof the struct */
    const plumecast_cases* train;      /**< with outputs; NULL for the files that the recipe names */
    const plumecast_cases* validation; /**< the same */
    int32_t resume;                    /**< 1 to go on from the checkpoint of the run, where there is one; default 0 */
    int32_t reserved;                  /**< 0 */
    plumecast_training_progress progress; /**< told of each batch */
    plumecast_training_epoch epoch;       /**< told of each epoch */
    plumecast_stop stop;                  /**< asked after every batch */
    plumecast_log log;                    /**< told of warnings and of what is good to know */
    void* user;                           /**< handed to the callbacks */
} plumecast_training_options;

/** What an inversion computes, and how many of the cases are done. */
typedef void (*plumecast_inversion_progress)(const char* what, int64_t done, int64_t all, void* user);
/** A step of an inversion as JSON, an entry of `steps` of inversion.json; until the callback returns. */
typedef void (*plumecast_inversion_step)(const char* json, void* user);

/** Since ABI 3. Callbacks may be NULL, and must not throw or jump out. */
typedef struct plumecast_inversion_options {
    size_t size;      /**< sizeof the struct */
    int32_t threads;  /**< that compute reduced physics; 0 for all */
    int32_t resume;   /**< 1 to go on after the last step of a run that was stopped, where there is one; default 0 */
    int32_t replace;  /**< 1 to replace files that no inversion wrote, and the state of an interrupted run; default 0 */
    int32_t reserved; /**< 0 */
    plumecast_inversion_progress progress; /**< told of each case */
    plumecast_inversion_step step;         /**< told of each step */
    plumecast_stop stop;                   /**< asked after every case or batch */
    plumecast_log log;                     /**< told of warnings and of what is good to know */
    void* user;                            /**< handed to the callbacks */
} plumecast_inversion_options;

/* The library. */

/** PLUMECAST_ABI of the library that runs. */
PLUMECAST_API int32_t plumecast_abi(void);
/** "major.minor.patch" */
PLUMECAST_API const char* plumecast_version(void);
/** What this build is made of, as JSON. */
PLUMECAST_API const char* plumecast_build_info(void);
/** Message of the last call of this thread that failed; "" before any. Until the next failure in this thread. */
PLUMECAST_API const char* plumecast_last_error(void);

/* Devices, each with memory of its own. */

/** Opens "auto" (CUDA device 0 where it can be used, else the CPU), "cpu", "cuda" or "cuda:N". */
PLUMECAST_API plumecast_status plumecast_device_open(const char* name, const plumecast_device_options* options,
                                                     plumecast_device** device);
/** What it computes with; lives as long as the device. */
PLUMECAST_API plumecast_status plumecast_device_describe(const plumecast_device* device, const char** text);
/** Gives memory that nothing uses back to the system. */
PLUMECAST_API plumecast_status plumecast_device_trim(plumecast_device* device);
/** Lets go of a device; models and recordings on it keep what they need. */
PLUMECAST_API void plumecast_device_release(plumecast_device* device);

/* Models, which never change. */

/** Loads the folder of a model onto a device. */
PLUMECAST_API plumecast_status plumecast_model_load(const plumecast_device* device, const char* path,
                                                    plumecast_model** model);
/** Title, hash, inputs, fields and grid of the training as JSON; lives as long as the model. */
PLUMECAST_API plumecast_status plumecast_model_describe(const plumecast_model* model, const char** json);
/** How many inputs the model takes. */
PLUMECAST_API plumecast_status plumecast_model_input_count(const plumecast_model* model, size_t* count);
/** One of them, from 0 on, with its unit, axes and ranges. Of a model for generic data these are what its channels
 * read, by their paths; such a model does not say over which axes its inputs and fields vary: `axes` is empty. */
PLUMECAST_API plumecast_status plumecast_model_input(const plumecast_model* model, size_t index,
                                                     plumecast_quantity* input);
/** How many fields the model predicts. */
PLUMECAST_API plumecast_status plumecast_model_field_count(const plumecast_model* model, size_t* count);
/** One of them, from 0 on, with its unit and axes. */
PLUMECAST_API plumecast_status plumecast_model_field(const plumecast_model* model, size_t index,
                                                     plumecast_quantity* field);
/** Edges or times of the grid of the training, by the name of the data set format: "r_edges", "z_edges" [m], "times"
 * [day] ... Cases on that grid are predicted as they are, and only those have gradients. The numbers live as long as
 * the model; `count` is 0 where the kind of grid has no such axis, or the model does not say on which grid it learned.
 */
PLUMECAST_API plumecast_status plumecast_model_axis(const plumecast_model* model, const char* name,
                                                    const double** values, size_t* count);
/** SHA-256 of the weights in hexadecimal digits; lives as long as the model. */
PLUMECAST_API plumecast_status plumecast_model_hash(const plumecast_model* model, const char** hash);
/** Lets go of a model; recordings of it keep what they need. */
PLUMECAST_API void plumecast_model_release(plumecast_model* model);

/* Cases. */

/** Cases in memory, without arrays yet. */
PLUMECAST_API plumecast_status plumecast_cases_create(plumecast_cases** cases);
/** Cases of generic data in memory, since ABI 3: any inputs and fields of points along `axes`, "x", "y,x" or "z,y,x".
 * Arrays are set by their paths, inputs "/inputs/NAME", outputs "/outputs/NAME" and coordinates "/grid/x", in any unit
 * (an empty one is 1); "times" and "active" go by these names. An input [N] is a number, [N, space...] a map, [N, T] a
 * series (of planes and boxes) and [N, T, space...] a field that varies in time. */
PLUMECAST_API plumecast_status plumecast_cases_create_generic(const char* axes, plumecast_cases** cases);
/** Cases of a data set file. */
PLUMECAST_API plumecast_status plumecast_cases_open(const char* path, plumecast_cases** cases);
/** Sets an array by its name in the data set format, in the unit of the format; it is looked at where it is, so that it
 * must stay until the cases are released. Shape and strides are copied. A number without axes states one of
 * residual_gas_saturation [1], entry_pressure [bar], rock_compressibility [1/bar], initial_brine_temperature [degC],
 * temperature_gradient [degC/m] and rotation [degree], and is copied. */
PLUMECAST_API plumecast_status plumecast_cases_set(plumecast_cases* cases, const char* name, const char* unit,
                                                   const plumecast_array* array);
/** Looks for everything that violates the format; PLUMECAST_INVALID_DATA if there is any. `report`, which may be NULL,
 * becomes a JSON list of {path, problem, remedy, is_error}, which lives until the next check or the release. */
PLUMECAST_API plumecast_status plumecast_cases_check(plumecast_cases* cases, const char** report);
/** Numbers of cases, times and cells, as far as the arrays that are set tell them. */
PLUMECAST_API plumecast_status plumecast_cases_info(const plumecast_cases* cases, plumecast_cases_extents* extents);
/** Writes all of the cases, outputs too, as a data set file, which appears whole or not at all. */
PLUMECAST_API plumecast_status plumecast_cases_write(const plumecast_cases* cases, const char* path);
/** Lets go of cases; arrays of the caller's are not looked at any more. */
PLUMECAST_API void plumecast_cases_release(plumecast_cases* cases);

/* Prediction. */

/** Predicts fields of all cases into arrays [N, T, Z, R] or [N, T, Z, Y, X], float32 or float64, by their names; in
 * physical units, NaN in inactive cells. Of generic data they are [N, T, Y, X] on planes and [N, T, 1, X] on lines, T 1
 * where there are no times. Fields that are not named are not computed where that spares a network.
 * Nothing is promised of the arrays after an error. */
PLUMECAST_API plumecast_status plumecast_predict(const plumecast_model* model, const plumecast_cases* cases,
                                                 const plumecast_named* outputs, size_t count,
                                                 const plumecast_options* options);
/** Predicts all fields into a result file, which appears whole or not at all, with a verdict for each case. */
PLUMECAST_API plumecast_status plumecast_predict_file(const plumecast_model* model, const plumecast_cases* cases,
                                                      const char* path, const plumecast_options* options);

/* Gradients, since ABI 2. */

/** Runs the cases forward and keeps the tape, of all fields, or of those of `outputs`, which are written as by predict
 * (but for rounding). Arrays of the cases must stay as they are until the pull-back; the handles may be released.
 * Cases on another grid than that of the training have no gradients. */
PLUMECAST_API plumecast_status plumecast_record(const plumecast_model* model, const plumecast_cases* cases,
                                                const plumecast_named* outputs, size_t count,
                                                const plumecast_options* options, plumecast_recording** recording);
/** Values [N, T], `count` of them, of a series of a report on the recorded fields: "bottom_hole_pressure" [bar],
 * "mass_free" or "mass_trapped" [Mt] of cylinders where build-up and saturation are both recorded; NaN where it has no
 * value, as CO2 has no known density at a pressure outside 0 to 1000 bar, or no cell is perforated. Before the
 * pull-back. Since ABI 3. */
PLUMECAST_API plumecast_status plumecast_recorded_series(plumecast_recording* recording, const char* name,
                                                         double* values, size_t count);
/** The vector-Jacobian product: derivatives of the sum of weights times fields by inputs, in physical units. Weights
 * [N, T, Z, R] by the names of fields, and [N, T] by those of recorded series, of any real type; gradients [N, Z, R] or
 * [N] by the names of inputs, float32 or float64, 0 in inactive cells. Once per recording; after
 * PLUMECAST_INVALID_INPUT of names, shapes or a weight of a series that is not 0 where it has no value (NaN), which the
 * message names by case and day, it may be called again. */
PLUMECAST_API plumecast_status plumecast_pull_back(plumecast_recording* recording, const plumecast_named* weights,
                                                   size_t weight_count, const plumecast_named* gradients,
                                                   size_t gradient_count);
/** Of each of the `count` cases, after the pull-back: time steps of its reduced physics that failed at first and were
 * taken in another way. Where there are any, the fields jump with the inputs and the gradients hold for changes of the
 * inputs below a thousandth only. `count` must be that of the cases. Since ABI 3. */
PLUMECAST_API plumecast_status plumecast_retaken_steps(const plumecast_recording* recording, int64_t* steps,
                                                       size_t count);
/** Lets go of a recording, pulled back or not. */
PLUMECAST_API void plumecast_recording_release(plumecast_recording* recording);

/* Networks by themselves, since ABI 3: for losses, optimizers and frameworks of the caller's. Any number of threads may
 * run one at once while nobody changes its weights; those in training, which move running statistics, by one at a time.
 */

/** A network with initial weights that depend on the seed. `configuration` is JSON: the entries of a network in a
 * recipe (docs/training.md), `channels` and `fields` as in model.json (docs/model_format.md) or as their numbers. */
PLUMECAST_API plumecast_status plumecast_network_create(const plumecast_device* device, const char* configuration,
                                                        uint64_t seed, plumecast_network** network);
/** The network of a model that predicts a field, with weights of its own, at first those of the model. `field` may be
 * NULL where the model has one network. */
PLUMECAST_API plumecast_status plumecast_network_of_model(const plumecast_model* model, const char* field,
                                                          plumecast_network** network);
/** {"configuration", "named", "count", "parameters": [{"name", "shape", "trainable", "complex_valued"}], "title",
 * "device"} as JSON: `named` is whether channels and fields have a meaning, `count` how many numbers are trained, of
 * which a complex one is one. Lives as long as the network. */
PLUMECAST_API plumecast_status plumecast_network_describe(const plumecast_network* network, const char** json);
/** How many weights and buffers the network has. */
PLUMECAST_API plumecast_status plumecast_network_parameter_count(const plumecast_network* network, size_t* count);
/** One of them, from 0 on, where it is: numbers written there are the network's. Name and array live as long as the
 * network. PLUMECAST_INVALID_INPUT where it lies on a CUDA device. */
PLUMECAST_API plumecast_status plumecast_network_parameter(plumecast_network* network, size_t index,
                                                           plumecast_named* parameter);
/** Copies weights and buffers to arrays, float32 or float64, by their names. */
PLUMECAST_API plumecast_status plumecast_network_read(const plumecast_network* network,
                                                      const plumecast_named* parameters, size_t count);
/** Replaces weights and buffers by copies of arrays of any real type, by their names. */
PLUMECAST_API plumecast_status plumecast_network_assign(plumecast_network* network, const plumecast_named* parameters,
                                                        size_t count);
/** Predicts [B, space..., T, F], float32 or float64, from channels [B, space..., T, C] of any real type, both
 * normalised. With `training` 1 batch norms take the statistics of the batch, and running ones move; 0 for the running
 * ones. */
PLUMECAST_API plumecast_status plumecast_network_forward(plumecast_network* network, const plumecast_array* channels,
                                                         const plumecast_array* prediction, int32_t training);
/** The vector-Jacobian product: derivatives of the sum of cotangent times prediction, both [B, space..., T, F], by the
 * channels, unless `by_channels` is NULL, and by the trainable weights that are named, each in its shape, float32 or
 * float64. Runs forward once more; running statistics stay. */
PLUMECAST_API plumecast_status plumecast_network_vjp(plumecast_network* network, const plumecast_array* channels,
                                                     const plumecast_array* cotangent,
                                                     const plumecast_array* by_channels,
                                                     const plumecast_named* by_parameters, size_t count,
                                                     int32_t training);
/** What the network takes of cases, on their own grid, into those arrays that are given, float32 or float64: "channels"
 * [N, space..., T, C]; of a network that corrects physics "base" and "correction" [N, space..., T, F], where a
 * prediction is base + correction * network; "targets" [N, space..., T, F], the outputs of the cases; all of these
 * normalised; "active" [N, space...]; "scales" [N, F], or [N, T, F] where a field's factors vary in time, where a
 * physical value is value * scale + offset of the field. */
PLUMECAST_API plumecast_status plumecast_network_inputs(const plumecast_network* network, const plumecast_cases* cases,
                                                        const plumecast_named* arrays, size_t count,
                                                        const plumecast_options* options);
/** Replaces all weights and buffers by those of a safetensors file with the same names and shapes. */
PLUMECAST_API plumecast_status plumecast_network_load(plumecast_network* network, const char* path);
/** Writes the weights to a file FILE.safetensors, or to a path of another name a model of this one network. `title` may
 * be NULL for that of the model it comes from. */
PLUMECAST_API plumecast_status plumecast_network_save(const plumecast_network* network, const char* path,
                                                      const char* title);
/** Lets go of a network; its arrays are gone then. */
PLUMECAST_API void plumecast_network_release(plumecast_network* network);

/* Metrics and training, since ABI 2. */

/** Compares what a model predicts with the outputs of the cases: `json` becomes an object with the errors of each
 * field, which lives until the next evaluation of these cases or their release. */
PLUMECAST_API plumecast_status plumecast_evaluate(const plumecast_model* model, plumecast_cases* cases,
                                                  const plumecast_options* options, const char** json);
/** Measures the outputs of the cases: plume radius, area of review, bottom-hole pressure, CO2 in place and the other
 * series of `plumecast report`. `json` becomes {"times": [day], "cases": [{"case", "top_depth_m", "top_depth_source",
 * "series": [{"name", "unit", "description", "values", "resolution"}]}], "cases_without_values": [number]}, null where
 * a series has no value and no resolution where it is no size, until the next measuring or the release. Cases that
 * could not be computed (only NaN in active cells) are listed and not measured; PLUMECAST_INVALID_DATA where none has
 * values. */
PLUMECAST_API plumecast_status plumecast_measure(plumecast_cases* cases, const plumecast_measures* measures,
                                                 const char** json);
/** Trains a model on a device as a recipe says (JSON; docs/training.md; relative paths count from the working
 * directory). The run's folder gets `best`, a model to load, and `checkpoint`. Cases in memory are written to
 * OUTPUT.train.h5 and OUTPUT.validation.h5 first, so that the run can be resumed. Stopped, it leaves a checkpoint and
 * returns PLUMECAST_INTERRUPTED. */
PLUMECAST_API plumecast_status plumecast_train(const plumecast_device* device, const char* recipe,
                                               const plumecast_training_options* options);
/** Finds reservoirs that explain observations as a configuration says (JSON; docs/invert.md; relative paths count from
 * the working directory; `model` is the folder of a model, which the device runs, or "estimate"). The folder `output`
 * gets posterior.h5, observations.csv, convergence.csv and inversion.json, without pictures. Stopped, it leaves the
 * state after the last step beside the folder and returns PLUMECAST_INTERRUPTED. Since ABI 3. */
PLUMECAST_API plumecast_status plumecast_invert(const plumecast_device* device, const char* configuration,
                                                const plumecast_inversion_options* options);

#ifdef __cplusplus
}
#endif

#endif
