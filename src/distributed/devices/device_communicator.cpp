#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>

#include "distributed/devices/device_transport.hpp"
#include "distributed/message_parts.hpp"

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

/// Messages of one call: those of the host, and those of the device.
class BothTransfers final : public Transfer {
   public:
    BothTransfers(std::unique_ptr<Transfer> host, std::shared_ptr<DeviceTransport> transport,
                  std::unique_ptr<DeviceWork> device, std::set<int> peers, std::chrono::milliseconds timeout)
        : host_(std::move(host)),
          transport_(std::move(transport)),
          device_(std::move(device)),
          peers_(std::move(peers)),
          timeout_(timeout) {}

    bool test() override {
        const bool host = host_->test();
        return (device_ == nullptr || device_->is_done()) && host;
    }
    void wait() override {
        const Clock::time_point start = Clock::now();
        for (int round = 0; device_ != nullptr && !device_->is_done(); ++round) {
            host_->test();  // lets its messages progress
            if (Clock::now() - start > timeout_) {
                transport_->abandon();
                throw CommError("no answer from rank " + peers_text() + " for " +
                                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeout_).count()) +
                                " s (one of them has stopped, or the link between devices is down); end the job and "
                                "resume it from its last checkpoint");
            }
            round < 1000 ? std::this_thread::yield() : std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
        host_->wait();
    }

   private:
    std::string peers_text() const {
        std::string text;
        for (const int peer : peers_) {
            text += (text.empty() ? "" : " or ") + std::to_string(peer);
        }
        return text;
    }

    std::unique_ptr<Transfer> host_;
    std::shared_ptr<DeviceTransport> transport_;  // outlives its work
    std::unique_ptr<DeviceWork> device_;          // null where no message is the device's
    std::set<int> peers_;
    std::chrono::milliseconds timeout_;
};

class DeviceCommunicator final : public Communicator {
   public:
    DeviceCommunicator(std::unique_ptr<Communicator> ranks, DeviceTransportMaker make)
        : ranks_(std::move(ranks)), make_(std::move(make)) {}

    int rank() const override { return ranks_->rank(); }
    int size() const override { return ranks_->size(); }
    bool takes_device_memory() const override { return true; }

    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        if (transport_ == nullptr) {
            transport_ = make_(*ranks_, timeout_);  // all ranks are here, those too that send nothing
        }
        std::vector<OutgoingMessage> host_sends, device_sends;
        std::vector<IncomingMessage> host_receives, device_receives;
        std::set<int> peers;
        divide(sends, host_sends, device_sends, peers);
        divide(receives, host_receives, device_receives, peers);
        std::unique_ptr<DeviceWork> work;
        if (!device_sends.empty() || !device_receives.empty()) {
            work = start_on_devices(device_sends, device_receives);
        }
        return std::make_unique<BothTransfers>(ranks_->start(host_sends, host_receives), transport_, std::move(work),
                                               std::move(peers), timeout_);
    }
    std::unique_ptr<Communicator> split(int colour, int key) override {
        auto part = make_device_communicator(ranks_->split(colour, key), make_);
        part->set_timeout(timeout_);
        return part;
    }
    std::vector<std::byte> allgather(std::span<const std::byte> piece) override { return ranks_->allgather(piece); }

    Traffic traffic() const override {
        Traffic all = ranks_->traffic();
        all.bytes += on_devices_.bytes;
        all.messages += on_devices_.messages;
        return all;
    }
    void set_timeout(std::chrono::milliseconds timeout) override {
        timeout_ = timeout;
        ranks_->set_timeout(timeout);
    }

   private:
    template <class Message>
    void divide(std::span<const Message> messages, std::vector<Message>& host, std::vector<Message>& device,
                std::set<int>& peers) const {
        for (const Message& message : messages) {
            const bool is_devices = transport_->is_on_device(message.bytes.data());
            (is_devices ? device : host).push_back(message);
            if (is_devices) {
                peers.insert(message.peer);
            }
        }
    }
    std::unique_ptr<DeviceWork> start_on_devices(const std::vector<OutgoingMessage>& sends,
                                                 const std::vector<IncomingMessage>& receives) {
        transport_->begin_group();
        for (const IncomingMessage& message : receives) {
            each_part(message.bytes, [&](auto part) { transport_->receive(message.peer, part); });
        }
        for (const OutgoingMessage& message : sends) {
            each_part(message.bytes, [&](auto part) { transport_->send(message.peer, part); });
            on_devices_.bytes += static_cast<std::int64_t>(message.bytes.size());
            on_devices_.messages += parts_of(static_cast<std::int64_t>(message.bytes.size()));
        }
        return transport_->end_group();
    }

    std::unique_ptr<Communicator> ranks_;
    DeviceTransportMaker make_;
    std::shared_ptr<DeviceTransport> transport_;
    std::chrono::milliseconds timeout_ = std::chrono::minutes(5);
    Traffic on_devices_;
};

}  // namespace

std::unique_ptr<Communicator> make_device_communicator(std::unique_ptr<Communicator> ranks, DeviceTransportMaker make) {
    return std::make_unique<DeviceCommunicator>(std::move(ranks), std::move(make));
}

}  // namespace plumecast
