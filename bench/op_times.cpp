#include "op_times.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace plumecast::bench {
namespace {

using Clock = std::chrono::steady_clock;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What a convolution does to which channels on which grid.
std::string conv_text(const ConvGeometry& geometry, const Shape& output, const Shape& weight) {
    const auto side = [](std::int64_t extent) { return std::to_string(extent); };
    const bool transposed = geometry.transposed;
    return std::string(transposed ? "transposed k" : "k") + side(geometry.kernel[0]) + " s" + side(geometry.stride[0]) +
           " " + side(weight[transposed ? 0 : -1]) + "->" + side(weight[transposed ? -1 : 0]) + " " + output.text();
}

}  // namespace

template <class Work>
auto TimedBackend::timed(const char* op, const std::string& shape, const Work& work) {
    struct Stop {
        Spent& spent;
        Clock::time_point start = Clock::now();
        double cpu = cpu_seconds();
        ~Stop() {
            spent.seconds += std::chrono::duration<double>(Clock::now() - start).count();
            spent.cpu_seconds += cpu_seconds() - cpu;
            ++spent.calls;
        }
    };
    const Stop stop{spent_[{op, shape}]};
    return work();
}

Json TimedBackend::report(int repetitions) const {
    std::vector<std::pair<std::pair<std::string, std::string>, Spent>> all(spent_.begin(), spent_.end());
    std::ranges::stable_sort(all, std::greater(), [](const auto& entry) { return entry.second.seconds; });
    Json::Array rows;
    for (const auto& [key, spent] : all) {
        rows.emplace_back(Json::Object{{"op", key.first},
                                       {"shape", key.second},
                                       {"calls", spent.calls / repetitions},
                                       {"seconds", spent.seconds / repetitions},
                                       {"cpu_seconds", spent.cpu_seconds / repetitions}});
    }
    return rows;
}

