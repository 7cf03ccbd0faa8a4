#include <array>
#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include <plumecast/core/error.hpp>
#include <plumecast/distributed/exchange.hpp>

#include "core/random.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

/// Value of a cell of a global array: the same on every rank that looks at it.
double value_of(const Shape& extents, const Shape& cell, const std::string& name) {
    std::int64_t index = 0;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        index = index * extents[axis] + cell[axis];
    }
    return RandomStream(3, name).normal(static_cast<std::uint64_t>(index));
}

template <class Use>
void each_cell(const Box& box, const Use& use) {
    const Shape extents = box.extents();
    for (std::int64_t i = 0; i < extents.count(); ++i) {
        Shape cell = box.low();
        std::int64_t rest = i;
        for (int axis = extents.rank() - 1; axis >= 0; --axis) {
            cell = cell.with(axis, box.low()[axis] + rest % extents[axis]);
            rest /= extents[axis];
        }
        use(cell, static_cast<std::size_t>(i));
    }
}

/// The arrays of one rank, filled from the global array or with one value.
class LocalArrays {
   public:
    LocalArrays(const std::vector<Box>& boxes, const Shape& extents, const std::string& name) : boxes_(boxes) {
        for (const Box& box : boxes) {
            Tensor& array = arrays_.emplace_back(host_zeros(box.extents(), DType::float64));
            each_cell(box, [&](const Shape& cell, std::size_t i) {
                array.values<double>()[i] = name.empty() ? -7.0 : value_of(extents, cell, name);
            });
        }
    }
    std::vector<ConstView> views() const { return {arrays_.begin(), arrays_.end()}; }
    std::vector<OutputRef> targets(double beta = 0.0) {
        std::vector<OutputRef> targets;
        for (Tensor& array : arrays_) {
            targets.push_back({array.view(), beta});
        }
        return targets;
    }
    double at(std::size_t array, std::size_t i) const { return arrays_[array].values<double>()[i]; }
    const std::vector<Box>& boxes() const { return boxes_; }

   private:
    std::vector<Box> boxes_;
    std::vector<Tensor> arrays_;
};

double inner_product(const LocalArrays& a, const LocalArrays& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.boxes().size(); ++i) {
        sum += dot(a.views()[i], b.views()[i]);
    }
    return sum;
}

/// Cells of a layout's box that another one covers.
bool is_covered(const Layout& layout, const Shape& cell) {
    Shape next = cell;
    for (int axis = 0; axis < cell.rank(); ++axis) {
        next = next.with(axis, cell[axis] + 1);
    }
    for (const std::vector<Box>& boxes : layout) {
        for (const Box& box : boxes) {
            if (box.contains(Box(cell, next))) {
                return true;
            }
        }
    }
    return false;
}

/// What a rank sends in float64: the cells of its boxes that lie in boxes of others, one message for each of these.
Traffic traffic_between(const Layout& from, const Layout& to, std::size_t me) {
    Traffic traffic;
    for (std::size_t peer = 0; peer < to.size(); ++peer) {
        std::int64_t cells = 0;
        for (const Box& mine : from[me]) {
            for (const Box& wanted : to[peer]) {
                const Box shared = intersection(mine, wanted);
                cells += shared.empty() ? 0 : shared.count();
            }
        }
        if (peer != me && cells > 0) {
            traffic.bytes += cells * static_cast<std::int64_t>(sizeof(double));
            ++traffic.messages;
        }
    }
    return traffic;
}

