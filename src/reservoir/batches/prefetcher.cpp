#include <algorithm>
#include <utility>

#include "core/machine/threads.hpp"
#include "reservoir/batches/prefetcher.hpp"

namespace plumecast {

namespace {

std::vector<CasesToLoad> all_of(const BatchSource& source, std::vector<std::vector<std::int64_t>> order) {
    std::vector<CasesToLoad> result;
    for (std::vector<std::int64_t>& cases : order) {
        result.push_back({&source, std::move(cases)});
    }
    return result;
}

}  // namespace

Prefetcher::Prefetcher(const BatchSource& source, std::vector<std::vector<std::int64_t>> order, std::size_t depth)
    : Prefetcher(all_of(source, std::move(order)), depth) {}

Prefetcher::Prefetcher(std::vector<CasesToLoad> order, std::size_t depth)
    : order_(std::move(order)), depth_(std::max<std::size_t>(depth, 1)) {
    thread_ = start_thread([this](const std::stop_token& stop) { work(stop); });
}

Prefetcher::~Prefetcher() = default;

void Prefetcher::work(const std::stop_token& stop) {
    std::exception_ptr failure;
    try {
        for (const auto& [source, cases] : order_) {
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [this] { return ready_.size() < depth_; })) {
                    return;
                }
            }
            Batch batch = source->load(cases);
            const std::lock_guard lock(mutex_);
            ready_.push(std::move(batch));
            changed_.notify_all();
        }
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    is_finished_ = true;
    changed_.notify_all();
}

std::optional<Batch> Prefetcher::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || is_finished_; });
    if (ready_.empty()) {
        if (failure_) {
            std::rethrow_exception(std::exchange(failure_, nullptr));
        }
        return std::nullopt;
    }
    Batch batch = std::move(ready_.front());
    ready_.pop();
    changed_.notify_all();
    return batch;
}

}  // namespace plumecast
