#include "backend/cuda/kernels/conv/tile/ops.hpp"

#include <array>
#include <string>
#include <vector>

#include "backend/cuda/backend.hpp"
#include "backend/cuda/tile_executor.hpp"

/// Convolutions by tiles of our own or by cuDNN, whichever is faster for a shape.
namespace plumecast::cuda {

/// `kind` names the work for the cache.
void CudaBackend::convolve_fastest(const std::function<std::string()>& kind, std::span<const OutputRef> targets,
                                   const ConvWay& library, const ConvWay& tiles) {
    if (route_ == ConvRoute::automatic) {
        const auto seconds = [&](const std::function<void()>& work) { return executor().seconds_of(work); };
        dispatch_.run(kind(), targets, library, tiles, {memory(), seconds, !executor().is_recording()});
    } else if (route_ != ConvRoute::tiles || !tiles(targets)) {
        library(targets);
    }
}

std::string CudaBackend::numbers_of(DType fields) const {
    return fields == DType::bfloat16 ? "bf16" : precision_ == Precision::tf32 ? "tf32" : "fp32";
}

void CudaBackend::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                       ConstView bias, OutputRef y, Activation f) {
    const auto tiles = [&](std::span<const OutputRef> to) {
        TileExecutor blocks(executor());
        return tile::conv(blocks, precision_, geometry, inputs, weight, bias, to.front(), f);
    };
    const auto library = [&](std::span<const OutputRef> to) {
        conv_by_library(geometry, inputs, weight, bias, to.front(), f);
        return true;
    };
    const auto kind = [&] {
        return conv_kind("forward", numbers_of(y.view.type), geometry, shapes_of(inputs), y.view.shape);
    };
    convolve_fastest(kind, std::array{y}, library, tiles);
}

PackedForms CudaBackend::pack_conv_weight(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                          ConstView weight, View y, WeightReader reader) {
    PackedForms forms;
    const bool is_empty = y.shape.count() == 0;
    if (!is_empty && (route_ == ConvRoute::automatic || route_ == ConvRoute::tiles)) {
        TileExecutor blocks(executor());
        tile::pack_conv_weight(blocks, precision_, geometry, inputs, weight, y, reader, forms);
    }
    if (!is_empty && library_convolves(inputs) && library_convolves(std::array{ConstView(y)})) {
        pack_narrow(weight, forms);
    } else if (!is_empty && route_ != ConvRoute::kernels && y.type == DType::float32) {
        pack_parts(geometry, inputs, weight, y, forms);
    }
    return forms;
}

void CudaBackend::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                     std::span<const OutputRef> gradient_inputs) {
    const auto tiles = [&](std::span<const OutputRef> to) {
        TileExecutor blocks(executor());
        return tile::conv_data_gradient(blocks, precision_, geometry, gradient_y, weight, to);
    };
    const auto library = [&](std::span<const OutputRef> to) {
        data_gradient_by_library(geometry, gradient_y, weight, to);
        return true;
    };
    const auto kind = [&] {
        std::vector<Shape> inputs;
        for (const OutputRef& target : gradient_inputs) {
            inputs.push_back(target.view.shape);
        }
        return conv_kind("data gradient", numbers_of(gradient_y.type), geometry, inputs, gradient_y.shape);
    };
    convolve_fastest(kind, gradient_inputs, library, tiles);
}

void CudaBackend::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                       ConstView gradient_y, OutputRef gradient_weight) {
    const auto tiles = [&](std::span<const OutputRef> to) {
        TileExecutor blocks(executor());
        return tile::conv_weight_gradient(blocks, precision_, geometry, inputs, gradient_y, to.front());
    };
    const auto library = [&](std::span<const OutputRef> to) {
        weight_gradient_by_library(geometry, inputs, gradient_y, to.front());
        return true;
    };
    const auto kind = [&] {
        return conv_kind("weight gradient", numbers_of(gradient_y.type), geometry, shapes_of(inputs), gradient_y.shape);
    };
    convolve_fastest(kind, std::array{gradient_weight}, library, tiles);
}

}  // namespace plumecast::cuda
