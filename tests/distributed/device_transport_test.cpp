#include "distributed/device_transport.hpp"

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

#include "support/forwarded_ranks.hpp"
#include "support/oracle_class.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

/// A device as far as Exchange can see: the host may not read its memory, and what it copies is counted.
class PretendedDevice final : public OracleBackend {
   public:
    bool shares_host_memory() const override { return false; }
    void wait() override { ++waits; }
    void download(ConstView device, View host) override {
        ++copies;
        OracleBackend::download(device, host);
    }
    void upload(ConstView host, View device) override {
        ++copies;
        OracleBackend::upload(host, device);
    }
    int copies = 0, waits = 0;
};

TEST(ExchangeOnRanks, CopiesDeviceMemoryToTheHostOnlyWhereMessagesMustLieThere) {
    on_several_ranks([](Communicator& ranks) {
        ForwardedRanks device_ranks(ranks, true);
        for (Communicator* communicator : {&ranks, static_cast<Communicator*>(&device_ranks)}) {
            PretendedDevice device;
            const Shape whole{6, 2};
            const auto me = static_cast<std::size_t>(ranks.rank());
            const Layout cut = partition_layout(whole, 0, balanced_partition(6, ranks.size()));
            const Exchange exchange(*communicator, cut, replicated_layout(whole, ranks.size()));
            Tensor own(device.memory(), cut[me][0].extents(), DType::float64);
            Tensor all(device.memory(), whole, DType::float64);
            device.fill(own, static_cast<double>(me));
            exchange.forward(device, std::array{std::as_const(own).view()}, std::array{OutputRef{all.view()}});
            for (std::size_t rank = 0; rank < cut.size(); ++rank) {
                for (std::int64_t row = cut[rank][0].low()[0]; row < cut[rank][0].high()[0]; ++row) {
                    EXPECT_EQ(all.view().as<double>()[2 * row], static_cast<double>(rank));
                }
            }
            const bool sends = ranks.size() > 1;
            EXPECT_EQ(device.copies > 0, sends && communicator == &ranks);
            EXPECT_EQ(device.waits > 0, sends) << "what is packed must have been written";
        }
    });
}

TEST(Transport, IsOfTheDeviceWhereTheLibrarySaysSo) {
    EXPECT_TRUE(in_device_memory(Transport::automatic, true));
    EXPECT_FALSE(in_device_memory(Transport::automatic, false));
    EXPECT_FALSE(in_device_memory(Transport::host, true));
    EXPECT_TRUE(in_device_memory(Transport::device, true));
    EXPECT_THROW(in_device_memory(Transport::device, false), InvalidInput);
}

}  // namespace
}  // namespace plumecast::testing
