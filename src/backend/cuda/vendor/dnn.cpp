#include "backend/cuda/vendor/dnn.hpp"

#include <utility>

#include <plumecast/core/error.hpp>

#include "backend/cuda/vendor/refusal.hpp"

namespace plumecast::cuda {
namespace {

/// Whether a number of ours, the n-th from it, is cuDNN's.
template <class Ours, class Theirs>
constexpr bool same(Ours ours, Theirs theirs, int n = 0) {
    return static_cast<int>(ours) + n == static_cast<int>(theirs);
}

static_assert(same(0, CUDNN_STATUS_SUCCESS));
static_assert(same(dnn_float32, CUDNN_DATA_FLOAT));
static_assert(same(dnn_bfloat16, CUDNN_DATA_BFLOAT16));
static_assert(same(dnn_cross_correlation, CUDNN_CROSS_CORRELATION));
static_assert(same(DnnKind::convolution, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR));
static_assert(same(DnnKind::engine, CUDNN_BACKEND_ENGINE_DESCRIPTOR));
static_assert(same(DnnKind::engine_configuration, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
static_assert(same(DnnKind::heuristic, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR));
static_assert(same(DnnKind::execution_plan, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR));
static_assert(same(DnnKind::convolution_forward, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR));
static_assert(same(DnnKind::convolution_weight_gradient,
                   CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR));
static_assert(same(DnnKind::convolution_data_gradient, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR));
static_assert(same(DnnKind::operation_graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR));
static_assert(same(DnnKind::variant_pack, CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR));
static_assert(same(DnnKind::tensor, CUDNN_BACKEND_TENSOR_DESCRIPTOR));
static_assert(same(DnnAttribute::convolution_type, CUDNN_ATTR_CONVOLUTION_COMP_TYPE));
static_assert(same(DnnAttribute::convolution_mode, CUDNN_ATTR_CONVOLUTION_CONV_MODE));
static_assert(same(DnnAttribute::convolution_dilations, CUDNN_ATTR_CONVOLUTION_DILATIONS));
static_assert(same(DnnAttribute::convolution_strides, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES));
static_assert(same(DnnAttribute::convolution_post_paddings, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS));
static_assert(same(DnnAttribute::convolution_pre_paddings, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS));
static_assert(same(DnnAttribute::convolution_axes, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
static_assert(same(DnnAttribute::heuristic_mode, CUDNN_ATTR_ENGINEHEUR_MODE));
static_assert(same(DnnAttribute::heuristic_graph, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH));
static_assert(same(DnnAttribute::heuristic_results, CUDNN_ATTR_ENGINEHEUR_RESULTS));
static_assert(same(DnnAttribute::configured_engine, CUDNN_ATTR_ENGINECFG_ENGINE));
static_assert(same(DnnAttribute::plan_configuration, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG));
static_assert(same(DnnAttribute::plan_workspace_bytes, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
static_assert(same(DnnAttribute::graph_operations, CUDNN_ATTR_OPERATIONGRAPH_OPS));
static_assert(same(DnnAttribute::tensor_alignment, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT));
static_assert(same(DnnAttribute::tensor_type, CUDNN_ATTR_TENSOR_DATA_TYPE));
static_assert(same(DnnAttribute::tensor_extents, CUDNN_ATTR_TENSOR_DIMENSIONS));
static_assert(same(DnnAttribute::tensor_strides, CUDNN_ATTR_TENSOR_STRIDES));
static_assert(same(DnnAttribute::tensor_id, CUDNN_ATTR_TENSOR_UNIQUE_ID));
static_assert(same(DnnAttribute::pack_ids, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS));
static_assert(same(DnnAttribute::pack_pointers, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS));
static_assert(same(DnnAttribute::pack_workspace, CUDNN_ATTR_VARIANT_PACK_WORKSPACE));
static_assert(same(DnnAttribute::engine_notes, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE));
static_assert(same(DnnType::handle, CUDNN_TYPE_HANDLE));
static_assert(same(DnnType::data_type, CUDNN_TYPE_DATA_TYPE));
static_assert(same(DnnType::int64, CUDNN_TYPE_INT64));
static_assert(same(DnnType::float32, CUDNN_TYPE_FLOAT));
static_assert(same(DnnType::pointer, CUDNN_TYPE_VOID_PTR));
static_assert(same(DnnType::convolution_mode, CUDNN_TYPE_CONVOLUTION_MODE));
static_assert(same(DnnType::heuristic_mode, CUDNN_TYPE_HEUR_MODE));
static_assert(same(DnnType::numerical_note, CUDNN_TYPE_NUMERICAL_NOTE));
static_assert(same(DnnType::descriptor, CUDNN_TYPE_BACKEND_DESCRIPTOR));
static_assert(same(DnnHeuristic::a, CUDNN_HEUR_MODE_A));
static_assert(same(DnnHeuristic::b, CUDNN_HEUR_MODE_B));
static_assert(same(DnnHeuristic::fallback, CUDNN_HEUR_MODE_FALLBACK));
static_assert(same(DnnNote::tensor_core, CUDNN_NUMERICAL_NOTE_TENSOR_CORE));
static_assert(same(DnnNote::nondeterministic, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC));
static_assert(same(DnnNote::strict_nan, CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 0));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 1));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, 2));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, 3));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 4));
static_assert(same(DnnAttribute::forward_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 5));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, 0));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, 1));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, 2));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, 3));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, 4));
static_assert(same(DnnAttribute::data_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, 5));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, 0));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, 1));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, 2));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, 3));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, 4));
static_assert(same(DnnAttribute::weight_gradient_alpha, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, 5));

}  // namespace

