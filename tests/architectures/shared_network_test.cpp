#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <plumecast/layers/exchange/gradient_allreduce.hpp>

#include "support/comparison.hpp"
#include "support/fenced_kernels.hpp"
#include "support/gradient_check.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/small_network.hpp"

namespace plumecast::testing {
namespace {

constexpr std::int64_t batch = 3;

/// Extents of an array [B, space..., T, C] between the batch and time.
Box with_batch(const Box& space, CellRange cases, const Shape& whole) {
    Box box(whole);
    box = box.with(0, cases.low, cases.high);
    for (int axis = 0; axis < space.rank(); ++axis) {
        const bool varies = whole[axis + 1] > 1;
        box = varies ? box.with(axis + 1, space.low()[axis], space.high()[axis]) : box;
    }
    return box;
}

Tensor part_of(Backend& backend, ConstView whole, const Box& box) {
    Tensor part(backend.memory(), box.extents(), backend.compute_type());
    backend.copy_box(whole, box.low(), {part}, Box(box.extents()).low(), box.extents());
    return part;
}

/// What one rank computes: output, gradients of the inputs and of the weights by name.
struct Reference {
    Tensor output;
    std::vector<Tensor> inputs;
    std::map<std::string, Tensor> weights;
};

Tensor host_copy(Backend& backend, ConstView device) {
    Tensor host = host_zeros(device.shape, DType::float64);
    backend.download(device, host);
    return host;
}

Reference computed_alone(Backend& backend, const NetworkConfig& config, const Shape& extents, ExecutionMode mode) {
    const auto network = small_network(backend, config);
    const NetworkInput input = small_input(backend, extents, batch, 0, true);
    Reference reference;
    const Variable y = network->forward(input, mode);
    reference.output = host_copy(backend, y.value());
    backward(y, cotangent(backend, y.shape()));
    for (const LiftInput& group : input.groups) {
        reference.inputs.push_back(host_copy(backend, group.values.gradient()));
    }
    for (const Parameter& parameter : network->parameters().all()) {
        reference.weights[parameter.name] =
            host_copy(backend, parameter.trainable ? parameter.variable.gradient() : parameter.variable.value());
    }
    return reference;
}

/// The same without its values, which the first rank of a job computes for all.
Reference blank_reference(Backend& backend, const NetworkConfig& config, const Shape& extents) {
    Reference reference;
    Shape output{batch};
    for (const std::int64_t extent : extents.extents()) {
        output = output.append(extent);
    }
    reference.output = host_zeros(output.append(config.fields), DType::float64);
    for (const LiftInput& group : small_input(backend, extents, batch).groups) {
        reference.inputs.push_back(host_zeros(group.values.shape(), DType::float64));
    }
    const auto network = make_network(backend, config, 1);
    for (const Parameter& parameter : network->parameters().all()) {
        reference.weights[parameter.name] = host_zeros(parameter.whole, DType::float64);
    }
    return reference;
}

void share(Communicator& world, Reference& reference) {
    const auto broadcast = [&](Tensor& tensor) { world.broadcast(std::as_writable_bytes(tensor.values<double>()), 0); };
    broadcast(reference.output);
    std::ranges::for_each(reference.inputs, broadcast);
    for (auto& [name, values] : reference.weights) {
        broadcast(values);
    }
}

/// The sum over all ranks of arrays that lie in a box of a whole one.
Tensor summed(Communicator& world, const Shape& whole, ConstView part, const Box& box) {
    const auto oracle = make_oracle_backend();
    Tensor all = host_zeros(whole, DType::float64);
    oracle->copy_box(converted(part, DType::float64), Box(box.extents()).low(), {all}, box.low(), box.extents());
    world.sum(all.values<double>());
    return all;
}

struct SharedCase {
    NetworkConfig config;
    Shape extents;
    GridShape grid;
    double tolerance;
};

void expect_like_one_rank(Communicator& world, Backend& backend, const SharedCase& c, ExecutionMode mode,
                          const Reference& reference) {
    const ProcessGrid grid(world, c.grid);
    const auto network = small_network(backend, c.config, &grid);
    const CellRange cases = grid.cases(batch);
    NetworkInput input = small_input(backend, c.extents, batch);
    std::vector<Box> boxes;
    for (LiftInput& group : input.groups) {
        const Shape& whole = group.values.shape();
        const CellRange rows = whole[0] == 1 ? CellRange{0, 1} : cases;
        boxes.push_back(with_batch(network->input_box(c.extents), rows, whole));
        group.values = Variable(backend, part_of(backend, group.values.value(), boxes.back()), true);
    }
    input.batch = cases.cells();

    const Variable y = network->forward(input, mode);
    const Box own = with_batch(network->output_box(c.extents), cases, reference.output.shape());
    ASSERT_EQ(y.shape(), own.extents());
    const Tensor upstream = cotangent(backend, reference.output.shape());
    const Tensor output = host_copy(backend, y.value());
    backward(y, part_of(backend, upstream, own));
    expect_close(summed(world, reference.output.shape(), output, own), reference.output, c.tolerance, "output");
    for (std::size_t g = 0; g < boxes.size(); ++g) {
        const Tensor gradient = host_copy(backend, input.groups[g].values.gradient());
        expect_close(summed(world, reference.inputs[g].shape(), gradient, boxes[g]), reference.inputs[g], c.tolerance,
                     "input gradient");
    }
    GradientAllreduce{network->parameters()}();
    // All at once: some of them, such as biases before a batch norm, are zero but for rounding.
    double error = 0.0, norm = 0.0;
    for (const Parameter& parameter : network->parameters().all()) {
        const ConstView expected = network->parameters().held_part(parameter, reference.weights.at(parameter.name));
        const ConstView found = parameter.trainable ? parameter.variable.gradient() : parameter.variable.value();
        if (expected.shape.count() > 0) {
            const double square = dot(expected, expected);
            error += std::pow(relative_l2(host_copy(backend, found), expected), 2) * (square > 0.0 ? square : 1.0);
            norm += square;
        }
    }
    EXPECT_LE(std::sqrt(error / norm), c.tolerance) << "weight gradients and running statistics";
}

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

void expect_like_one_rank(const SharedCase& c, ExecutionMode mode, const MakeBackend& make) {
    SCOPED_TRACE(c.config.architecture + " on " + c.grid.text());
    if (is_launched() && c.grid.ranks() != ranks_of_job()) {
        return;
    }
    const auto alone = make();
    Reference reference = launched_rank() == 0 ? computed_alone(*alone, c.config, c.extents, mode)
                                               : blank_reference(*alone, c.config, c.extents);
    on_ranks(c.grid.ranks(), [&](Communicator& world) {
        if (is_launched()) {
            share(world, reference);
        }
        const auto backend = make();
        expect_like_one_rank(world, *backend, c, mode, reference);
    });
}

class SharedNetworkTest : public ::testing::TestWithParam<std::string> {};

// Fewer cases than groups, cuts that no power of two divides, a rank of padding alone.
const std::vector<GridShape> grids{{4, 1, 1}, {2, 2, 1}, {1, 7, 1}};

TEST_P(SharedNetworkTest, TrainsLikeOneRank) {
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::tanh};  // no kink whose side rounding could decide
    for (const GridShape& grid : grids) {
        expect_like_one_rank({config, {5, 11, 3}, grid, 1e-12}, ExecutionMode::training,
                             [] { return make_oracle_backend(); });
    }
}

TEST_P(SharedNetworkTest, EvaluatesLikeOneRank) {
    expect_like_one_rank({small_config(GetParam()), {5, 11, 3}, {2, 2}, 1e-12}, ExecutionMode::evaluation,
                         [] { return make_oracle_backend(); });
}

TEST_P(SharedNetworkTest, TrainsLikeOneRankInFloat32) {
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::tanh};
    for (const GridShape& grid : {GridShape{1, 4, 1}, GridShape{2, 2, 1}}) {
        expect_like_one_rank({config, {5, 11, 3}, grid, 1e-5}, ExecutionMode::training,
                             [] { return make_cpu_backend({.threads = 1}); });
    }
}

