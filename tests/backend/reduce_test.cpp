#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"

namespace plumecast::testing {
namespace {

class Reduce : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, Reduce, ::testing::ValuesIn(op_backends()), choice_name);

TEST_P(Reduce, SquaredNormSumsAllElements) {
    for (const Shape& shape : {Shape{0, 3}, Shape{1}, Shape{17, 5}, Shape{3, 30011}}) {
        const auto ops = [&](Arrays& a) {
            a.backend().fill(a.output64("sum", {1}), a.backend().squared_norm(a.random("x", shape)));
        };
        expect_like_oracle(backend(), {"sum"}, ops, 1e-12, shape.text());
    }
}

TEST_P(Reduce, SquaredNormSumsManyArrays) {
    const auto ops = [](Arrays& a) {
        std::vector<ConstView> arrays;
        for (std::int64_t n = 0; n < 1030; ++n) {  // more than one launch of the CUDA backend takes
            arrays.push_back(a.random("x" + std::to_string(n), {n % 7, 11}));
        }
        a.backend().squared_norm(arrays, a.output64("sum", {1}));
        a.backend().squared_norm({}, a.output64("none", {1}));
    };
    expect_like_oracle(backend(), {"sum", "none"}, ops, 1e-12);
}

TEST_P(Reduce, ColumnSumsAddToTheScaledDestination) {
    for (const Shape& shape : {Shape{0, 3}, Shape{1, 1}, Shape{2, 3, 5, 7}, Shape{1031, 33}}) {
        for (double beta : {0.0, 1.0, 0.5}) {
            const auto ops = [&](Arrays& a) {
                a.backend().column_sums(a.field("x", shape), a.target("y", {shape[-1]}, beta));
            };
            expect_like_oracle(backend(), {"y"}, ops, 1e-6, shape.text() + " beta " + std::to_string(beta));
        }
    }
}

TEST(ReduceCpu, ResultsAreTheSameBitsForOneAndTwoThreads) {
    const auto one = make_cpu_backend({.threads = 1}), two = make_cpu_backend({.threads = 2});
    Arrays first(*one), second(*two);
    const auto run = [](Arrays& a) {
        const View x = a.random("x", {70001, 3});
        a.backend().column_sums(x, a.target("sums", {3}, 0.0));
        a.backend().moments(x, a.output64("moments", {2, 3}));
        return a.backend().squared_norm(x);
    };
    EXPECT_EQ(run(first), run(second));
    for (const char* name : {"sums", "moments"}) {
        EXPECT_EQ(as_double(first.download(name)), as_double(second.download(name))) << name;
    }
}

}  // namespace
}  // namespace plumecast::testing
