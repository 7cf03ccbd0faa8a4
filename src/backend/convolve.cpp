#include "backend/convolve.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumecast {
namespace {

/// A tap of the outer axis and the plane of the source that it multiplies.
struct PlaneTap {
    std::int64_t tap;
    std::int64_t source;
};

/// Neighbouring planes of a result that take the same taps of neighbouring planes of the source.
struct PlaneRun {
    std::int64_t first;
    std::int64_t planes;
    std::vector<PlaneTap> taps;  ///< of the first plane
};

/// Taps of one plane of the result. Gathering, plane p takes tap k of source p stride + k - padding; scattering, of
/// (p + padding - k) / stride where that is whole.
std::vector<PlaneTap> taps_of(const ConvGeometry::OuterAxis& axis, bool scatters, std::int64_t plane,
                              std::int64_t sources) {
    std::vector<PlaneTap> taps;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
        const std::int64_t distance = plane + axis.padding_low - k;
        const std::int64_t source = scatters ? distance / axis.stride : plane * axis.stride + k - axis.padding_low;
        const bool is_whole = !scatters || (distance >= 0 && distance % axis.stride == 0);
        if (is_whole && source >= 0 && source < sources) {
            taps.push_back({k, source});
        }
    }
    return taps;
}

bool continues(const PlaneRun& run, const std::vector<PlaneTap>& taps) {
    bool same = !taps.empty() && run.taps.size() == taps.size();
    for (std::size_t i = 0; same && i < taps.size(); ++i) {
        same = run.taps[i].tap == taps[i].tap && run.taps[i].source + run.planes == taps[i].source;
    }
    return same;
}

std::vector<PlaneRun> plane_runs(const ConvGeometry& geometry, bool scatters, std::int64_t results,
                                 std::int64_t sources) {
    std::vector<PlaneRun> runs;
    for (std::int64_t plane = 0; plane < results; ++plane) {
        std::vector<PlaneTap> taps = taps_of(geometry.outer, scatters, plane, sources);
        if (!runs.empty() && continues(runs.back(), taps)) {
            ++runs.back().planes;
        } else {
            runs.push_back({plane, 1, std::move(taps)});
        }
    }
    return runs;
}

/// Planes of one case of a field [B, s0, s1, s2, s3, C] as [planes, s1, s2, s3, C].
template <class AnyView>
AnyView planes_of(const AnyView& field, std::int64_t which, std::int64_t first, std::int64_t planes) {
    const Shape& s = field.shape;
    const std::int64_t begin = which * s[1] + first;
    return field.reshaped({s[0] * s[1], s[2], s[3], s[4], s[5]}).rows(begin, begin + planes);
}

ConvGeometry without_outer(ConvGeometry geometry) {
    geometry.outer = {};
    return geometry;
}

/// A weight [a, k0, k1, k2, k3, b] as [a, k0, rest], of which copy_box() takes one tap.
Shape by_tap(const Shape& weight) { return {weight[0], weight[1], weight.count(2, 6)}; }

Shape of_tap(const Shape& weight) { return {weight[0], weight[2], weight[3], weight[4], weight[5]}; }

/// Under which a tap of a weight is kept.
std::string form_name(std::int64_t tap) { return "tap " + std::to_string(tap); }
constexpr std::string_view zero_form = "no tap";

/// The weights of a tap, [a, k1, k2, k3, b].
Tensor copied_tap(Backend& backend, ConstView weight, std::int64_t tap) {
    const Shape whole = by_tap(weight.shape), part{whole[0], 1, whole[2]};
    Tensor copy(backend.memory(), of_tap(weight.shape), backend.compute_type());
    backend.copy_box(weight.reshaped(whole), {0, tap, 0}, {copy.view().reshaped(part)}, {0, 0, 0}, part);
    return copy;
}

/// Weights of nothing, for planes that no tap reaches.
Tensor zero_tap(Backend& backend, ConstView weight) {
    Tensor zero(backend.memory(), of_tap(weight.shape), backend.compute_type());
    backend.fill(zero, 0.0);
    return zero;
}

/// The weights of each tap: what is kept of them, or copies.
class TapWeights {
   public:
    TapWeights(Backend& backend, ConstView weight)
        : backend_(backend), weight_(weight), copies_(static_cast<std::size_t>(weight.shape[1])) {
        for (std::size_t k = 0; k < copies_.size(); ++k) {
            const auto tap = static_cast<std::int64_t>(k);
            taps_.push_back(
                form_of(weight, form_name(tap), copies_[k], [&] { return copied_tap(backend, weight, tap); }));
        }
    }
    ConstView operator[](std::int64_t k) const { return taps_[static_cast<std::size_t>(k)]; }
    ConstView zero() {
        if (zero_.data == nullptr) {
            zero_ = form_of(weight_, zero_form, copied_zero_, [&] { return zero_tap(backend_, weight_); });
        }
        return zero_;
    }

   private:
    Backend& backend_;
    ConstView weight_;
    std::vector<Tensor> copies_;
    std::vector<ConstView> taps_;
    Tensor copied_zero_;
    ConstView zero_;
};

/// Keeps each tap, and of it what pack(tap) makes.
template <class Pack>
PackedForms packed_taps(Backend& backend, const std::vector<PlaneRun>& runs, ConstView weight, const Pack& pack) {
    PackedForms forms;
    const auto keep = [&](std::string name, Tensor tap) {
        PackedForms of_tap = pack(std::as_const(tap).view());
        forms.add(std::move(name), std::move(tap), std::move(of_tap));
    };
    for (std::int64_t k = 0; k < weight.shape[1]; ++k) {
        keep(form_name(k), copied_tap(backend, weight, k));
    }
    if (std::ranges::any_of(runs, [](const PlaneRun& run) { return run.taps.empty(); })) {
        keep(std::string(zero_form), zero_tap(backend, weight));
    }
    return forms;
}

