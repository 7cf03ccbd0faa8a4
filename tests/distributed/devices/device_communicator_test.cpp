#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

#include "backend/arena.hpp"
#include "distributed/devices/device_transport.hpp"
#include "support/forwarded_ranks.hpp"
#include "support/oracle_class.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// What was asked of a transport.
struct Notes {
    std::vector<std::string> calls;
    std::vector<std::pair<int, std::size_t>> sent, received;  // peer and bytes
    bool answers = true;                                      // peers ever do
    int made = 0;
};

/// A device as far as Exchange and transports can see: its memory is a range of addresses.
class PretendedHolder final : public OracleBackend {
   public:
    bool shares_host_memory() const override { return false; }
    MemoryResource& memory() override { return arena_; }
    bool holds(const void* address) const {
        const auto* byte = static_cast<const std::byte*>(address);
        return byte >= block_.get() && byte < block_.get() + bytes;
    }

   private:
    static constexpr std::size_t bytes = std::size_t{1} << 20;
    std::unique_ptr<std::byte[]> block_ = std::make_unique<std::byte[]>(bytes);
    Arena arena_{block_.get(), bytes};
};

/// Stands in for NCCL: takes all memory of one backend for a device's, and carries messages by the ranks of a test.
class NotingTransport final : public DeviceTransport {
   public:
    NotingTransport(Communicator& ranks, const PretendedHolder& device, Notes& notes)
        : ranks_(&ranks), device_(&device), notes_(&notes) {
        ++notes.made;
    }
    bool is_on_device(const void* address) const override { return device_->holds(address); }
    void begin_group() override { notes_->calls.emplace_back("begin"); }
    void send(int peer, std::span<const std::byte> bytes) override {
        notes_->calls.emplace_back("send");
        notes_->sent.emplace_back(peer, bytes.size());
        sends_.push_back({peer, bytes});
    }
    void receive(int peer, std::span<std::byte> bytes) override {
        notes_->calls.emplace_back("receive");
        notes_->received.emplace_back(peer, bytes.size());
        receives_.push_back({peer, bytes});
    }
    std::unique_ptr<DeviceWork> end_group() override {
        notes_->calls.emplace_back("end");
        auto transfer = notes_->answers ? ranks_->start(sends_, receives_) : nullptr;
        sends_.clear();
        receives_.clear();
        return std::make_unique<Work>(std::move(transfer));
    }
    void abandon() noexcept override { notes_->calls.emplace_back("abandon"); }