/// Copies what belongs there, keeps the rest, sends what it said it would, and has the right adjoint.
void expect_exchange(Communicator& communicator, const Shape& extents, const Layout& from, const Layout& to) {
    const auto backend = make_oracle_backend();
    const auto me = static_cast<std::size_t>(communicator.rank());
    const Exchange exchange(communicator, from, to);
    const LocalArrays x(from[me], extents, "x");
    LocalArrays moved(to[me], extents, "");
    const Traffic before = communicator.traffic();
    exchange.forward(*backend, x.views(), moved.targets());
    const Traffic expected = traffic_between(from, to, me);
    EXPECT_EQ(communicator.traffic().bytes - before.bytes, expected.bytes);
    EXPECT_EQ(communicator.traffic().messages - before.messages, expected.messages);
    for (std::size_t b = 0; b < to[me].size(); ++b) {
        each_cell(to[me][b], [&](const Shape& cell, std::size_t i) {
            ASSERT_EQ(moved.at(b, i), is_covered(from, cell) ? value_of(extents, cell, "x") : -7.0) << cell.text();
        });
    }

    const LocalArrays y(to[me], extents, "y" + std::to_string(me));
    LocalArrays image(to[me], extents, "zero");
    for (const OutputRef& target : image.targets()) {
        backend->fill(target.view, 0.0);
    }
    exchange.forward(*backend, x.views(), image.targets());
    LocalArrays back(from[me], extents, "");
    exchange.adjoint(*backend, y.views(), back.targets());
    std::array<double, 4> sums = {inner_product(image, y), inner_product(x, back), inner_product(image, image),
                                  inner_product(y, y)};
    communicator.sum(sums);
    EXPECT_LE(std::abs(sums[0] - sums[1]), 1e-13 * std::sqrt(sums[2] * sums[3]) + 1e-300);
}

TEST(ExchangeOnRanks, TransposesACutArray) {
    on_several_ranks([](Communicator& communicator) {
        const int ranks = communicator.size();
        for (const Shape& extents : {Shape{5, 7, 3}, Shape{11, 2, 2}, Shape{1, 13, 1}, Shape{8, 8, 2}}) {
            expect_exchange(communicator, extents, partition_layout(extents, 0, balanced_partition(extents[0], ranks)),
                            partition_layout(extents, 1, balanced_partition(extents[1], ranks)));
        }
    });
}

TEST(ExchangeOnRanks, FillsHalosAndAddsThemBack) {
    on_several_ranks([](Communicator& communicator) {
        const Shape extents{2, 9, 4};
        const Layout owned = partition_layout(extents, 1, balanced_partition(extents[1], communicator.size()));
        for (const std::int64_t width : {0, 1, 3}) {
            expect_exchange(communicator, extents, owned, halo_layout(owned, extents, 1, width, 1));
        }
    });
}

TEST(ExchangeOnRanks, BroadcastsAndSumsGradients) {
    on_several_ranks([](Communicator& communicator) {
        const int ranks = communicator.size();
        const Shape extents{3, 5};
        for (int root = 0; root < ranks; ++root) {
            expect_exchange(communicator, extents, gathered_layout(extents, root, ranks),
                            replicated_layout(extents, ranks));
        }
        expect_exchange(communicator, extents, partition_layout(extents, 1, balanced_partition(5, ranks)),
                        replicated_layout(extents, ranks));
    });
}

/// A partition by random cuts along random axes, dealt to random ranks, with a part left out now and then.
Layout random_partition(const Shape& extents, int ranks, const RandomStream& random, std::uint64_t& drawn) {
    std::vector<Box> boxes = {Box(extents)};
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random.bits(drawn++) % static_cast<std::uint64_t>(bound));
    };
    for (int cut = 0; cut < 2 * ranks; ++cut) {
        const auto which = static_cast<std::size_t>(below(static_cast<std::int64_t>(boxes.size())));
        const int axis = static_cast<int>(below(extents.rank()));
        const Box box = boxes[which];
        const std::int64_t at = box.low()[axis] + below(box.high()[axis] - box.low()[axis] + 1);
        boxes[which] = box.with(axis, box.low()[axis], at);
        boxes.push_back(box.with(axis, at, box.high()[axis]));
    }
    Layout layout(static_cast<std::size_t>(ranks));
    for (const Box& box : boxes) {
        if (below(8) > 0) {
            layout[static_cast<std::size_t>(below(ranks))].push_back(box);
        }
    }
    return layout;
}