Dnn::Functions::Functions(const Library& library) {
    library.bind(create_handle, "cudnnCreate");
    library.bind(destroy_handle, "cudnnDestroy");
    library.bind(set_stream, "cudnnSetStream");
    library.bind(get_version, "cudnnGetVersion");
    library.bind(error_string, "cudnnGetErrorString");
    library.bind(create, "cudnnBackendCreateDescriptor");
    library.bind(destroy, "cudnnBackendDestroyDescriptor");
    library.bind(set, "cudnnBackendSetAttribute");
    library.bind(finalize, "cudnnBackendFinalize");
    library.bind(get, "cudnnBackendGetAttribute");
    library.bind(execute, "cudnnBackendExecute");
}

Dnn::Dnn(std::function<cudaStream_t()> stream) : stream_(std::move(stream)) {
    const cudnnStatus_t status = functions_.create_handle(&handle_);
    if (status != CUDNN_STATUS_SUCCESS) {
        throw DeviceError("starting cuDNN failed (" + error_text(status) + "); look at the device with nvidia-smi");
    }
}

/// A refusal may leave an error that the check after the next launch would report.
int Dnn::told(cudnnStatus_t status) {
    if (is_refusal(static_cast<int>(status))) {
        cudaGetLastError();
    }
    return static_cast<int>(status);
}

int Dnn::create(DnnKind kind, void** descriptor) {
    return told(functions_.create(static_cast<cudnnBackendDescriptorType_t>(kind), descriptor));
}

int Dnn::set(void* descriptor, DnnAttribute name, DnnType type, std::int64_t count, const void* values) {
    return told(functions_.set(descriptor, static_cast<cudnnBackendAttributeName_t>(name),
                               static_cast<cudnnBackendAttributeType_t>(type), count, values));
}

int Dnn::get(void* descriptor, DnnAttribute name, DnnType type, std::int64_t wanted, std::int64_t* count,
             void* values) {
    return told(functions_.get(descriptor, static_cast<cudnnBackendAttributeName_t>(name),
                               static_cast<cudnnBackendAttributeType_t>(type), wanted, count, values));
}

int Dnn::execute(void* plan, void* variant_pack) {
    const cudnnStatus_t status = functions_.set_stream(handle_, stream_());
    return told(status == CUDNN_STATUS_SUCCESS ? functions_.execute(handle_, plan, variant_pack) : status);
}

}  // namespace plumecast::cuda
