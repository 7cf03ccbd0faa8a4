#include <mpi.h>

#include <cstdlib>
#include <set>
#include <string>
#include <thread>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/world.hpp>

#include "device_transport.hpp"
#include "distributed/devices/nccl.hpp"
#include "launcher.hpp"
#include "message_parts.hpp"

namespace plumecast {
namespace {

using Clock = std::chrono::steady_clock;

void check(int status, const char* what) {
    if (status == MPI_SUCCESS) {
        return;
    }
    std::string text(MPI_MAX_ERROR_STRING, '\0');
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    text.resize(static_cast<std::size_t>(length));
    throw CommError(std::string(what) + " failed (" + text + "); see what the launcher says of the other ranks");
}

std::string listed(const std::set<int>& ranks) {
    std::string text;
    for (const int rank : ranks) {
        text += (text.empty() ? "" : ", ") + std::to_string(rank);
    }
    return text;
}

class MpiTransfer final : public Transfer {
   public:
    explicit MpiTransfer(std::chrono::milliseconds timeout) : timeout_(timeout) {}

    void receive(MPI_Comm comm, int peer, std::span<std::byte> bytes) {
        check(MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer, 0, comm, &added(peer)),
              "MPI_Irecv");
    }
    void send(MPI_Comm comm, int peer, std::span<const std::byte> bytes) {
        check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer, 0, comm, &added(peer)),
              "MPI_Isend");
    }

    bool test() override {
        int done = 0;
        check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
        return done != 0;
    }

    void wait() override {
        const Clock::time_point start = Clock::now();
        for (int round = 0; !test(); ++round) {
            const std::string silent = Clock::now() - start > timeout_ ? silent_peers() : "";
            if (!silent.empty()) {  // or all has arrived since
                throw CommError("no answer from rank " + silent + " for " +
                                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeout_).count()) +
                                " s (it has stopped, or the network is down); end the job and resume it from its "
                                "last checkpoint");
            }
            // Ranks may outnumber the cores: spinning would keep the one we wait for from running.
            round < 1000 ? std::this_thread::yield() : std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

   private:
    MPI_Request& added(int peer) {
        peers_.push_back(peer);
        return requests_.emplace_back(MPI_REQUEST_NULL);
    }

    std::string silent_peers() {
        std::set<int> silent;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            int done = 0;
            check(MPI_Request_get_status(requests_[i], &done, MPI_STATUS_IGNORE), "MPI_Request_get_status");
            if (done == 0) {
                silent.insert(peers_[i]);
            }
        }
        return listed(silent);
    }

    std::chrono::milliseconds timeout_;
    std::vector<MPI_Request> requests_;
    std::vector<int> peers_;
};

class MpiCommunicator final : public Communicator {
   public:
    MpiCommunicator(MPI_Comm comm, std::chrono::milliseconds timeout, bool takes_device_memory)
        : comm_(comm), timeout_(timeout), takes_device_memory_(takes_device_memory) {
        check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
    }
    ~MpiCommunicator() override { MPI_Comm_free(&comm_); }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    bool takes_device_memory() const override { return takes_device_memory_; }
    void take_device_memory(bool takes) { takes_device_memory_ = takes; }

    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        auto transfer = std::make_unique<MpiTransfer>(timeout_);
        for (const IncomingMessage& message : receives) {
            each_part(message.bytes, [&](auto part) { transfer->receive(comm_, message.peer, part); });
        }
        for (const OutgoingMessage& message : sends) {
            each_part(message.bytes, [&](auto part) { transfer->send(comm_, message.peer, part); });
            traffic_.bytes += static_cast<std::int64_t>(message.bytes.size());
            traffic_.messages += parts_of(static_cast<std::int64_t>(message.bytes.size()));
        }
        return transfer;
    }

    std::unique_ptr<Communicator> split(int colour, int key) override {
        MPI_Comm part = MPI_COMM_NULL;
        check(MPI_Comm_split(comm_, colour, key, &part), "MPI_Comm_split");
        return std::make_unique<MpiCommunicator>(part, timeout_, takes_device_memory_);
    }

    Traffic traffic() const override { return traffic_; }
    void set_timeout(std::chrono::milliseconds timeout) override { timeout_ = timeout; }

   private:
    MPI_Comm comm_;
    std::chrono::milliseconds timeout_;
    bool takes_device_memory_;
    int rank_ = 0;
    int size_ = 1;
    Traffic traffic_;
};

std::unique_ptr<Communicator> joined_world() {
    if (launched_ranks() == 0) {
        return make_self_communicator();  // starting MPI alone costs time and may need a daemon
    }
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
    return std::make_unique<MpiCommunicator>(comm, std::chrono::minutes(5), false);
}

}  // namespace

World::World() : communicator_(joined_world()) {
    int is_started = 0;
    MPI_Initialized(&is_started);
    if (is_started != 0) {
        MPI_Comm machine = MPI_COMM_NULL;
        check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
              "MPI_Comm_split_type");
        MPI_Comm_rank(machine, &local_rank_);
        MPI_Comm_size(machine, &local_ranks_);
        MPI_Comm_free(&machine);
    }
}

void World::choose(Transport memory) {
    if (memory == Transport::nccl && communicator_->size() > 1) {
        communicator_ = make_device_communicator(std::move(communicator_), nccl_transports());
        return;
    }
    if (auto* ranks = dynamic_cast<MpiCommunicator*>(communicator_.get())) {
        ranks->take_device_memory(in_device_memory(memory, mpi_takes_device_memory()));
    }
}

World::~World() {
    communicator_.reset();
    int is_started = 0;
    MPI_Initialized(&is_started);
    if (is_started != 0) {
        MPI_Finalize();
    }
}

void World::abort(int code) {
    int is_started = 0;
    MPI_Initialized(&is_started);
    if (is_started != 0) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::_Exit(code);
}

std::string mpi_version() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    text.resize(static_cast<std::size_t>(length));
    return text.substr(0, text.find(','));
}

}  // namespace plumecast
