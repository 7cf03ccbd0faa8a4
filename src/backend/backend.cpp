#include <algorithm>
#include <utility>

#include <plumecast/backend/backend.hpp>
#include <plumecast/core/error.hpp>

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

double Backend::squared_norm(ConstView x) {
    Tensor sum(memory(), {1}, DType::float64);
    squared_norm(std::span(&x, 1), sum);
    double result = 0.0;
    download(std::as_const(sum).view(), {sum.shape(), DType::float64, &result});
    return result;
}

}  // namespace plumecast
