#include <algorithm>
#include <array>
#include <utility>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>

#include "backend/error_ratio.hpp"

namespace plumecast {
namespace {

/// For backends that have copied when they say they have started.
class DoneDownload final : public PendingDownload {
   public:
    void wait() override {}
};

/// For backends that cannot record.
class PlainReplay final : public Replay {
   public:
    void run(const std::function<void()>& body) override { body(); }
};

}  // namespace

std::unique_ptr<PendingDownload> Backend::start_download(ConstView device, View host) {
    download(device, host);
    return std::make_unique<DoneDownload>();
}

std::unique_ptr<Replay> Backend::make_replay() { return std::make_unique<PlainReplay>(); }

/// As many as a second-level cache holds beside what they are made from.
std::int64_t Backend::rows_at_once(std::size_t row_bytes) const {
    constexpr std::size_t cached = std::size_t{1} << 20;
    return static_cast<std::int64_t>(std::max<std::size_t>(cached / row_bytes, 1));
}

Shape FourierGeometry::spectrum() const {
    Shape kept;
    for (int axis = 0; axis < modes.rank(); ++axis) {
        kept = kept.append(2 * modes[axis]);
    }
    return kept;
}

void Backend::forward_fft(const FourierGeometry& /*geometry*/, ConstView /*x*/, View /*spectrum*/) {
    throw Error("internal: " + description() + " has no Fourier transforms over several axes");
}

void Backend::inverse_fft(const FourierGeometry& /*geometry*/, ConstView /*spectrum*/, OutputRef /*y*/,
                          Activation /*f*/) {
    throw Error("internal: " + description() + " has no Fourier transforms over several axes");
}

/// A few numbers, where the host is at hand.
void Backend::error_ratios(ConstView sums, const LossMeasure& measure, double share, View values, View coefficients) {
    const std::array<std::int64_t, 3> extents{sums.shape[0], sums.shape[1], sums.shape[2]};
    Tensor norms = host_zeros(sums.shape, DType::float64), ratios = host_zeros(values.shape, DType::float64);
    Tensor factors = host_zeros(coefficients.shape, DType::float64);
    download(sums, norms);
    const double* from = std::as_const(norms).view().as<double>();
    for (std::int64_t b = 0; b < sums.shape[1]; ++b) {
        ratios.view().as<double>()[b] = case_loss(from, extents, b, measure, share, factors.view().as<double>());
    }
    upload(ratios, values);
    upload(factors, coefficients);
}

double Backend::squared_norm(ConstView x) {
    Tensor sum(memory(), {1}, DType::float64);
    squared_norm(std::span(&x, 1), sum);
    double result = 0.0;
    download(std::as_const(sum).view(), {sum.shape(), DType::float64, &result});
    return result;
}

}  // namespace plumecast