TEST_P(SharedNetworkTest, TrainsLikeOneRankWhereMessagesGoThroughHostMemory) {
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::tanh};
    expect_like_one_rank({config, {5, 11, 3}, {2, 2}, 1e-5}, ExecutionMode::training,
                         [] { return make_fenced_kernels(); });
}

INSTANTIATE_TEST_SUITE_P(Architectures, SharedNetworkTest, ::testing::ValuesIn(architecture_names()),
                         [](const auto& name) { return name.param; });

/// The output of a network on a grid by transposes, put together.
Tensor evaluated_by_transposes(const NetworkConfig& config, const Shape& extents, const GridShape& shape) {
    Tensor all;
    on_ranks(shape.ranks(), [&](Communicator& world) {
        // Winograd's algorithm works in tiles, which begin where a rank's cells do.
        const auto backend = make_cpu_backend({.threads = 1, .direct_convolutions = true});
        const ProcessGrid grid(world, shape, Route::transpose);
        const auto network = small_network(*backend, config, &grid);
        network->parameters().set_trainable(false);
        NetworkInput input = small_input(*backend, extents, batch);
        for (LiftInput& group : input.groups) {
            const Shape& whole = group.values.shape();
            const Box box = with_batch(network->input_box(extents), {0, whole[0]}, whole);
            group.values = Variable(*backend, part_of(*backend, group.values.value(), box));
        }
        const Variable y = network->forward(input, ExecutionMode::evaluation);
        Shape whole{batch};
        for (const std::int64_t extent : extents.extents()) {
            whole = whole.append(extent);
        }
        whole = whole.append(2);
        const Tensor own = host_copy(*backend, y.value());
        Tensor sum = summed(world, whole, own, with_batch(network->output_box(extents), {0, batch}, whole));
        if (world.rank() == 0) {
            all = std::move(sum);
        }
    });
    return all;
}

