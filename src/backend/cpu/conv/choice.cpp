#include "backend/cpu/conv/choice.hpp"

#include <string>

#include <plumecast/core/error.hpp>

#include "backend/cpu/conv/winograd.hpp"

namespace plumecast::cpu {

ConvChoice::ConvChoice(const char* forced, const ConvKernels& kernels) {
    const std::string word = forced == nullptr ? "" : forced;
    if (!word.empty() && word != "direct" && word != "winograd" && word != "onednn") {
        throw InvalidInput("PLUMECAST_CONV is '" + word +
                           "' (no such implementation of the convolutions); use direct, winograd or onednn, or leave "
                           "it unset");
    }
    // Without AVX2 the portable kernels lack fused multiply-add, and oneDNN has nothing to lose against them.
    vendor_ = word.empty() ? kernels.lanes <= 4 : word == "onednn";
    direct_ = word == "direct";
    winograd_ = word == "winograd";
}

ConvChoice::Method ConvChoice::method(const ConvGeometry& geometry, const Shape& result, std::int64_t depth) const {
    if (vendor_) {
        return Method::onednn;
    }
    const bool takes = winograd_ ? WinogradConv::fits(geometry) : WinogradConv::pays(geometry, result, depth);
    return takes && !direct_ ? Method::winograd : Method::direct;
}

ConvChoice::Method ConvChoice::weight_gradient() const { return vendor_ ? Method::onednn : Method::direct; }

}  // namespace plumecast::cpu
