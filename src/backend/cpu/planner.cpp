#include <memory>
#include <span>

#include "backend/cpu/bfloat16/widened_conv.hpp"
#include "backend/cpu/conv/own_conv.hpp"
#include "backend/cpu/panel_product.hpp"
#include "backend/cpu/processor/settings.hpp"
#include "backend/planning_backend.hpp"

namespace plumecast::cpu {
namespace {

/// The CPU backend as far as it takes memory: what ops hold for a while is taken by the lines that take it there. What
/// oneDNN takes for itself is counted by neither.
class CpuPlanner final : public PlanningBackend {
   public:
    explicit CpuPlanner(const CpuOptions& options) : PlanningBackend(options.precision), settings_(options) {}

    int host_threads() const override { return settings_.threads; }

    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override {
        if (c.view.shape.count() == 0) {
            return;
        }
        const PanelProduct panels(*settings_.simd, settings_.threads, scratch());
        const PanelProduct::Way way = panels.way(transpose_a, transpose_b, a, b, c.view, bias, f);
        if (way == PanelProduct::Way::by_depth) {
            panels.by_depth(a, b, c);
        } else if (way == PanelProduct::Way::by_rows) {
            const Tensor flipped = transpose_a ? transposed(a) : Tensor();
            panels.by_rows(transpose_b, transpose_a ? flipped.view() : a, b, c, bias, 1.0F, {});
        }
    }
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override {
        if (y.view.type == DType::bfloat16) {
            return WidenedConv(*this).forward(geometry, inputs, weight, bias, y, f);
        }
        own_conv().forward(geometry, inputs, weight, bias, y, 1.0F);
    }
    void conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) override {
        if (gradient_y.type == DType::bfloat16) {
            return WidenedConv(*this).data_gradient(geometry, gradient_y, weight, gradient_inputs);
        }
        if (own_conv().data_gradient(geometry, gradient_y, weight, gradient_inputs)) {
            return;
        }
        for (const OutputRef& target : gradient_inputs) {
            const Tensor apart = target.beta != 0.0 ? Tensor(memory(), target.view.shape, target.view.type) : Tensor();
        }
    }
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override {
        if (gradient_y.type == DType::bfloat16) {
            return WidenedConv(*this).weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        }
        own_conv().weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }

   private:
    ScratchMemory scratch() { return {&memory(), true}; }
    OwnConv own_conv() { return {*settings_.simd->conv, settings_.conv_choice, settings_.threads, scratch()}; }
    Tensor transposed(ConstView a) {
        const Tensor wide(memory(), a.shape, DType::float32);
        return {memory(), {a.shape[1], a.shape[0]}, DType::float32};
    }

    Settings settings_;
};

}  // namespace
}  // namespace plumecast::cpu

namespace plumecast {

std::unique_ptr<Backend> make_cpu_planner(const CpuOptions& options) {
    return std::make_unique<cpu::CpuPlanner>(options);
}

}  // namespace plumecast