TEST_P(SharedNetworkTest, EvaluatesToTheSameBitsOnEveryGridByTransposes) {
    const Shape extents{5, 11, 3};
    NetworkConfig config = small_config(GetParam());
    config.width = 16;  // whole vectors of the processor
    const Tensor alone = evaluated_by_transposes(config, extents, {});
    for (const GridShape& shape : {GridShape{1, 2}, GridShape{1, 3}, GridShape{1, 5}}) {
        EXPECT_EQ(as_double(evaluated_by_transposes(config, extents, shape)), as_double(alone)) << shape.text();
    }
}

/// Three axes of space, convolved at each time step on its own.
NetworkConfig spatial_config(const std::string& architecture) {
    NetworkConfig config = small_config(architecture);
    config.modes = {1, 2, 2, 2};
    config.padding = {1, 1, 2, 0};
    config.edges = {Padding::Edge::zero, Padding::Edge::replicate, Padding::Edge::replicate, Padding::Edge::replicate};
    config.time_kernel = 1;
    config.time_strides = false;
    config.activation = {Activation::Kind::tanh};
    return config;
}

TEST_P(SharedNetworkTest, EvaluatesToTheSameBitsOnEveryGridOfTwoCutAxesByTransposes) {
    const Shape extents{3, 9, 11, 2};
    NetworkConfig config = spatial_config(GetParam());
    config.width = 16;
    const Tensor alone = evaluated_by_transposes(config, extents, {});
    for (const GridShape& shape : {GridShape{1, 2, 1}, GridShape{1, 1, 3}, GridShape{1, 2, 2}, GridShape{1, 3, 2}}) {
        EXPECT_EQ(as_double(evaluated_by_transposes(config, extents, shape)), as_double(alone)) << shape.text();
    }
}

