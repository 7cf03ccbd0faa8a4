#include "backend/cpu/conv/choice.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <plumecast/core/error.hpp>

namespace plumecast::cpu {

ConvChoice::ConvChoice(const char* forced, const ConvKernels& kernels, Winograd winograd) : tiles_(winograd) {
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

ConvChoice::Method ConvChoice::method(bool fits, bool pays) const {
    if (vendor_) {
        return Method::onednn;
    }
    return !direct_ && (winograd_ ? fits : pays) ? Method::winograd : Method::direct;
}

ConvChoice::Method ConvChoice::forward(const ConvGeometry& geometry, const Shape& result, const Shape& source,
                                       std::int64_t depth) const {
    return method(WinogradConv::fits(geometry, false, result, source),
                  WinogradConv::pays(geometry, false, result, source, depth));
}

ConvChoice::Method ConvChoice::data_gradient(const ConvGeometry& geometry, const Shape& result,
                                             const Shape& source) const {
    return method(WinogradConv::fits(geometry, true, result, source),
                  WinogradConv::pays(geometry, true, result, source, source[4]));
}

ConvChoice::Method ConvChoice::weight_gradient(const ConvGeometry& geometry, const Shape& gradient_y,
                                               const Shape& source, std::int64_t depth) const {
    return method(WinogradConv::fits_weight_gradient(geometry, gradient_y, source),
                  WinogradConv::pays_weight_gradient(geometry, gradient_y, source, depth));
}

}  // namespace plumecast::cpu
