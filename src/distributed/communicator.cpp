#include <algorithm>
#include <cstring>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/communicator.hpp>

#include "message_parts.hpp"

namespace plumecast {
namespace {

class Done final : public Transfer {
   public:
    bool test() override { return true; }
    void wait() override {}
};

class SelfCommunicator final : public Communicator {
   public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        expects(sends.empty() && receives.empty(), "no message to oneself");
        return std::make_unique<Done>();
    }
    std::unique_ptr<Communicator> split(int, int) override { return make_self_communicator(); }
    Traffic traffic() const override { return {}; }
    void set_timeout(std::chrono::milliseconds) override {}
};

class PlannedCommunicator final : public Communicator {
   public:
    PlannedCommunicator(int rank, int size) : rank_(rank), size_(size) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage>) override {
        for (const OutgoingMessage& message : sends) {
            count(static_cast<std::int64_t>(message.bytes.size()), 1);
        }
        return std::make_unique<Done>();
    }
    std::unique_ptr<Communicator> split(int, int) override {
        throw Error("internal: a planned communicator cannot be split (there are no others); please report it");
    }
    Traffic traffic() const override { return traffic_; }
    void set_timeout(std::chrono::milliseconds) override {}
    std::vector<std::byte> allgather(std::span<const std::byte> piece) override {
        std::vector<std::byte> all;
        for (int peer = 0; peer < size_; ++peer) {
            all.insert(all.end(), piece.begin(), piece.end());
        }
        count(static_cast<std::int64_t>(piece.size()), size_ - 1);
        return all;
    }

   private:
    void count(std::int64_t bytes, std::int64_t peers) {
        traffic_.bytes += peers * bytes;
        traffic_.messages += peers * parts_of(bytes);
    }

    int rank_, size_;
    Traffic traffic_;
};

}  // namespace

std::unique_ptr<Communicator> make_planned_communicator(int rank, int size) {
    return std::make_unique<PlannedCommunicator>(rank, size);
}

std::unique_ptr<Communicator> make_self_communicator() { return std::make_unique<SelfCommunicator>(); }

std::vector<std::byte> Communicator::allgather(std::span<const std::byte> piece) {
    std::vector<std::byte> all(piece.size() * static_cast<std::size_t>(size()));
    std::vector<OutgoingMessage> sends;
    std::vector<IncomingMessage> receives;
    for (int peer = 0; peer < size(); ++peer) {
        const std::span<std::byte> place =
            std::span(all).subspan(piece.size() * static_cast<std::size_t>(peer), piece.size());
        if (peer == rank()) {
            std::copy(piece.begin(), piece.end(), place.begin());
        } else if (!piece.empty()) {
            sends.push_back({peer, piece});
            receives.push_back({peer, place});
        }
    }
    start(sends, receives)->wait();
    return all;
}

void Communicator::sum(std::span<double> values) {
    const std::vector<std::byte> all = allgather(std::as_bytes(values));
    for (int peer = 0; peer < size(); ++peer) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            double value = 0.0;
            std::memcpy(&value, all.data() + (static_cast<std::size_t>(peer) * values.size() + i) * sizeof(double),
                        sizeof(double));
            values[i] = peer == 0 ? value : values[i] + value;
        }
    }
}

void Communicator::broadcast(std::span<std::byte> bytes, int root) {
    std::vector<OutgoingMessage> sends;
    std::vector<IncomingMessage> receives;
    if (bytes.empty()) {
        return;
    }
    if (rank() == root) {
        for (int peer = 0; peer < size(); ++peer) {
            if (peer != root) {
                sends.push_back({peer, bytes});
            }
        }
    } else {
        receives.push_back({root, bytes});
    }
    start(sends, receives)->wait();
}

void Communicator::barrier() {
    const std::byte here{1};
    allgather({&here, 1});
}

}  // namespace plumecast
