#include "backend/cuda/planning.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "backend/arena.hpp"
#include "backend/cuda/fft/choice.hpp"
#include "backend/cuda/fft/planned.hpp"
#include "backend/cuda/fft/transforms.hpp"
#include "backend/cuda/kernels/adam.hpp"
#include "backend/cuda/kernels/box.hpp"
#include "backend/cuda/kernels/conv/ops.hpp"
#include "backend/cuda/kernels/elementwise.hpp"
#include "backend/cuda/kernels/error.hpp"
#include "backend/cuda/kernels/gemm.hpp"
#include "backend/cuda/kernels/moments.hpp"
#include "backend/cuda/kernels/norm.hpp"
#include "backend/cuda/kernels/reduce.hpp"
#include "backend/cuda/kernels/replay.hpp"
#include "backend/cuda/kernels/transform.hpp"
#include "backend/cuda/workspace.hpp"

namespace plumecast::cuda {
namespace {

/// Starts nothing and copies nothing: memory is handed out, and kernels are named to an observer.
class PlanningExecutor {
   public:
    explicit PlanningExecutor(KernelObserver observer) : observer_(std::move(observer)) {}

    template <class Kernel>
    void run(std::int64_t count, const Kernel& kernel) {
        if (count <= 0 || !observer_) {
            return;
        }
        with_position_type(count, kernel, [&]<class Position>() {
            observer_({typeid(Kernel), count, std::is_same_v<Position, NarrowPosition>});
        });
    }
    void copy_in(const void*, void*, std::size_t) {}
    void copy_out(const void*, void*, std::size_t) {}  // leaves the host's numbers as they are

    Arena& memory() { return arena_; }
    std::size_t peak_bytes() const { return arena_.peak_bytes(); }
    void reset_peak_bytes() { arena_.reset_peak_bytes(); }
    std::size_t capacity_bytes() const { return capacity; }

   private:
    // No memory lies behind these addresses; the range is only large enough for any plan.
    static constexpr std::size_t capacity = std::size_t{1} << 46;
    KernelObserver observer_;
    Arena arena_{reinterpret_cast<void*>(std::uintptr_t{4096}), capacity};  // NOLINT(performance-no-int-to-ptr)
};

std::int64_t rounded_up(std::int64_t channels) { return (channels + 7) / 8 * 8; }
Shape rounded_up(const Shape& weight) { return weight.with(0, rounded_up(weight[0])).with(4, rounded_up(weight[4])); }

/// The backend of a CUDA device as far as it takes memory: each op as kernels of its own, and as a library does it.
class CudaPlanner final : public KernelBackend<PlanningExecutor> {
   public:
    CudaPlanner(Precision precision, KernelObserver observer, SpectralWay spectral)
        : KernelBackend(precision, std::move(observer)), precision_(precision), spectral_(spectral) {}

    std::string description() const override { return "plan: counts memory of a CUDA device, computes nothing"; }
    bool shares_host_memory() const override { return false; }
    std::int64_t rows_at_once(std::size_t row_bytes) const override { return rows_of_a_device(row_bytes); }

    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override {
        if (is_narrow({a, b, ConstView(c.view)})) {
            const Tensor copy_a = narrowed(a), copy_b = narrowed(b);
        }
        Kernels::gemm(transpose_a, transpose_b, a, b, c, bias, f);
    }
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override {
        if (is_narrow({x, ConstView(y.view)})) {
            const Tensor copy_matrix = narrowed(matrix), copy_x = narrowed(x);
        }
        Kernels::transform_axis(matrix, x, y, f);
    }

    SpectralWay spectral_way() const override { return spectral_; }
    bool transforms_by_fft(const FourierGeometry& geometry, const Shape& field, DType /*type*/) override {
        const bool wants =
            spectral_ == SpectralWay::cufft || (spectral_ == SpectralWay::automatic && fft_pays(geometry, precision_));
        return wants && fft_takes(fft_, geometry, field);
    }
    void forward_fft(const FourierGeometry& geometry, ConstView x, View spectrum) override {
        cuda::forward_fft(executor(), fft_, geometry, x, spectrum);
    }
    void inverse_fft(const FourierGeometry& geometry, ConstView spectrum, OutputRef y, Activation f) override {
        cuda::inverse_fft(executor(), fft_, geometry, spectrum, y, f);
    }

