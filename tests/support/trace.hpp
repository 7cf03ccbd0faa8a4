#pragma once

#include <memory>
#include <string>
#include <vector>

#include <plumecast/backend/backend.hpp>
#include <plumecast/distributed/communicator.hpp>

namespace plumecast::testing {

/// What one rank did, in order: ops by name, messages by when they set out and when they were waited for.
class Trace {
   public:
    struct Event {
        std::string what;  ///< an op, "start" or "wait"
        int transfer = 0;  ///< number of the transfer, from 1; 0 for ops
    };

    void op(const std::string& name) { events_.push_back({name, 0}); }
    int start() {
        events_.push_back({"start", ++transfers_});
        return transfers_;
    }
    void wait(int transfer) { events_.push_back({"wait", transfer}); }
    void clear() { events_.clear(); }

    /// How often an op ran while a transfer was under way, by transfer.
    std::vector<int> during_transfers(const std::string& op) const;
    /// The most of them.
    int most_during_a_transfer(const std::string& op) const;
    int count(const std::string& what) const;

   private:
    std::vector<Event> events_;
    int transfers_ = 0;
};

/// Expects that all convolutions of a block's U-Net but the last run while the spectrum travels, one while the
/// multiplied modes do, and the forward Fourier transform while the neighbours' cells do.
void expect_unet_behind_messages(const Trace& trace, int convolutions);

/// A communicator that notes its transfers, and those of the communicators split from it. Both must outlive it.
std::unique_ptr<Communicator> traced(Communicator& communicator, Trace& trace);

/// The oracle, noting its convolutions, matrix products and transforms.
std::unique_ptr<Backend> make_traced_oracle(Trace& trace);

}  // namespace plumecast::testing