Layout random_boxes(const Shape& extents, int ranks, const RandomStream& random, std::uint64_t& drawn) {
    Layout layout(static_cast<std::size_t>(ranks));
    for (std::vector<Box>& boxes : layout) {
        for (std::uint64_t count = random.bits(drawn++) % 4; count > 0; --count) {
            Box box(extents);
            for (int axis = 0; axis < extents.rank(); ++axis) {
                const auto bound = static_cast<std::uint64_t>(extents[axis] + 1);
                const auto a = static_cast<std::int64_t>(random.bits(drawn++) % bound);
                const auto b = static_cast<std::int64_t>(random.bits(drawn++) % bound);
                box = box.with(axis, std::min(a, b), std::max(a, b));
            }
            boxes.push_back(box);
        }
    }
    return layout;
}

TEST(ExchangeOnRanks, MovesAnyBoxesToAnyOverlappingBoxes) {
    on_several_ranks([](Communicator& communicator) {
        const RandomStream random(11, "layouts");  // the same on every rank
        std::uint64_t drawn = 0;
        const Shape extents{4, 3, 5, 2};
        for (int trial = 0; trial < 60; ++trial) {
            const Layout from = random_partition(extents, communicator.size(), random, drawn);
            const Layout to = random_boxes(extents, communicator.size(), random, drawn);
            expect_exchange(communicator, extents, from, to);
        }
    });
}

TEST(ExchangeOnRanks, AddsToWhatIsThereWhenAskedTo) {
    on_several_ranks([](Communicator& communicator) {
        const auto backend = make_oracle_backend();
        const Shape extents{6};
        const auto me = static_cast<std::size_t>(communicator.rank());
        const Layout from = partition_layout(extents, 0, balanced_partition(6, communicator.size()));
        const Layout to = replicated_layout(extents, communicator.size());
        const Exchange exchange(communicator, from, to);
        const LocalArrays x(from[me], extents, "x");
        LocalArrays y(to[me], extents, "");
        exchange.forward(*backend, x.views(), y.targets(0.5));
        EXPECT_DOUBLE_EQ(y.at(0, 4), value_of(extents, {4}, "x") - 3.5);
        LocalArrays sum(from[me], extents, "");
        const LocalArrays ones(to[me], extents, "");  // all -7
        exchange.adjoint(*backend, ones.views(), sum.targets(1.0));
        each_cell(from[me][0], [&](const Shape&, std::size_t i) {
            EXPECT_DOUBLE_EQ(sum.at(0, i), -7.0 * (communicator.size() + 1));
        });
    });
}

TEST(ExchangeOnRanks, LetsOtherWorkBeDoneMeanwhile) {
    on_several_ranks([](Communicator& communicator) {
        const auto backend = make_oracle_backend();
        const Shape extents{7, 3};
        const int ranks = communicator.size();
        const auto me = static_cast<std::size_t>(communicator.rank());
        const Layout from = partition_layout(extents, 0, balanced_partition(7, ranks));
        const Layout to = partition_layout(extents, 1, balanced_partition(3, ranks));
        const Exchange forth(communicator, from, to), back(communicator, to, from);
        const LocalArrays x(from[me], extents, "x"), y(to[me], extents, "y");
        LocalArrays moved_x(to[me], extents, ""), moved_y(from[me], extents, "");
        auto first = forth.start_forward(*backend, x.views());
        auto second = back.start_forward(*backend, y.views());
        forth.finish_forward(std::move(first), moved_x.targets());
        back.finish_forward(std::move(second), moved_y.targets());
        each_cell(to[me][0],
                  [&](const Shape& cell, std::size_t i) { EXPECT_EQ(moved_x.at(0, i), value_of(extents, cell, "x")); });
        each_cell(from[me][0],
                  [&](const Shape& cell, std::size_t i) { EXPECT_EQ(moved_y.at(0, i), value_of(extents, cell, "y")); });
    });
}

