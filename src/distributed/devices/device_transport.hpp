#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <plumecast/distributed/communicator.hpp>

namespace plumecast {

/// Sends and receives that were started together, from and into memory of a device.
class DeviceWork {
   public:
    virtual ~DeviceWork() = default;
    /// True when all have arrived and the sent memory may change. Throws CommError when they never will.
    virtual bool is_done() = 0;
};

/// Carries bytes between the devices of ranks, whole groups of messages at once: NCCL, or what stands in for it in
/// tests. All ranks start their groups in one order.
class DeviceTransport {
   public:
    virtual ~DeviceTransport() = default;
    /// Whether an address lies in memory of a device.
    virtual bool is_on_device(const void* address) const = 0;
    virtual void begin_group() = 0;
    virtual void send(int peer, std::span<const std::byte> bytes) = 0;
    virtual void receive(int peer, std::span<std::byte> bytes) = 0;
    /// Starts what the group holds.
    virtual std::unique_ptr<DeviceWork> end_group() = 0;
    /// Gives up what is under way: a peer does not answer.
    virtual void abandon() noexcept = 0;
};

/// Joins the devices of some ranks, which call it together. Throws CommError where that takes longer than `timeout`.
using DeviceTransportMaker =
    std::function<std::unique_ptr<DeviceTransport>(Communicator& ranks, std::chrono::milliseconds timeout)>;

/// The same ranks, whose messages in device memory go by a transport, and all others as before. The transport is made
/// when a message is first started, by then each rank has chosen its device.
std::unique_ptr<Communicator> make_device_communicator(std::unique_ptr<Communicator> ranks, DeviceTransportMaker make);

}  // namespace plumecast
