#include "reservoir/physics/scalars/taped.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "reservoir/physics/scalars/dual.hpp"

namespace plumecast {
namespace {

/// All operations, with constants on both sides.
template <typename Number>
Number formula(const Number& a, const Number& b) {
    Number sum = -a * b + 2.0 * a / (b - 0.5);
    sum += std::min(a, b) * 3.0 - 1.0 / std::max(a, b * b);
    return chosen(value_of(a) > 0.0, sum - b / 4.0, b);
}

TEST(Taped, HasTheSlopesOfDuals) {
    Tape tape(32);
    for (const double a : {1.5, 0.7, -2.0}) {
        double by_a = 1.0, by_b = 2.0;
        const double b = 1.1;
        const Taped result = formula(tape(a, by_a), tape(b, by_b));
        const Dual<2> expected = formula(Dual<2>(a, {1.0, 0.0}), Dual<2>(b, {0.0, 1.0}));
        EXPECT_EQ(result.value, expected.value);
        result.pull(10.0);
        tape.back();
        EXPECT_DOUBLE_EQ(by_a, 1.0 + 10.0 * expected.by[0]);
        EXPECT_DOUBLE_EQ(by_b, 2.0 + 10.0 * expected.by[1]);
    }
}

TEST(Taped, AddsUpTheCotangentsOfSeveralResultsAndOfOneNumberUsedTwice) {
    Tape tape(3);
    double by_a = 0.0, by_b = 0.0;
    const Taped a = tape(3.0, by_a), b = tape(5.0, by_b), again = tape(5.0, by_b);
    const Taped product = a * b, sum = a + again;
    product.pull(10.0);
    sum.pull(1.0);
    a.pull(100.0);
    Taped(7.0).pull(1.0);  // a constant, which has none
    tape.back();
    EXPECT_EQ(by_a, 10.0 * 5.0 + 1.0 + 100.0);
    EXPECT_EQ(by_b, 10.0 * 3.0 + 1.0);
}

TEST(Taped, LeavesOutTheInfiniteSlopesOfWhatIsNotChosen) {
    Tape tape(8);
    double by = 0.0;
    const Taped zero = tape(0.0, by);
    chosen(zero > 0.0, 1.0 / zero, zero * 2.0).pull(1.0);
    tape.back();
    EXPECT_EQ(by, 2.0);
}

TEST(Taped, NotesNoOperationForSumsWithConstantsAndProductsOfZero) {
    Tape tape(0);
    double by = 0.0;
    const Taped number = tape(3.0, by), sum = 2.0 + number - 1.0, zero = (Taped() * number + number * 0.0) / number;
    EXPECT_EQ(sum.value, 4.0);
    EXPECT_EQ(zero.value, 0.0);
    sum.pull(10.0);
    zero.pull(1.0);
    EXPECT_EQ(by, 10.0);
}

TEST(Tape, GoesBackByItselfOnceThereAreMany) {
    Tape tape(1000);
    double by = 0.0;
    const auto pulled_after = [&](int operations) {
        Taped number = tape(1.0, by);
        for (int i = 0; i < operations; ++i) {
            number = number * 2.0;
        }
        number.pull(1.0);
        tape.back_if_many();
        return by;
    };
    EXPECT_EQ(pulled_after(1), 0.0);
    EXPECT_EQ(pulled_after(300), 2.0 + std::pow(2.0, 300));
}

TEST(Tape, TakesNoMoreOperationsThanItHasPlacesFor) {
    double by = 0.0;
    Tape tape(1);
    const Taped number = tape(1.0, by), more = number * 2.0;
    EXPECT_THROW(more * 2.0, Error);
    tape.back();
    EXPECT_NO_THROW(number * 2.0);
}

}  // namespace
}  // namespace plumecast