TEST(ExchangeOnRanks, KeepsMessagesInMemoryThatIsGiven) {
    on_several_ranks([](Communicator& communicator) {
        const auto backend = make_oracle_backend();
        const Shape extents{7, 3};
        const int ranks = communicator.size();
        const auto me = static_cast<std::size_t>(communicator.rank());
        for (const int axis : {0, 1}) {  // rows lie in one piece and are sent from where they are, columns do not
            const Layout from = partition_layout(extents, axis, balanced_partition(extents[axis], ranks));
            const Layout to = replicated_layout(extents, ranks);
            const Exchange exchange(communicator, from, to);
            const std::int64_t own = from[me][0].count(), others = extents.count() - own;
            EXPECT_EQ(exchange.message_elements(false), others);
            EXPECT_EQ(exchange.message_elements(true), own * (ranks - 1) + (axis == 0 ? 0 : others));
            Tensor messages(backend->memory(), {exchange.message_elements(false)}, DType::float64);
            backend->fill(messages, std::nan(""));
            const LocalArrays x(from[me], extents, "x");
            LocalArrays all(to[me], extents, "");
            exchange.finish_forward(exchange.start_forward(*backend, x.views(), messages.view()), all.targets());
            each_cell(to[me][0],
                      [&](const Shape& cell, std::size_t i) { EXPECT_EQ(all.at(0, i), value_of(extents, cell, "x")); });
            Tensor back(backend->memory(), {exchange.message_elements(true)}, DType::float64);
            backend->fill(back, std::nan(""));
            LocalArrays sums(from[me], extents, "");
            exchange.finish_adjoint(exchange.start_adjoint(*backend, all.views(), back.view()), sums.targets());
            each_cell(from[me][0], [&](const Shape& cell, std::size_t i) {
                EXPECT_DOUBLE_EQ(sums.at(0, i), ranks * value_of(extents, cell, "x"));
            });
        }
    });
}

TEST(ExchangeOnRanks, RefusesRanksThatDisagree) {
    on_several_ranks([](Communicator& communicator) {
        const int last = communicator.size() - 1;
        const Shape extents{4 + (communicator.rank() == last ? 1 : 0)};  // another input file on one rank, say
        const Layout layout = replicated_layout(extents, communicator.size());
        const Layout owner = gathered_layout(extents, 0, communicator.size());
        if (last == 0) {
            EXPECT_NO_THROW(Exchange(communicator, owner, layout));
            return;
        }
        try {
            const Exchange exchange(communicator, owner, layout);
            ADD_FAILURE() << "different layouts were accepted";
        } catch (const CommError& error) {
            EXPECT_THAT(error.what(), HasSubstr("rank " + std::to_string(last) + " plans another exchange"));
        }
    });
}

TEST(Exchange, RefusesTwoOwnersAndALayoutForAnotherJob) {
    const auto self = make_self_communicator();
    const Layout two_owners = {{Box({0}, {3}), Box({2}, {5})}};
    EXPECT_THROW(Exchange(*self, two_owners, {{Box({0}, {5})}}), InvalidInput);
    EXPECT_THROW(Exchange(*self, replicated_layout({2}, 2), {{}}), InvalidInput);
}

TEST(Exchange, CountsOnlyWhatCrosses) {
    on_ranks(4, [](Communicator& communicator) {
        const Shape extents{8, 6};
        const Layout rows = partition_layout(extents, 0, balanced_partition(8, 4));
        const Layout columns = partition_layout(extents, 1, {0, 2, 4, 5, 6});
        const auto me = static_cast<std::size_t>(communicator.rank());
        const std::array<std::int64_t, 4> kept = {2, 2, 1, 1};  // columns that stay on the rank
        EXPECT_EQ(traffic_between(rows, columns, me), (Traffic{2 * (6 - kept[me]) * 8, 3}));
        expect_exchange(communicator, extents, rows, columns);
    });
}

}  // namespace
}  // namespace plumecast::testing
