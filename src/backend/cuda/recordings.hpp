#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace plumecast::cuda {

/// What threads are recording, each for itself: what a thread starts goes there and not to the device, and what others
/// start meanwhile is none of it.
template <class Recorder>
class Recordings {
   public:
    /// The calling thread records from now on.
    void start(Recorder recorder) {
        const std::lock_guard lock(mutex_);
        under_way_.insert_or_assign(std::this_thread::get_id(), std::move(recorder));
        count_ = under_way_.size();
    }
    /// Where the calling thread records; null where it does not.
    Recorder* of_this_thread() {
        if (count_ == 0) {
            return nullptr;  // as nearly always
        }
        const std::lock_guard lock(mutex_);
        const auto found = under_way_.find(std::this_thread::get_id());
        return found != under_way_.end() ? &found->second : nullptr;
    }
    /// The calling thread records no longer; an empty one where it did not.
    Recorder finish() {
        const std::lock_guard lock(mutex_);
        const auto ended = under_way_.extract(std::this_thread::get_id());
        count_ = under_way_.size();
        return ended.empty() ? Recorder() : std::move(ended.mapped());
    }

   private:
    std::mutex mutex_;
    std::map<std::thread::id, Recorder> under_way_;
    std::atomic<std::size_t> count_{0};
};

}  // namespace plumecast::cuda