void TimedBackend::upload(ConstView host, View device) {
    timed("upload", host.shape.text(), [&] { inner_->upload(host, device); });
}
void TimedBackend::download(ConstView device, View host) {
    timed("download", host.shape.text(), [&] { inner_->download(device, host); });
}
void TimedBackend::fill(View y, double value) {
    timed("fill", y.shape.text(), [&] { inner_->fill(y, value); });
}
void TimedBackend::add(double alpha, ConstView x, OutputRef y) {
    timed("add", x.shape.text(), [&] { inner_->add(alpha, x, y); });
}
void TimedBackend::add_product(ConstView a, ConstView x, OutputRef y) {
    timed("add_product", x.shape.text(), [&] { inner_->add_product(a, x, y); });
}
void TimedBackend::activate(Activation f, ConstView x, View y) {
    timed("activate", x.shape.text(), [&] { inner_->activate(f, x, y); });
}
void TimedBackend::activation_gradient(Activation f, ConstView kept, View g) {
    timed("activation_gradient", g.shape.text(), [&] { inner_->activation_gradient(f, kept, g); });
}
void TimedBackend::adam(const AdamStep& step, std::span<const AdamParameter> targets) {
    timed("adam", std::to_string(targets.size()) + " arrays", [&] { inner_->adam(step, targets); });
}
void TimedBackend::squared_norm(std::span<const ConstView> arrays, View sum) {
    timed("squared_norm", std::to_string(arrays.size()) + " arrays", [&] { inner_->squared_norm(arrays, sum); });
}
void TimedBackend::column_sums(ConstView x, OutputRef y) {
    timed("column_sums", x.shape.text(), [&] { inner_->column_sums(x, y); });
}
void TimedBackend::gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
                        Activation f) {
    const std::string text = a.shape.text() + (transpose_a ? "^T x " : " x ") + b.shape.text();
    timed("gemm", text, [&] { inner_->gemm(transpose_a, transpose_b, a, b, c, bias, f); });
}
void TimedBackend::transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) {
    const std::string text = matrix.shape.text() + " x " + x.shape.text();
    timed("transform_axis", text, [&] { inner_->transform_axis(matrix, x, y, f); });
}
void TimedBackend::combine_signs(View x, View y, std::int64_t dropped_from, bool adjoint) {
    timed("combine_signs", x.shape.text(), [&] { inner_->combine_signs(x, y, dropped_from, adjoint); });
}
void TimedBackend::complex_product(ConstView x, ConstView w, View y) {
    timed("complex_product", x.shape.text(), [&] { inner_->complex_product(x, w, y); });
}
void TimedBackend::complex_product_data_gradient(ConstView gradient_y, ConstView w, View gradient_x) {
    timed("complex_product_data_gradient", gradient_x.shape.text(),
          [&] { inner_->complex_product_data_gradient(gradient_y, w, gradient_x); });
}
void TimedBackend::complex_product_weight_gradient(ConstView x, ConstView gradient_y, OutputRef gradient_w) {
    timed("complex_product_weight_gradient", x.shape.text(),
          [&] { inner_->complex_product_weight_gradient(x, gradient_y, gradient_w); });
}
void TimedBackend::padded_sum(std::span<const ConstView> terms, ConstView bias, const Padding& padding, View y) {
    timed("padded_sum", y.shape.text(), [&] { inner_->padded_sum(terms, bias, padding, y); });
}
void TimedBackend::padded_sum_gradient(ConstView gradient_y, const Padding& padding, OutputRef gradient_term) {
    timed("padded_sum_gradient", gradient_term.view.shape.text(),
          [&] { inner_->padded_sum_gradient(gradient_y, padding, gradient_term); });
}
void TimedBackend::copy_box(ConstView x, const Shape& x_low, OutputRef y, const Shape& y_low, const Shape& extents) {
    timed("copy_box", extents.text(), [&] { inner_->copy_box(x, x_low, y, y_low, extents); });
}
void TimedBackend::conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight,
                        ConstView bias, OutputRef y, Activation f) {
    timed("conv", conv_text(geometry, y.view.shape, weight.shape),
          [&] { inner_->conv(geometry, inputs, weight, bias, y, f); });
}
void TimedBackend::conv_data_gradient(const ConvGeometry& geometry, ConstView gradient_y, ConstView weight,
                                      std::span<const OutputRef> gradient_inputs) {
    timed("conv_data_gradient", conv_text(geometry, gradient_y.shape, weight.shape),
          [&] { inner_->conv_data_gradient(geometry, gradient_y, weight, gradient_inputs); });
}
void TimedBackend::conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs,
                                        ConstView gradient_y, OutputRef gradient_weight) {
    timed("conv_weight_gradient", conv_text(geometry, gradient_y.shape, gradient_weight.view.shape),
          [&] { inner_->conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight); });
}
void TimedBackend::moments(ConstView x, View moments) {
    timed("moments", x.shape.text(), [&] { inner_->moments(x, moments); });
}
void TimedBackend::normalise(ConstView x, const BatchNormStatistics& statistics, ConstView weight, ConstView bias,
                             Activation f, View y) {
    timed("normalise", x.shape.text(), [&] { inner_->normalise(x, statistics, weight, bias, f, y); });
}
void TimedBackend::normalise_sums(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                  ConstView weight, ConstView bias, Activation f, View sums) {
    timed("normalise_sums", x.shape.text(),
          [&] { inner_->normalise_sums(x, gradient_y, statistics, weight, bias, f, sums); });
}
void TimedBackend::normalise_gradient(ConstView x, ConstView gradient_y, const BatchNormStatistics& statistics,
                                      ConstView weight, ConstView bias, Activation f, ConstView sums,
                                      OutputRef gradient_x) {
    timed("normalise_gradient", x.shape.text(),
          [&] { inner_->normalise_gradient(x, gradient_y, statistics, weight, bias, f, sums, gradient_x); });
}
void TimedBackend::error_norms(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                               View sums) {
    timed("error_norms", prediction.shape.text(),
          [&] { inner_->error_norms(prediction, target, active, inverse_distance, sums); });
}
void TimedBackend::error_ratios(ConstView sums, double weight, double share, View values, View coefficients) {
    timed("error_ratios", sums.shape.text(), [&] { inner_->error_ratios(sums, weight, share, values, coefficients); });
}
void TimedBackend::error_gradient(ConstView prediction, ConstView target, ConstView active, ConstView inverse_distance,
                                  ConstView coefficients, View gradient) {
    timed("error_gradient", prediction.shape.text(),
          [&] { inner_->error_gradient(prediction, target, active, inverse_distance, coefficients, gradient); });
}

}  // namespace plumecast::bench
