#pragma once

#include <chrono>
#include <memory>
#include <span>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast::testing {

/// The ranks of a test, owned by somebody else, as a communicator to wrap; its messages may lie in device memory where
/// that is said.
class ForwardedRanks final : public Communicator {
   public:
    explicit ForwardedRanks(Communicator& ranks, bool takes_device_memory = false)
        : ranks_(&ranks), takes_device_memory_(takes_device_memory) {}
    int rank() const override { return ranks_->rank(); }
    int size() const override { return ranks_->size(); }
    bool takes_device_memory() const override { return takes_device_memory_; }
    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        return ranks_->start(sends, receives);
    }
    std::unique_ptr<Communicator> split(int colour, int key) override { return ranks_->split(colour, key); }
    Traffic traffic() const override { return ranks_->traffic(); }
    void set_timeout(std::chrono::milliseconds timeout) override { ranks_->set_timeout(timeout); }

   private:
    Communicator* ranks_;
    bool takes_device_memory_;
};

}  // namespace plumecast::testing
