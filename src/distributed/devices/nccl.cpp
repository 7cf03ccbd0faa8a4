#include "distributed/devices/nccl.hpp"

#include <nccl.h>

#include <chrono>
#include <string>
#include <utility>

#include <plumecast/core/error.hpp>

#include "backend/cuda/handles.hpp"
#include "backend/cuda/status.hpp"
#include "backend/cuda/vendor/library.hpp"
#include "distributed/devices/background_step.hpp"

namespace plumecast {
namespace {

using cuda::check;

/// NCCL's functions under its names, and the stream of all that goes by it. One stream keeps the groups of several
/// communicators in the order of the calls, which is the same on all ranks; side by side they could wait for each
/// other.
struct Nccl {
    cuda::Library library{"libnccl.so.2"};
    cuda::Stream stream;
    decltype(&ncclGetUniqueId) get_unique_id;
    decltype(&ncclCommInitRankConfig) join;
    decltype(&ncclCommFinalize) finalize;
    decltype(&ncclCommDestroy) destroy;
    decltype(&ncclCommAbort) abort;
    decltype(&ncclCommGetAsyncError) async_error;
    decltype(&ncclGetErrorString) error_string;
    decltype(&ncclGroupStart) group_start;
    decltype(&ncclGroupEnd) group_end;
    decltype(&ncclSend) send;
    decltype(&ncclRecv) receive;

    Nccl() {
        library.bind(get_unique_id, "ncclGetUniqueId");
        library.bind(join, "ncclCommInitRankConfig");
        library.bind(finalize, "ncclCommFinalize");
        library.bind(destroy, "ncclCommDestroy");
        library.bind(abort, "ncclCommAbort");
        library.bind(async_error, "ncclCommGetAsyncError");
        library.bind(error_string, "ncclGetErrorString");
        library.bind(group_start, "ncclGroupStart");
        library.bind(group_end, "ncclGroupEnd");
        library.bind(send, "ncclSend");
        library.bind(receive, "ncclRecv");
    }
    void expect(ncclResult_t status, const char* action) const {
        if (status != ncclSuccess && status != ncclInProgress) {
            throw CommError(std::string(action) + " failed (NCCL: " + error_string(status) +
                            "); each rank needs a device of its own; NCCL_DEBUG=INFO says more, and Transport::host "
                            "does without");
        }
    }
};

/// The devices of some ranks, joined. All that NCCL is asked to do goes on in the background, and is waited for as long
/// as a silent rank is.
class NcclDevices {
   public:
    NcclDevices(std::shared_ptr<Nccl> nccl, Communicator& ranks, std::chrono::milliseconds timeout)
        : nccl_(std::move(nccl)), ranks_(&ranks), timeout_(timeout) {
        ncclUniqueId id{};
        if (ranks.rank() == 0) {
            nccl_->expect(nccl_->get_unique_id(&id), "starting NCCL");
        }
        ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)), 0);
        ranks.barrier();  // which names the rank that does not come
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        nccl_->expect(nccl_->join(&comm_, ranks.size(), id, ranks.rank(), &config), "joining devices");
        try {
            finish("joining devices by NCCL");
        } catch (...) {
            abandon();
            throw;
        }
    }
    NcclDevices(const NcclDevices&) = delete;
    NcclDevices& operator=(const NcclDevices&) = delete;
    ~NcclDevices() {
        if (comm_ == nullptr) {
            return;
        }
        try {
            nccl_->expect(nccl_->finalize(comm_), "leaving NCCL");
            finish("leaving NCCL");
            nccl_->destroy(comm_);
        } catch (const CommError&) {
            abandon();
        }
    }

    ncclComm_t get() const { return comm_; }
    void finish(const std::string& step) {
        finish_step(step, *ranks_, timeout_, [this] {
            ncclResult_t result = ncclSuccess;
            const ncclResult_t asked = nccl_->async_error(comm_, &result);
            result = asked != ncclSuccess ? asked : result;
            using enum StepState::Phase;
            return result == ncclInProgress ? StepState{under_way}
                   : result == ncclSuccess  ? StepState{done}
                                            : StepState{failed, std::string("NCCL: ") + nccl_->error_string(result)};
        });
    }
    void abandon() noexcept {
        if (comm_ != nullptr) {
            nccl_->abort(std::exchange(comm_, nullptr));
        }
    }

   private:
    std::shared_ptr<Nccl> nccl_;
    Communicator* ranks_;
    std::chrono::milliseconds timeout_;
    ncclComm_t comm_ = nullptr;
};

class NcclWork final : public DeviceWork {
   public:
    NcclWork(std::shared_ptr<Nccl> nccl, ncclComm_t comm)
        : nccl_(std::move(nccl)), comm_(comm), done_(cuda::make_event()) {
        check(cudaEventRecord(done_.get(), nccl_->stream.get()), "marking messages");
    }
    bool is_done() override {
        const cudaError_t status = cudaEventQuery(done_.get());
        if (status == cudaErrorNotReady) {
            ncclResult_t failure = ncclSuccess;
            nccl_->expect(nccl_->async_error(comm_, &failure), "asking for messages");
            nccl_->expect(failure == ncclInProgress ? ncclSuccess : failure, "a message between devices");
            return false;
        }
        check(status, "messages between devices");
        return true;
    }

   private:
    std::shared_ptr<Nccl> nccl_;
    ncclComm_t comm_;
    cuda::Event done_;
};

class NcclTransport final : public DeviceTransport {
   public:
    NcclTransport(std::shared_ptr<Nccl> nccl, Communicator& ranks, std::chrono::milliseconds timeout)
        : nccl_(std::move(nccl)), devices_(nccl_, ranks, timeout) {
        if (nccl_->stream == nullptr) {
            nccl_->stream = cuda::make_stream();  // on the device that the backend has made current
        }
    }

    bool is_on_device(const void* address) const override {
        cudaPointerAttributes attributes{};
        check(cudaPointerGetAttributes(&attributes, address), "asking where memory lies");
        return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
    }
    void begin_group() override { nccl_->expect(nccl_->group_start(), "starting messages"); }
    void send(int peer, std::span<const std::byte> bytes) override {
        nccl_->expect(nccl_->send(bytes.data(), bytes.size(), ncclInt8, peer, devices_.get(), nccl_->stream.get()),
                      "a message");
    }
    void receive(int peer, std::span<std::byte> bytes) override {
        nccl_->expect(nccl_->receive(bytes.data(), bytes.size(), ncclInt8, peer, devices_.get(), nccl_->stream.get()),
                      "a message");
    }
    std::unique_ptr<DeviceWork> end_group() override {
        nccl_->expect(nccl_->group_end(), "starting messages");
        devices_.finish("starting messages by NCCL");
        return std::make_unique<NcclWork>(nccl_, devices_.get());
    }
    void abandon() noexcept override { devices_.abandon(); }

   private:
    std::shared_ptr<Nccl> nccl_;
    NcclDevices devices_;
};

}  // namespace

DeviceTransportMaker nccl_transports() {
    try {
        const auto nccl = std::make_shared<Nccl>();
        return [nccl](Communicator& ranks, std::chrono::milliseconds timeout) {
            return std::make_unique<NcclTransport>(nccl, ranks, timeout);
        };
    } catch (const DeviceError& missing) {
        throw InvalidInput(std::string("messages by NCCL: ") + missing.what());
    }
}

}  // namespace plumecast
