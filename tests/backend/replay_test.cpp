#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/fenced_kernels.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

class ReplayOp : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ReplayOp, ::testing::ValuesIn(backends()), choice_name);

constexpr std::int64_t rows = 3000, columns = 3;

/// Takes memory between its steps, as networks do.
void sums_of_squares(Backend& backend, ConstView x, View y) {
    Tensor doubled(backend.memory(), x.shape, backend.compute_type());
    backend.add(2.0, x, {doubled});
    backend.column_sums(std::as_const(doubled).view(), {y});
    const Tensor unused(backend.memory(), {1000}, DType::float64);
}

Tensor values(std::int64_t round) {
    return random_tensor({rows, columns}, DType::float32, "round " + std::to_string(round));
}

double sum_of(const Tensor& values) {
    double sum = 0.0;
    for (const double value : as_double(values)) {
        sum += value;
    }
    return sum;
}

TEST_P(ReplayOp, ComputesWithWhatItsMemoryHoldsEachTime) {
    Tensor x(backend().memory(), {rows, columns}, backend().compute_type());
    Tensor y(backend().memory(), {columns}, backend().compute_type());
    const auto replay = backend().make_replay();
    for (std::int64_t round = 0; round < 5; ++round) {
        const Tensor host = values(round);
        backend().upload(host, x);
        replay->run([&] { sums_of_squares(backend(), x, y); });
        // Others use the memory in the meantime.
        std::vector<Tensor> others;
        for (int i = 0; i < 8; ++i) {
            others.emplace_back(backend().memory(), Shape{rows, columns + i}, backend().compute_type());
            backend().fill(others.back(), std::numeric_limits<double>::quiet_NaN());
        }
        Tensor sums = host_zeros({columns});
        backend().download(std::as_const(y).view(), sums);
        EXPECT_NEAR(sum_of(sums), 2.0 * sum_of(host), 1e-3) << "round " << round;
    }
}

TEST_P(ReplayOp, LeavesWhatOthersKeepAlone) {
    Tensor x(backend().memory(), {rows, columns}, backend().compute_type());
    Tensor y(backend().memory(), {columns}, backend().compute_type());
    backend().upload(values(0), x);
    const auto replay = backend().make_replay();
    replay->run([&] { sums_of_squares(backend(), x, y); });
    replay->run([&] { sums_of_squares(backend(), x, y); });
    Tensor kept(backend().memory(), {rows, columns}, backend().compute_type());
    backend().fill(kept, 7.0);
    replay->run([&] { sums_of_squares(backend(), x, y); });
    EXPECT_EQ(backend().squared_norm(kept), 49.0 * rows * columns);
}

TEST_P(ReplayOp, DownloadsBesideLaterWork) {
    Tensor x(backend().memory(), {rows, columns}, backend().compute_type());
    const Tensor first = values(0), second = values(1);
    Tensor found = host_zeros({rows, columns}), again = host_zeros({rows, columns});
    backend().upload(first, x);
    const auto pending = backend().start_download(x, found);
    Tensor y(backend().memory(), {rows, columns}, backend().compute_type());
    backend().start_upload(second, y);
    const auto other = backend().start_download(y, again);
    pending->wait();
    other->wait();
    EXPECT_EQ(as_double(found), as_double(first));
    EXPECT_EQ(as_double(again), as_double(second));
}

TEST(ReplayRefused, RunsPlainlyAndSaysSoOnce) {
    std::vector<std::string> log;
    const auto backend = make_fenced_kernels([&](Severity, std::string_view message) { log.emplace_back(message); });
    Tensor x(backend->memory(), {rows, columns}, DType::float32);
    backend->upload(values(0), x);
    const auto replay = backend->make_replay();
    int runs = 0;
    double norm = 0.0;
    for (int round = 0; round < 4; ++round) {
        norm = 0.0;
        replay->run([&] {
            ++runs;
            norm = backend->squared_norm(x);  // waits for the device, which no recording can
        });
        EXPECT_GT(norm, 0.0);
    }
    EXPECT_EQ(runs, 5);  // one of them the attempt to record
    ASSERT_EQ(log.size(), 1u);
    EXPECT_NE(log[0].find("cannot be recorded"), std::string::npos) << log[0];
}

TEST(ReplayRefused, LeavesTheBackendUsableWhenTheBodyThrows) {
    const auto backend = make_fenced_kernels();
    Tensor x(backend->memory(), {rows, columns}, DType::float32);
    backend->upload(values(0), x);
    const auto replay = backend->make_replay();
    replay->run([] {});
    EXPECT_THROW(replay->run([] { throw std::runtime_error("stopped by the user"); }), std::runtime_error);
    EXPECT_GT(backend->squared_norm(x), 0.0);
    replay->run([&] { backend->fill(x, 2.0); });
    EXPECT_EQ(backend->squared_norm(x), 4.0 * rows * columns);
}

/// What a thread does while another one is in the middle of a recording.
TEST(ReplayBesideThreads, HoldsNothingThatOtherThreadsDoMeanwhile) {
    const auto backend = make_fenced_kernels();
    Tensor x(backend->memory(), {rows, columns}, DType::float32), y(backend->memory(), {columns}, DType::float32);
    Tensor others(backend->memory(), {rows, columns}, DType::float32), kept;
    backend->upload(values(0), x);
    const auto replay = backend->make_replay();
    double norm = 0.0;
    const auto other_thread = [&] {
        backend->fill(others, 3.0);
        norm = backend->squared_norm(others);  // which no recording can hold
        kept = Tensor(backend->memory(), {rows, columns}, DType::float32);
        backend->fill(kept, 7.0);
    };
    int runs = 0;
    const auto body = [&] {
        Tensor doubled(backend->memory(), x.shape(), DType::float32);
        backend->add(2.0, std::as_const(x).view(), {doubled});
        backend->column_sums(std::as_const(doubled).view(), {y});
        doubled = Tensor();
        if (++runs == 2) {
            std::jthread{other_thread}.join();
        }
    };
    for (int round = 0; round < 4; ++round) {
        replay->run(body);
    }
    EXPECT_EQ(runs, 2) << "a plain run and a recording, which was played";
    EXPECT_EQ(norm, 9.0 * rows * columns) << "done at once";
    EXPECT_EQ(backend->squared_norm(kept), 49.0 * rows * columns) << "in memory that the recording does not use";
    Tensor sums = host_zeros({columns});
    backend->download(std::as_const(y).view(), sums);
    EXPECT_NEAR(sum_of(sums), 2.0 * sum_of(values(0)), 1e-3);
}

TEST(ReplayBesideThreads, IsRecordedByManyAtOnce) {
    const auto backend = make_fenced_kernels();
    std::vector<double> sums(8), expected(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < sums.size(); ++thread) {
            threads.emplace_back([&, thread] {
                const Tensor host = values(static_cast<std::int64_t>(thread));
                Tensor x(backend->memory(), {rows, columns}, DType::float32);
                Tensor y(backend->memory(), {columns}, DType::float32), found = host_zeros({columns});
                backend->upload(host, x);
                const auto replay = backend->make_replay();
                for (int round = 0; round < 4; ++round) {
                    replay->run([&] { sums_of_squares(*backend, x, y); });
                }
                backend->download(std::as_const(y).view(), found);
                sums[thread] = sum_of(found);
                expected[thread] = 2.0 * sum_of(host);
            });
        }
    }
    for (std::size_t thread = 0; thread < sums.size(); ++thread) {
        EXPECT_NEAR(sums[thread], expected[thread], 1e-3) << thread;
    }
}

}  // namespace
}  // namespace plumecast::testing