/// Calls visit(weight of the tap, first source plane, is first, is last) for each tap of a run, once at least.
template <class Visit>
void each_tap(const PlaneRun& run, TapWeights& weights, const Visit& visit) {
    if (run.taps.empty()) {  // then the run is one plane
        visit(weights.zero(), std::int64_t{0}, true, true);
    }
    for (std::size_t i = 0; i < run.taps.size(); ++i) {
        visit(weights[run.taps[i].tap], run.taps[i].source, i == 0, i + 1 == run.taps.size());
    }
}

}  // namespace

void convolve(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
              ConstView bias, OutputRef y, Activation f) {
    if (!geometry.has_outer()) {
        backend.conv(geometry, inputs, weight, bias, y, f);
        return;
    }
    const ConvGeometry inner = without_outer(geometry);
    TapWeights weights(backend, weight);
    std::vector<ConstView> sources(inputs.size());
    const auto runs = plane_runs(geometry, geometry.transposed, y.view.shape[1], inputs.front().shape[1]);
    for (std::int64_t b = 0; b < y.view.shape[0]; ++b) {
        for (const PlaneRun& run : runs) {
            const View result = planes_of(y.view, b, run.first, run.planes);
            each_tap(run, weights, [&](ConstView tap, std::int64_t source, bool is_first, bool is_last) {
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    sources[i] = planes_of(inputs[i], b, source, run.planes);
                }
                backend.conv(inner, sources, tap, is_first ? bias : ConstView(), {result, is_first ? y.beta : 1.0},
                             is_last ? f : Activation::identity());
            });
        }
    }
}

PackedForms pack_weight(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                        ConstView weight, View y, WeightReader reader) {
    if (!geometry.has_outer()) {
        return backend.pack_conv_weight(geometry, inputs, weight, y, reader);
    }
    if (y.shape.count() == 0) {
        return {};
    }
    std::vector<ConstView> first_inputs;
    for (const ConstView& input : inputs) {
        first_inputs.push_back(planes_of(input, 0, 0, 1));
    }
    const std::int64_t before = inputs.front().shape[1], after = y.shape[1];
    const auto runs = reader == WeightReader::conv ? plane_runs(geometry, geometry.transposed, after, before)
                                                   : plane_runs(geometry, !geometry.transposed, before, after);
    return packed_taps(backend, runs, weight, [&](ConstView tap) {
        return backend.pack_conv_weight(without_outer(geometry), first_inputs, tap, planes_of(y, 0, 0, 1), reader);
    });
}

void convolve_data_gradient(Backend& backend, const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                            std::span<const OutputRef> gradient_inputs) {
    if (!geometry.has_outer()) {
        backend.conv_data_gradient(geometry, gradient_y, weight, gradient_inputs);
        return;
    }
    const ConvGeometry inner = without_outer(geometry);
    TapWeights weights(backend, weight);
    std::vector<OutputRef> targets(gradient_inputs.size());
    const Shape& shape = gradient_inputs.front().view.shape;
    const auto runs = plane_runs(geometry, !geometry.transposed, shape[1], gradient_y.shape[1]);
    for (std::int64_t b = 0; b < shape[0]; ++b) {
        for (const PlaneRun& run : runs) {
            each_tap(run, weights, [&](ConstView tap, std::int64_t source, bool is_first, bool) {
                for (std::size_t i = 0; i < targets.size(); ++i) {
                    targets[i] = {planes_of(gradient_inputs[i].view, b, run.first, run.planes),
                                  is_first ? gradient_inputs[i].beta : 1.0};
                }
                backend.conv_data_gradient(inner, planes_of(gradient_y, b, source, run.planes), tap, targets);
            });
        }
    }
}

void convolve_weight_gradient(Backend& backend, const ConvGeometry& geometry, std::span<const ConstView> inputs,
                              ConstView gradient_y, OutputRef gradient_weight) {
    if (!geometry.has_outer()) {
        backend.conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
        return;
    }
    const ConvGeometry inner = without_outer(geometry);
    const Shape& weight = gradient_weight.view.shape;
    const Shape whole = by_tap(weight), part{whole[0], 1, whole[2]};
    std::vector<Tensor> taps;
    std::vector<double> kept(static_cast<std::size_t>(whole[1]), 0.0);  // beta of what each tap takes next
    for (std::int64_t k = 0; k < whole[1]; ++k) {
        taps.emplace_back(backend.memory(), of_tap(weight), backend.compute_type());
    }
    std::vector<ConstView> sources(inputs.size());
    const auto runs = plane_runs(geometry, geometry.transposed, gradient_y.shape[1], inputs.front().shape[1]);
    for (std::int64_t b = 0; b < gradient_y.shape[0]; ++b) {
        for (const PlaneRun& run : runs) {
            for (const PlaneTap& tap : run.taps) {
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    sources[i] = planes_of(inputs[i], b, tap.source, run.planes);
                }
                const auto k = static_cast<std::size_t>(tap.tap);
                backend.conv_weight_gradient(inner, sources, planes_of(gradient_y, b, run.first, run.planes),
                                             {taps[k], std::exchange(kept[k], 1.0)});
            }
        }
    }
    for (std::int64_t k = 0; k < whole[1]; ++k) {
        Tensor& tap = taps[static_cast<std::size_t>(k)];
        if (kept[static_cast<std::size_t>(k)] == 0.0) {
            backend.fill(tap, 0.0);
        }
        backend.copy_box(tap.view().reshaped(part), {0, 0, 0},
                         {gradient_weight.view.reshaped(whole), gradient_weight.beta}, {0, k, 0}, part);
    }
}

}  // namespace plumecast
