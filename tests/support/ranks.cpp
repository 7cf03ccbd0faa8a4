#include "support/ranks.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast::testing {
namespace {

Communicator*& launched_world() {
    static Communicator* world = nullptr;
    return world;
}

/// Where threads that play ranks leave their messages; `group` keeps split communicators apart, and the number those of
/// a pair, which may be taken in another order than they were sent.
class Mailbox {
   public:
    using Address = std::tuple<std::string, int, int, std::int64_t>;  // group, from, to, number

    void put(const Address& address, std::span<const std::byte> bytes) {
        const std::lock_guard lock(mutex_);
        messages_.emplace(address, std::vector<std::byte>(bytes.begin(), bytes.end()));
        arrived_.notify_all();
    }

    bool take(const Address& address, std::span<std::byte> bytes, std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        if (!arrived_.wait_for(lock, timeout, [&] { return messages_.contains(address); })) {
            return false;
        }
        const auto message = messages_.find(address);
        expects(message->second.size() == bytes.size(), "both ends agree on the length of a message");
        std::copy(message->second.begin(), message->second.end(), bytes.begin());
        messages_.erase(message);
        return true;
    }

   private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::map<Address, std::vector<std::byte>> messages_;
};

class ThreadTransfer final : public Transfer {
   public:
    ThreadTransfer(Mailbox& mailbox, std::chrono::milliseconds timeout) : mailbox_(&mailbox), timeout_(timeout) {}

    void expect(Mailbox::Address from, std::span<std::byte> bytes) { open_.emplace_back(std::move(from), bytes); }
    bool test() override { return received(std::chrono::milliseconds(0)); }
    void wait() override {
        if (!received(timeout_)) {
            throw CommError("no answer from rank " + std::to_string(std::get<1>(open_.front().first)));
        }
    }

   private:
    bool received(std::chrono::milliseconds timeout) {
        while (!open_.empty()) {
            if (!mailbox_->take(open_.front().first, open_.front().second, timeout)) {
                return false;
            }
            open_.pop_front();
        }
        return true;
    }

    Mailbox* mailbox_;
    std::chrono::milliseconds timeout_;
    std::deque<std::pair<Mailbox::Address, std::span<std::byte>>> open_;
};

class ThreadCommunicator final : public Communicator {
   public:
    ThreadCommunicator(Mailbox& mailbox, std::string group, int rank, int size)
        : mailbox_(&mailbox), group_(std::move(group)), rank_(rank), size_(size) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        auto transfer = std::make_unique<ThreadTransfer>(*mailbox_, timeout_);
        for (const OutgoingMessage& message : sends) {
            mailbox_->put({group_, rank_, message.peer, sent_[message.peer]++}, message.bytes);
            traffic_.bytes += static_cast<std::int64_t>(message.bytes.size());
            traffic_.messages += 1;
        }
        for (const IncomingMessage& message : receives) {
            transfer->expect({group_, message.peer, rank_, received_[message.peer]++}, message.bytes);
        }
        return transfer;
    }

    std::unique_ptr<Communicator> split(int colour, int key) override {
        const std::array<int, 2> mine = {colour, key};
        const std::vector<std::byte> all = allgather(std::as_bytes(std::span(mine)));
        std::vector<std::pair<int, int>> members;  // key, rank
        for (int peer = 0; peer < size_; ++peer) {
            std::array<int, 2> theirs{};
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(sizeof(theirs)) * peer, sizeof(theirs),
                        reinterpret_cast<std::byte*>(theirs.data()));
            if (theirs[0] == colour) {
                members.emplace_back(theirs[1], peer);
            }
        }
        std::sort(members.begin(), members.end());
        const auto place = std::find(members.begin(), members.end(), std::pair(key, rank_)) - members.begin();
        const std::string group = group_ + "/" + std::to_string(++splits_) + ":" + std::to_string(colour);
        return std::make_unique<ThreadCommunicator>(*mailbox_, group, static_cast<int>(place),
                                                    static_cast<int>(members.size()));
    }

    Traffic traffic() const override { return traffic_; }
    void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }

   private:
    Mailbox* mailbox_;
    std::string group_;
    int rank_, size_;
    int splits_ = 0;
    std::map<int, std::int64_t> sent_, received_;  // messages so far, by the other end
    std::chrono::milliseconds timeout_ = std::chrono::seconds(15);
    Traffic traffic_;
};

/// Rethrows what the first failing rank threw; not what others made of its silence, where there is more to say.
void rethrow_cause(const std::vector<std::exception_ptr>& failures) {
    std::exception_ptr silence;
    for (const std::exception_ptr& failure : failures) {
        try {
            if (failure) {
                std::rethrow_exception(failure);
            }
        } catch (const CommError&) {
            silence = failure;
        }
    }
    if (silence) {
        std::rethrow_exception(silence);
    }
}

}  // namespace

void run_tests_on(Communicator& world) { launched_world() = &world; }

bool is_launched() { return launched_world() != nullptr && launched_world()->size() > 1; }

int ranks_of_job() { return is_launched() ? launched_world()->size() : 1; }

int launched_rank() { return is_launched() ? launched_world()->rank() : 0; }

void on_ranks(int ranks, const RankBody& body) {
    if (is_launched()) {
        if (launched_world()->size() == ranks) {
            body(*launched_world());
        }
        return;
    }
    Mailbox mailbox;
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                ThreadCommunicator communicator(mailbox, "world", rank, ranks);
                body(communicator);
            } catch (...) {
                failures[static_cast<std::size_t>(rank)] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    rethrow_cause(failures);
}

void on_several_ranks(const RankBody& body) {
    for (const int ranks : {1, 2, 3, 4, 6, 8}) {
        on_ranks(ranks, body);
    }
}

}  // namespace plumecast::testing
