#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <plumecast/core/log.hpp>

#include "backend/arena.hpp"
#include "backend/cuda/kernels/backend.hpp"

namespace plumecast::cuda {

/// Runs what is repeated plainly once, in which libraries choose their algorithms and learn what they need; records it
/// the second time; and from then on plays the recording. The memory that the recorded work uses between its steps
/// stays claimed as long as the recording lives. What cannot be recorded is run plainly for ever, which the log hears
/// once.
///
/// The Executor has a type Recording; start_recording(), after which run() only notes what this thread wants done,
/// finish_recording(), abandon_recording() and play(recording); is_recording(), under which it refuses to copy from and
/// to the host; an Arena as memory(); and log(). Other threads may start work meanwhile, and record.
template <class Executor>
class RecordedReplay final : public Replay {
   public:
    explicit RecordedReplay(Executor& executor) : executor_(&executor) {}

    void run(const std::function<void()>& body) override {
        const bool has_run = std::exchange(has_run_, true);
        if (has_run && !recording_ && !refused_) {
            record(body);
        }
        if (recording_) {
            executor_->play(*recording_);
        } else {
            body();
        }
    }

   private:
    void record(const std::function<void()>& body) {
        Arena& memory = executor_->memory();
        memory.start_trace();
        try {
            executor_->start_recording();
            body();
            auto recording = executor_->finish_recording();
            claim_ = memory.claim_trace();
            recording_.emplace(std::move(recording));
        } catch (const Error& why) {
            give_up();
            refused_ = true;
            if (executor_->log()) {
                executor_->log()(Severity::info,
                                 std::string("work on the device is started step by step: ") + why.what());
            }
        } catch (...) {
            give_up();
            throw;
        }
    }
    void give_up() {
        executor_->abandon_recording();
        executor_->memory().drop_trace();
        claim_.reset();
    }

    Executor* executor_;
    std::unique_ptr<Arena::Claim> claim_;
    std::optional<typename Executor::Recording> recording_;
    bool has_run_ = false, refused_ = false;
};

template <class Executor>
std::unique_ptr<Replay> KernelBackend<Executor>::make_replay() {
    if constexpr (requires { typename Executor::Recording; }) {
        return std::make_unique<RecordedReplay<Executor>>(executor_);
    } else {
        return Backend::make_replay();
    }
}

template <class Executor>
void KernelBackend<Executor>::start_upload(ConstView host, View device) {
    if constexpr (requires { &Executor::start_copy_in; }) {
        if (host.type == device.type) {  // a conversion would need memory that ops under way may still use
            expects(host.shape.count() == device.shape.count(), "equal element counts");
            executor_.start_copy_in(host.data, device.data,
                                    static_cast<std::size_t>(host.shape.count()) * size_of(host.type));
            return;
        }
    }
    upload(host, device);
}

template <class Executor>
std::unique_ptr<PendingDownload> KernelBackend<Executor>::start_download(ConstView device, View host) {
    if constexpr (requires { &Executor::start_copy_out; }) {
        if (host.type == device.type) {
            expects(host.shape.count() == device.shape.count(), "equal element counts");
            return executor_.start_copy_out(device.data, host.data,
                                            static_cast<std::size_t>(host.shape.count()) * size_of(host.type));
        }
    }
    return Backend::start_download(device, host);
}

}  // namespace plumecast::cuda
