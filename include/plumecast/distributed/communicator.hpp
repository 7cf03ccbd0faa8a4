#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace plumecast {

/// Bytes for one other rank, in memory that stays in place until the transfer is done: of the host, or of a device
/// where the communicator takes that.
struct OutgoingMessage {
    int peer = 0;
    std::span<const std::byte> bytes;
};

/// Room for the bytes that one other rank sends.
struct IncomingMessage {
    int peer = 0;
    std::span<std::byte> bytes;
};

/// What a rank has sent so far. A message above 1 GiB travels in parts, and each part counts.
struct Traffic {
    std::int64_t bytes = 0;
    std::int64_t messages = 0;

    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Messages on their way. wait() before destruction, or the job is beyond repair.
class Transfer {
   public:
    virtual ~Transfer() = default;
    /// Lets the messages progress; true when all have arrived and the sent memory may change.
    virtual bool test() = 0;
    /// Blocks until then. Throws CommError naming the peers that did not answer within the communicator's timeout.
    virtual void wait() = 0;
};

/// Ranks that work on one job. Serial is the one-rank case. Collective calls must be made by all ranks in one order;
/// results of collective sums do not depend on anything but the ranks' values, since they are added in rank order.
class Communicator {
   public:
    virtual ~Communicator() = default;
    /// This rank, 0 <= rank < size.
    virtual int rank() const = 0;
    virtual int size() const = 0;

    /// True when messages may lie in memory of a device; otherwise Exchange has them copied to the host and back.
    virtual bool takes_device_memory() const { return false; }

    /// Starts sending and receiving. Between two ranks messages arrive in the order they were started; lengths must
    /// agree. No message to or from oneself.
    virtual std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                            std::span<const IncomingMessage> receives) = 0;
    /// The ranks that give the same colour, ordered by key, then by rank. Collective.
    virtual std::unique_ptr<Communicator> split(int colour, int key) = 0;

    /// What this rank has sent through start(), collectives included.
    virtual Traffic traffic() const = 0;
    /// How long wait() waits for a silent peer (default: five minutes).
    virtual void set_timeout(std::chrono::milliseconds timeout) = 0;

    /// Equal-sized pieces of all ranks, in rank order. Collective.
    virtual std::vector<std::byte> allgather(std::span<const std::byte> piece);
    /// Sum over the ranks of each entry, added in rank order. Collective.
    void sum(std::span<double> values);
    /// The bytes of one rank, for all. Collective.
    void broadcast(std::span<std::byte> bytes, int root);
    /// Returns when all ranks have called it.
    void barrier();
};

/// The one-rank case.
std::unique_ptr<Communicator> make_self_communicator();

/// One rank of a job that is only planned: nothing travels, whatever is sent is counted, and every other rank is taken
/// to say what this one says. With the planning backend, it tells what a computation will send. It cannot be split.
std::unique_ptr<Communicator> make_planned_communicator(int rank, int size);

}  // namespace plumecast
