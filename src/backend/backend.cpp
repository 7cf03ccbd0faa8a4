#include <utility>

#include <plumecast/backend/backend.hpp>

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

double Backend::squared_norm(ConstView x) {
    Tensor sum(memory(), {1}, DType::float64);
    squared_norm(std::span(&x, 1), sum);
    double result = 0.0;
    download(std::as_const(sum).view(), {sum.shape(), DType::float64, &result});
    return result;
}

}  // namespace plumecast
