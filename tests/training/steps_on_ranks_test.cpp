#include <gtest/gtest.h>

#include <cmath>

#include <plumecast/training/optimizer.hpp>

#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t batch = 2;

/// This rank's part of the inputs, without gradient.
NetworkInput own_input(Backend& backend, const Network& network, const Shape& extents, const ProcessGrid* grid) {
    const CellRange cases = grid == nullptr ? CellRange{0, batch} : grid->cases(batch);
    NetworkInput input = small_input(backend, extents, cases.cells(), cases.low);
    const Box space = network.input_box(extents);
    for (LiftInput& group : input.groups) {
        const Shape& whole = group.values.shape();
        Box box(whole);
        for (int axis = 0; axis < space.rank(); ++axis) {
            box = whole[axis + 1] > 1 ? box.with(axis + 1, space.low()[axis], space.high()[axis]) : box;
        }
        Tensor part(backend.memory(), box.extents(), backend.compute_type());
        backend.copy_box(group.values.value(), box.low(), {part}, Box(box.extents()).low(), box.extents());
        group.values = Variable(backend, std::move(part));
    }
    return input;
}

/// A network after ten steps of Adam towards zero output.
std::unique_ptr<Network> after_ten_steps(Backend& backend, const NetworkConfig& config, const Shape& extents,
                                         const ProcessGrid* grid = nullptr) {
    auto network = small_network(backend, config, grid);
    const NetworkInput input = own_input(backend, *network, extents, grid);
    Adam adam(network->parameters(), {});
    for (int step = 0; step < 10; ++step) {
        const Variable y = network->forward(input, ExecutionMode::training);
        Tensor gradient(backend.memory(), y.shape(), backend.compute_type());
        backend.add(1.0, y.value(), {gradient});
        backward(y, std::move(gradient), adam.as_gradients_come());
        adam.step(1e-3);
    }
    return network;
}

void expect_same_steps(const NetworkConfig& config, const Shape& extents, const GridShape& shape) {
    if (is_launched() ? shape.ranks() != ranks_of_job() : shape.ranks() != 4) {
        return;  // threads that play ranks take the grid of four
    }
    SCOPED_TRACE(config.architecture + " on " + shape.text());
    on_ranks(shape.ranks(), [&](Communicator& world) {
        const auto backend = make_oracle_backend(), other = make_oracle_backend();
        const ProcessGrid grid(world, shape);
        const auto shared = after_ten_steps(*backend, config, extents, &grid);
        const auto alone = after_ten_steps(*other, config, extents);
        double error = 0.0, norm = 0.0;
        for (const Parameter& parameter : shared->parameters().all()) {
            const ConstView expected =
                shared->parameters().held_part(parameter, alone->parameters().at(parameter.name).variable.value());
            if (expected.shape.count() > 0) {
                const double size = dot(expected, expected);
                error += std::pow(relative_l2(parameter.variable.value(), expected), 2) * size;
                norm += size;
            }
        }
        EXPECT_LE(std::sqrt(error / norm), 1e-12);
    });
}

TEST(StepsOnRanks, AreTenOfOneRank) {
    NetworkConfig config = small_config("ufno");
    config.width = 2;
    config.activation = {Activation::Kind::tanh};
    for (const GridShape& shape :
         {GridShape{1, 1}, GridShape{1, 2}, GridShape{1, 3}, GridShape{2, 2}, GridShape{2, 3}, GridShape{1, 8}}) {
        expect_same_steps(config, {3, 6, 3}, shape);
    }
}

TEST(StepsOnRanks, AreTenOfOneRankOnThreeSpaceAxes) {
    NetworkConfig config = small_config_3d("conv_fno");
    config.activation = {Activation::Kind::tanh};
    for (const GridShape& shape : {GridShape{1, 1, 1}, GridShape{1, 1, 2}, GridShape{1, 3, 1}, GridShape{1, 2, 2},
                                   GridShape{1, 3, 2}, GridShape{2, 2, 2}}) {
        expect_same_steps(config, {2, 5, 6, 2}, shape);
    }
}

}  // namespace
}  // namespace plumecast::testing