TEST(SharedNetwork, CutsTwoOfThreeSpaceAxes) {
    NetworkConfig config = small_config("fno");
    config.modes = {1, 2, 2, 2};
    config.padding = {1, 1, 0, 1};
    config.edges = {Padding::Edge::zero, Padding::Edge::replicate, Padding::Edge::zero, Padding::Edge::replicate};
    config.padded_multiple = 1;
    for (const GridShape& grid : {GridShape{1, 2, 2}, GridShape{2, 1, 3}}) {
        expect_like_one_rank({config, {2, 4, 5, 3}, grid, 1e-12}, ExecutionMode::training,
                             [] { return make_oracle_backend(); });
    }
}

TEST(SharedNetwork, CutsTwoOfThreeSpaceAxesOfConvolutions) {
    for (const char* architecture : {"ufno", "cnn"}) {
        for (const GridShape& grid : {GridShape{1, 2, 2}, GridShape{2, 3, 1}}) {
            expect_like_one_rank({spatial_config(architecture), {3, 9, 11, 2}, grid, 1e-5}, ExecutionMode::training,
                                 [] { return make_cpu_backend({.threads = 1}); });
        }
    }
}

class SharedNetworkOnRanks : public ::testing::TestWithParam<std::string> {
   protected:
    /// Threads that play ranks have tests of their own above: here they take the grids of four.
    void train_on(const std::vector<GridShape>& shapes, const NetworkConfig& config, const Shape& extents,
                  double tolerance, const MakeBackend& make) {
        for (const GridShape& shape : shapes) {
            if (is_launched() || shape.ranks() == 4) {
                expect_like_one_rank({config, extents, shape, tolerance}, ExecutionMode::training, make);
            }
        }
    }
    const std::vector<GridShape> radial_{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 2}, {2, 3}, {1, 6}, {2, 4}};
    const std::vector<GridShape> cartesian_{{1, 1, 1}, {1, 1, 2}, {1, 3, 1}, {1, 2, 2}, {1, 3, 2}, {2, 2, 2}};
};

TEST_P(SharedNetworkOnRanks, TrainsLikeOneRankInDouble) {
    NetworkConfig config = small_config(GetParam());
    config.activation = {Activation::Kind::tanh};
    train_on(radial_, config, {3, 6, 3}, 1e-12, [] { return make_oracle_backend(); });
}

TEST_P(SharedNetworkOnRanks, TrainsLikeOneRankInDoubleOnThreeSpaceAxes) {
    NetworkConfig config = small_config_3d(GetParam());
    config.activation = {Activation::Kind::tanh};
    train_on(cartesian_, config, {2, 6, 5, 2}, 1e-12, [] { return make_oracle_backend(); });
}

TEST_P(SharedNetworkOnRanks, TrainsLikeOneRankInFloat32) {
    NetworkConfig config = small_config(GetParam()), config_3d = small_config_3d(GetParam());
    config.activation = config_3d.activation = {Activation::Kind::tanh};
    train_on(radial_, config, {5, 11, 3}, 1e-5, [] { return make_cpu_backend({.threads = 1}); });
    train_on(cartesian_, config_3d, {2, 6, 5, 2}, 1e-5, [] { return make_cpu_backend({.threads = 1}); });
}

INSTANTIATE_TEST_SUITE_P(Architectures, SharedNetworkOnRanks, ::testing::ValuesIn(architecture_names()),
                         [](const auto& name) { return name.param; });

TEST(SharedNetwork, RefusesMorePartsThanCells) {
    on_ranks(9, [](Communicator& world) {
        const ProcessGrid grid(world, {1, 9, 1});
        const auto plan = make_planning_backend();
        NetworkConfig config = small_config("fno");
        config.padded_multiple = 1;
        config.padding = {0, 0, 2};
        const auto network = make_network(*plan, config, 1, &grid);
        EXPECT_THROW(network->input_box({5, 8, 3}), InvalidInput);
    });
}

}  // namespace
}  // namespace plumecast::testing
