#include "backend/cpu/conv/choice.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast::cpu {

ConvChoice::ConvChoice(const char* forced, const ConvKernels& kernels, Winograd winograd)
    : kernels_(&kernels), tiles_(winograd) {
    const std::string word = forced == nullptr ? "" : forced;
    constexpr std::array words{"", "direct", "winograd", "onednn"};
    if (std::ranges::find(words, word) == words.end()) {
        throw InvalidInput(
            "PLUMECAST_CONV is '" + word +
            "' (no such implementation of the convolutions); use direct, winograd or onednn, or leave it unset");
    }
    // Without AVX2 the portable kernels lack fused multiply-add, and oneDNN has nothing to lose against them.
    vendor_ = word.empty() ? kernels.lanes <= 4 : word == "onednn";
    direct_ = word == "direct";
    winograd_ = word == "winograd";
}

ConvChoice::Decision ConvChoice::decide(std::optional<TilePlan> plan, double tiles, double direct) const {
    return plan && (winograd_ || tiles < direct) ? Decision{Method::winograd, std::move(plan)}
                                                 : Decision{Method::direct, {}};
}

ConvChoice::Decision ConvChoice::results(const ConvGeometry& geometry, bool backward, const Shape& result,
                                         const Shape& source, std::int64_t depth, std::int64_t channels) const {
    if (vendor_ || direct_) {
        return {vendor_ ? Method::onednn : Method::direct, {}};
    }
    std::optional<TilePlan> plan = TilePlan::make(geometry, backward, result, source, tiles_);
    const double cost = plan ? plan->cost(*kernels_, result[0], depth, channels) : 0.0;
    const double direct = plan ? plan->direct_cost(*kernels_, result[0], depth, channels) : 0.0;
    return decide(std::move(plan), cost, direct);
}

ConvChoice::Decision ConvChoice::forward(const ConvGeometry& geometry, const Shape& result, const Shape& source,
                                         std::int64_t depth, std::int64_t channels) const {
    return results(geometry, false, result, source, depth, channels);
}

ConvChoice::Decision ConvChoice::data_gradient(const ConvGeometry& geometry, const Shape& result, const Shape& source,
                                               std::int64_t depth, std::int64_t channels) const {
    return results(geometry, true, result, source, depth, channels);
}

ConvChoice::Decision ConvChoice::weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y,
                                                 const Shape& input, std::int64_t inputs, std::int64_t outputs) const {
    if (vendor_ || direct_) {
        return {vendor_ ? Method::onednn : Method::direct, {}};
    }
    const bool up = geometry.transposed;
    std::optional<TilePlan> plan =
        TilePlan::make_gradient(geometry, up ? gradient_y : input, up ? input : gradient_y, tiles_);
    const std::int64_t wide = up ? outputs : inputs, narrow = up ? inputs : outputs;
    const double cost = plan ? plan->gradient_cost(*kernels_, input[0], wide, narrow) : 0.0;
    const double direct = plan ? plan->direct_cost(*kernels_, input[0], wide, narrow) : 0.0;
    return decide(std::move(plan), cost, direct);
}

}  // namespace plumecast::cpu