    PackedForms pack_factor(ConstView factor) override { return narrow_form(factor); }
    PackedForms pack_axis_matrix(ConstView matrix, bool narrow) override {
        return narrow ? narrow_form(matrix) : PackedForms();
    }
    PackedForms pack_conv_weight(const ConvGeometry& /*geometry*/, std::span<const ConstView> /*inputs*/,
                                 ConstView weight, View y, WeightReader /*reader*/) override {
        PackedForms forms;
        const bool narrow = y.type == DType::bfloat16;
        forms.add("library", Tensor(memory(), narrow ? rounded_up(weight.shape) : weight.shape, y.type));
        return forms;
    }

    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override {
        if (inputs.front().type == DType::bfloat16 && y.view.type == DType::bfloat16) {
            count_narrow(geometry, joined(inputs), y.view.shape, weight.shape);
        }
        Kernels::conv(geometry, inputs, weight, bias, y, f);
    }
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override {
        if (gradient_y.type == DType::bfloat16 && !gradient_inputs.empty()) {
            const Shape& first = gradient_inputs.front().view.shape;
            count_narrow(geometry, first.with(-1, weight.shape[geometry.transposed ? 0 : 4]), gradient_y.shape,
                         weight.shape);
        }
        Kernels::conv_data_gradient(geometry, gradient_y, weight, gradient_inputs);
    }
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override {
        if (gradient_y.type == DType::bfloat16) {
            count_narrow(geometry, joined(inputs), gradient_y.shape, gradient_weight.view.shape);
        }
        Kernels::conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }

   protected:
    void coarse_from_fine(const ConvPart& part, ConstView fine, ConstView weight, float* coarse, float beta) override {
        count_wide(part, part.fine.count() + part.packed().count(), part.coarse.count(), beta);
        Kernels::coarse_from_fine(part, fine, weight, coarse, beta);
    }
    void fine_from_coarse(const ConvPart& part, ConstView coarse, ConstView weight, float* fine, float beta) override {
        count_wide(part, part.coarse.count() + part.packed().count(), part.fine.count(), beta);
        Kernels::fine_from_coarse(part, coarse, weight, fine, beta);
    }
    void weight_from_both(const ConvPart& part, ConstView coarse, ConstView fine, float* weight, float beta) override {
        count_wide(part, part.coarse.count() + part.fine.count(), part.packed().count(), 0.0f);
        Kernels::weight_from_both(part, coarse, fine, weight, beta);
    }

   private:
    using Kernels = KernelBackend<PlanningExecutor>;

    static bool is_narrow(std::initializer_list<ConstView> arrays) {
        return std::ranges::any_of(arrays, [](const ConstView& x) { return x.type == DType::bfloat16; });
    }
    PackedForms narrow_form(ConstView x) {
        PackedForms forms;
        if (x.type != DType::bfloat16) {
            forms.add("bfloat16", narrowed(x));
        }
        return forms;
    }
    /// The copy in bfloat16 of what is not.
    Tensor narrowed(ConstView x) {
        return x.type == DType::bfloat16 ? Tensor() : Tensor(memory(), x.shape, DType::bfloat16);
    }
    static Shape joined(std::span<const ConstView> fields) {
        std::int64_t channels = 0;
        for (const ConstView& field : fields) {
            channels += field.shape[-1];
        }
        return fields.front().shape.with(-1, channels);
    }
    Tensor bytes(std::size_t count) { return {memory(), {static_cast<std::int64_t>((count + 7) / 8)}, DType::float64}; }

    /// Both fields and the weights side by side with channels rounded up, and cuDNN's workspace.
    void count_narrow(const ConvGeometry& geometry, const Shape& input, const Shape& output, const Shape& weight) {
        const Shape wide_input = input.with(-1, rounded_up(input[-1])),
                    wide_output = output.with(-1, rounded_up(output[-1]));
        const Shape wide_weight = rounded_up(weight);
        const ConvPart part(geometry, wide_input, wide_output, wide_weight, 0);
        const Tensor x(memory(), wide_input, DType::bfloat16), y(memory(), wide_output, DType::bfloat16);
        const Tensor w(memory(), wide_weight, DType::float32), workspace = bytes(conv_workspace_bound(part));
    }
    /// The weights of the part alone and cuDNN's workspace; in fp32 also the halves of what a product in three reads
    /// and the sum that it makes.
    void count_wide(const ConvPart& part, std::int64_t read, std::int64_t written, float beta) {
        const Tensor packed(memory(), part.packed(), DType::float32), workspace = bytes(conv_workspace_bound(part));
        if (precision_ == Precision::fp32) {
            const Tensor halves(memory(), {2, read}, DType::float32);
            const Tensor sum = beta == 0.0f ? Tensor() : Tensor(memory(), {written}, DType::float32);
        }
    }

    Precision precision_;
    SpectralWay spectral_;
    FftPlans fft_{std::make_unique<PlannedFft>()};
};

}  // namespace

std::unique_ptr<Backend> make_cuda_planner(Precision precision, KernelObserver observer, SpectralWay spectral) {
    return std::make_unique<CudaPlanner>(precision, std::move(observer), spectral);
}

}  // namespace plumecast::cuda

namespace plumecast {

std::unique_ptr<Backend> make_planning_backend(Precision precision, PlannedDevice device, int threads,
                                               SpectralWay spectral) {
    return device == PlannedDevice::cpu ? make_cpu_planner({.threads = threads, .precision = precision})
                                        : cuda::make_cuda_planner(precision, {}, spectral);
}

}  // namespace plumecast
