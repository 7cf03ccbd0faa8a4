#include "support/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "support/oracle_class.hpp"

namespace plumecast::testing {
namespace {

class TracedTransfer final : public Transfer {
   public:
    TracedTransfer(std::unique_ptr<Transfer> transfer, Trace& trace)
        : transfer_(std::move(transfer)), trace_(&trace), number_(trace.start()) {}
    bool test() override { return transfer_->test(); }
    void wait() override {
        trace_->wait(number_);
        transfer_->wait();
    }

   private:
    std::unique_ptr<Transfer> transfer_;
    Trace* trace_;
    int number_;
};

class TracedCommunicator final : public Communicator {
   public:
    TracedCommunicator(Communicator& communicator, Trace& trace) : communicator_(&communicator), trace_(&trace) {}
    TracedCommunicator(std::unique_ptr<Communicator> part, Trace& trace)
        : owned_(std::move(part)), communicator_(owned_.get()), trace_(&trace) {}

    int rank() const override { return communicator_->rank(); }
    int size() const override { return communicator_->size(); }
    std::unique_ptr<Transfer> start(std::span<const OutgoingMessage> sends,
                                    std::span<const IncomingMessage> receives) override {
        return std::make_unique<TracedTransfer>(communicator_->start(sends, receives), *trace_);
    }
    std::unique_ptr<Communicator> split(int colour, int key) override {
        return std::make_unique<TracedCommunicator>(communicator_->split(colour, key), *trace_);
    }
    Traffic traffic() const override { return communicator_->traffic(); }
    void set_timeout(std::chrono::milliseconds timeout) override { communicator_->set_timeout(timeout); }

   private:
    std::unique_ptr<Communicator> owned_;
    Communicator* communicator_;
    Trace* trace_;
};

class TracedOracle final : public OracleBackend {
   public:
    explicit TracedOracle(Trace& trace) : trace_(&trace) {}

    void gemm(bool transpose_a, bool transpose_b, ConstView a, ConstView b, OutputRef c, ConstView bias,
              Activation f) override {
        trace_->op("gemm");
        OracleBackend::gemm(transpose_a, transpose_b, a, b, c, bias, f);
    }
    void transform_axis(ConstView matrix, ConstView x, OutputRef y, Activation f) override {
        trace_->op("transform_axis");
        OracleBackend::transform_axis(matrix, x, y, f);
    }
    void conv(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView weight, ConstView bias,
              OutputRef y, Activation f) override {
        trace_->op("conv");
        OracleBackend::conv(geometry, inputs, weight, bias, y, f);
    }
    void conv_weight_gradient(const ConvGeometry& geometry, std::span<const ConstView> inputs, ConstView gradient_y,
                              OutputRef gradient_weight) override {
        trace_->op("conv_weight_gradient");
        OracleBackend::conv_weight_gradient(geometry, inputs, gradient_y, gradient_weight);
    }

   private:
    Trace* trace_;
};

}  // namespace

std::vector<int> Trace::during_transfers(const std::string& op) const {
    std::vector<int> counts;
    for (auto begin = events_.begin(); begin != events_.end(); ++begin) {
        if (begin->what == "start") {
            const auto end = std::find_if(begin, events_.end(), [&](const Event& event) {
                return event.what == "wait" && event.transfer == begin->transfer;
            });
            counts.push_back(
                static_cast<int>(std::count_if(begin, end, [&](const Event& event) { return event.what == op; })));
        }
    }
    return counts;
}

int Trace::most_during_a_transfer(const std::string& op) const {
    const std::vector<int> counts = during_transfers(op);
    return counts.empty() ? 0 : std::ranges::max(counts);
}

int Trace::count(const std::string& what) const {
    return static_cast<int>(std::ranges::count_if(events_, [&](const Event& event) { return event.what == what; }));
}

void expect_unet_behind_messages(const Trace& trace, int convolutions) {
    EXPECT_EQ(trace.count("conv"), convolutions);
    const std::vector<int> during = trace.during_transfers("conv");
    EXPECT_EQ(std::ranges::count(during, convolutions - 1), 1) << "a spectrum";
    EXPECT_GE(std::ranges::count(during, 1), 1) << "the multiplied modes";
    EXPECT_GE(trace.during_transfers("transform_axis").front(), 2)
        << "the neighbours' cells travel during the forward Fourier transform";
}

std::unique_ptr<Communicator> traced(Communicator& communicator, Trace& trace) {
    return std::make_unique<TracedCommunicator>(communicator, trace);
}

std::unique_ptr<Backend> make_traced_oracle(Trace& trace) { return std::make_unique<TracedOracle>(trace); }

}  // namespace plumecast::testing
