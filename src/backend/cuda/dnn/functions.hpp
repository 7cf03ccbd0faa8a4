#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace plumecast::cuda {

/// Descriptors by the numbers that cuDNN gives them (cudnnBackendDescriptorType_t).
enum class DnnKind : int {
    convolution = 1,
    engine = 2,
    engine_configuration = 3,
    heuristic = 4,
    execution_plan = 5,
    convolution_forward = 10,
    convolution_weight_gradient = 11,
    convolution_data_gradient = 12,
    operation_graph = 15,
    variant_pack = 16,
    tensor = 17,
};

/// Their attributes (cudnnBackendAttributeName_t). The six of a convolution have the same order in all three
/// operations.
enum class DnnAttribute : int {
    convolution_type = 100,
    convolution_mode = 101,
    convolution_dilations = 102,
    convolution_strides = 103,
    convolution_post_paddings = 104,
    convolution_pre_paddings = 105,
    convolution_axes = 106,
    heuristic_mode = 200,
    heuristic_graph = 201,
    heuristic_results = 202,
    configured_engine = 300,
    plan_handle = 400,
    plan_configuration = 401,
    plan_workspace_bytes = 402,
    forward_alpha = 700,
    data_gradient_alpha = 706,
    weight_gradient_alpha = 712,
    graph_handle = 800,
    graph_operations = 801,
    tensor_alignment = 900,
    tensor_type = 901,
    tensor_extents = 902,
    tensor_strides = 903,
    tensor_id = 906,
    pack_ids = 1000,
    pack_pointers = 1001,
    pack_workspace = 1003,
    engine_notes = 1303,
};

/// What an attribute is an array of (cudnnBackendAttributeType_t).
enum class DnnType : int {
    handle = 0,
    data_type = 1,
    int64 = 3,
    float32 = 4,
    pointer = 6,
    convolution_mode = 7,
    heuristic_mode = 8,
    numerical_note = 11,
    descriptor = 15,
};

/// cudnnDataType_t, cudnnConvolutionMode_t, cudnnBackendHeurMode_t and cudnnBackendNumericalNote_t.
constexpr int dnn_float32 = 0, dnn_bfloat16 = 9, dnn_cross_correlation = 1;
enum class DnnHeuristic : int { b = 1, fallback = 2, a = 3 };
enum class DnnNote : int { tensor_core = 0, nondeterministic = 4, strict_nan = 9, count = 10 };

/// The functions of cuDNN's graph interface that are used (cudnnBackend...), with their arguments; a descriptor is a
/// pointer, and 0 is success. Real: on a device (vendor/dnn.hpp); in tests sums over the definition.
class DnnFunctions {
   public:
    virtual ~DnnFunctions() = default;

    virtual int create(DnnKind kind, void** descriptor) = 0;
    virtual int destroy(void* descriptor) = 0;
    virtual int set(void* descriptor, DnnAttribute name, DnnType type, std::int64_t count, const void* values) = 0;
    virtual int finalize(void* descriptor) = 0;
    virtual int get(void* descriptor, DnnAttribute name, DnnType type, std::int64_t wanted, std::int64_t* count,
                    void* values) = 0;
    virtual int execute(void* plan, void* variant_pack) = 0;

    virtual void* handle() = 0;
    virtual std::size_t version() = 0;
    virtual std::string error_text(int status) = 0;
};

}  // namespace plumecast::cuda
