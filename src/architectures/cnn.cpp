#include "architectures/cnn.hpp"

#include <array>
#include <utility>

namespace plumecast {
namespace {

constexpr std::array<std::int64_t, 6> stages{1, 2, 4, 4, 8, 8};
const Activation relu = Activation::relu();

}  // namespace

Cnn::Cnn(Backend& backend, const NetworkConfig& config, std::uint64_t seed, const ProcessGrid* grid)
    : Network(backend, config, seed, grid) {
    const Scope scope(parameters());
    const ConvAxes axes = conv_axes(config);
    const auto name = [&](const char* part, std::size_t k) { return scope.child(part + ("." + std::to_string(k))); };
    std::int64_t width = config.width;
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::int64_t next = stages[k] * config.width;
        encoder_.emplace_back(name("encoder", k), kernel3(k % 2 == 0 ? 2 : 1, axes), width, next, true, relu);
        width = next;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(config.residual_blocks); ++k) {
        residuals_.push_back(
            {NormalisedConv(name("residual", k).child("first"), kernel3(1, axes), width, width, true, relu),
             NormalisedConv(name("residual", k).child("second"), kernel3(1, axes), width, width, true,
                            Activation::identity())});
    }
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::int64_t next = stages[stages.size() - 1 - k] * config.width;
        decoder_.emplace_back(name("decoder", k), k % 2 == 0 ? kernel3(1, axes) : doubling3(axes), width, next, true,
                              relu);
        width = next;
    }
    output_.emplace(scope.child("output"), kernel3(1, axes), width, config.fields, true);
}

Variable Cnn::body(Variable field, const Shape& extents, const Levels& levels, ExecutionMode mode) const {
    int level = 0;
    for (const NormalisedConv& stage : encoder_) {
        const int next = level + (stage.stride() == 2 ? 1 : 0);
        field = stage(field, mode, {&levels, level, next});
        level = next;
    }
    const LevelChange coarsest{&levels, level, level};
    for (const Residual& block : residuals_) {
        field = add(block.second(block.first(field, mode, coarsest), mode, coarsest), field);
    }
    for (const NormalisedConv& stage : decoder_) {
        const int next = level - (stage.stride() == 2 ? 1 : 0);
        field = stage(field, mode, {&levels, level, next});
        level = next;
    }
    return widened(crop((*output_)({field}, {}, {&levels, 0, 0}), extents));
}

}  // namespace plumecast