   private:
    class Work final : public DeviceWork {
       public:
        explicit Work(std::unique_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
        bool is_done() override { return transfer_ != nullptr && transfer_->test(); }

       private:
        std::unique_ptr<Transfer> transfer_;
    };
    Communicator* ranks_;
    const PretendedHolder* device_;
    Notes* notes_;
    std::vector<OutgoingMessage> sends_;
    std::vector<IncomingMessage> receives_;
};

std::unique_ptr<Communicator> with_devices(Communicator& ranks, PretendedHolder& device, Notes& notes) {
    return make_device_communicator(std::make_unique<ForwardedRanks>(ranks),
                                    [&](Communicator& all, std::chrono::milliseconds /*timeout*/) {
                                        return std::make_unique<NotingTransport>(all, device, notes);
                                    });
}

TEST(DeviceCommunicatorOnRanks, SendsWhatExchangesMoveInGroupsAndTheRestThroughTheHost) {
    on_several_ranks([](Communicator& ranks) {
        PretendedHolder device;
        Notes notes;
        const auto devices = with_devices(ranks, device, notes);
        const Shape whole{7, 3};
        const auto me = static_cast<std::size_t>(ranks.rank());
        const Layout cut = partition_layout(whole, 0, balanced_partition(7, ranks.size()));
        const Exchange exchange(*devices, cut, replicated_layout(whole, ranks.size()));
        EXPECT_TRUE(notes.calls.empty()) << "plans are compared through the host";
        Tensor own(device.memory(), cut[me][0].extents(), DType::float64);
        Tensor all(device.memory(), whole, DType::float64);
        device.fill(own, static_cast<double>(me));
        const Traffic before = devices->traffic();
        exchange.forward(device, std::array{std::as_const(own).view()}, std::array{OutputRef{all.view()}});
        for (std::size_t rank = 0; rank < cut.size(); ++rank) {
            for (std::int64_t row = cut[rank][0].low()[0]; row < cut[rank][0].high()[0]; ++row) {
                EXPECT_EQ(all.view().as<double>()[3 * row], static_cast<double>(rank));
            }
        }
        if (ranks.size() == 1) {
            return;
        }
        EXPECT_EQ(notes.made, 1);
        EXPECT_EQ(notes.calls.empty(), notes.sent.empty() && notes.received.empty());
        if (!notes.calls.empty()) {
            EXPECT_EQ(notes.calls.front(), "begin");
            EXPECT_EQ(notes.calls.back(), "end");
        }
        for (const auto& [peer, bytes] : notes.received) {
            EXPECT_EQ(bytes, static_cast<std::size_t>(cut[static_cast<std::size_t>(peer)][0].count()) * sizeof(double));
        }
        std::int64_t sent = 0;
        for (const auto& [peer, bytes] : notes.sent) {
            sent += static_cast<std::int64_t>(bytes);
        }
        // The stand-in sends by the same ranks, which count once more.
        EXPECT_EQ(devices->traffic().bytes - before.bytes, 2 * sent);
        EXPECT_EQ(sent, (ranks.size() - 1) * cut[me][0].count() * static_cast<std::int64_t>(sizeof(double)));
    });
}

TEST(DeviceCommunicatorOnRanks, SplitsIntoPartsWithTransportsOfTheirOwn) {
    on_ranks(4, [](Communicator& ranks) {
        PretendedHolder device;
        Notes notes;
        const auto devices = with_devices(ranks, device, notes);
        const auto part = devices->split(ranks.rank() % 2, ranks.rank());
        EXPECT_TRUE(part->takes_device_memory());
        EXPECT_EQ(part->size(), 2);
        Tensor own(device.memory(), {3}, DType::float64), other(device.memory(), {3}, DType::float64);
        device.fill(own, ranks.rank());
        const int peer = 1 - part->rank();
        const std::span<const std::byte> from(static_cast<const std::byte*>(own.view().data), own.bytes());
        const std::span<std::byte> to(static_cast<std::byte*>(other.view().data), other.bytes());
        part->start(std::array{OutgoingMessage{peer, from}}, std::array{IncomingMessage{peer, to}})->wait();
        EXPECT_EQ(other.view().as<double>()[2], (ranks.rank() + 2) % 4);
        EXPECT_THAT(notes.calls, ::testing::ElementsAre("begin", "receive", "send", "end"));
    });
}

TEST(DeviceCommunicatorOnRanks, NamesTheRanksThatDoNotAnswer) {
    on_ranks(2, [](Communicator& ranks) {
        PretendedHolder device;
        Notes notes;
        notes.answers = false;
        const auto devices = with_devices(ranks, device, notes);
        devices->set_timeout(std::chrono::milliseconds(30));
        Tensor room(device.memory(), {3}, DType::float64);
        const int peer = 1 - ranks.rank();
        const std::span<std::byte> to(static_cast<std::byte*>(room.view().data), room.bytes());
        const auto transfer = devices->start({}, std::array{IncomingMessage{peer, to}});
        EXPECT_FALSE(transfer->test());
        try {
            transfer->wait();
            ADD_FAILURE() << "nothing was thrown";
        } catch (const CommError& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("no answer from rank " + std::to_string(peer)));
        }
        EXPECT_EQ(notes.calls.back(), "abandon");
    });
}

/// Counts groups without moving anything.
class IdleTransport final : public DeviceTransport {
   public:
    explicit IdleTransport(Notes& notes) : notes_(&notes) {}
    bool is_on_device(const void*) const override { return true; }
    void begin_group() override {}
    void send(int peer, std::span<const std::byte> bytes) override { notes_->sent.emplace_back(peer, bytes.size()); }
    void receive(int, std::span<std::byte>) override {}
    std::unique_ptr<DeviceWork> end_group() override {
        class Done final : public DeviceWork {
            bool is_done() override { return true; }
        };
        return std::make_unique<Done>();
    }
    void abandon() noexcept override {}

   private:
    Notes* notes_;
};

TEST(DeviceCommunicator, SendsLongMessagesInPartsAndCountsEach) {
    Notes notes;
    const auto devices = make_device_communicator(
        make_planned_communicator(0, 2),
        [&](Communicator&, std::chrono::milliseconds /*timeout*/) { return std::make_unique<IdleTransport>(notes); });
    const std::size_t gibibyte = std::size_t{1} << 30;
    const std::byte somewhere{};  // never read
    const std::span<const std::byte> bytes(&somewhere, 2 * gibibyte + 5);
    devices->start(std::array{OutgoingMessage{1, bytes}}, {})->wait();
    EXPECT_THAT(notes.sent,
                ::testing::ElementsAre(std::pair(1, gibibyte), std::pair(1, gibibyte), std::pair(1, std::size_t{5})));
    EXPECT_EQ(devices->traffic(), (Traffic{static_cast<std::int64_t>(2 * gibibyte + 5), 3}));
}

}  // namespace
}  // namespace plumecast::testing
