#include "training/started_loss.hpp"

#include <utility>

namespace plumecast {

StartedLoss::StartedLoss(Backend& backend, Tensor per_case, double share)
    : share_(share), on_backend_(std::move(per_case)), on_host_(host_zeros(on_backend_.shape(), DType::float64)) {
    arriving_ = backend.start_download(std::as_const(on_backend_).view(), on_host_);
}

double StartedLoss::wait() {
    arriving_->wait();
    double sum = 0.0;
    for (const double value : std::as_const(on_host_).values<double>()) {
        sum += share_ * value;
    }
    return sum;
}

}  // namespace plumecast
