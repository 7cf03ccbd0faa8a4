#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "passes/partition/rank_of_network.hpp"
#include "passes/partition/sum_gradients.hpp"
#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"

namespace plumecast::testing {
namespace {

using Pass = std::function<Graph(const Graph&)>;

/// Gradients of all weights and inputs of a graph, by the names of its outputs, after a pass over the graph that gives
/// them; none where the prediction does not depend.
std::map<std::string, Tensor> gradients_of(Backend& oracle, Graph graph, const Feed& feed, const Tensor& upstream,
                                           const Pass& pass) {
    const std::vector<std::string> names = add_gradients(graph);
    std::vector<Tensor> values = evaluate(oracle, pruned(pass(graph), names), [&](const std::string& name) {
        return name == "cotangent" ? upstream.view() : feed(name);
    });
    std::map<std::string, Tensor> result;
    for (std::size_t k = 0; k < names.size(); ++k) {
        result.emplace(names[k], std::move(values[k]));
    }
    return result;
}

struct Cut {
    NetworkConfig config;
    Shape extents;
    GridShape grid;
};

void expect_gradients_of_one_rank(const Cut& cut, ExecutionMode mode) {
    SCOPED_TRACE(cut.config.architecture + " on " + cut.grid.text());
    const auto judge = make_oracle_backend();
    const auto self = make_self_communicator();
    const RankOfNetwork alone(*self, GridShape{}, Route::automatic, *judge, cut.config, cut.extents, 3);
    Graph whole = alone.described(mode);
    const Tensor upstream = cotangent(*judge, whole.output("prediction").shape());
    const std::map<std::string, Tensor> expected =
        gradients_of(*judge, whole, alone.feed(), upstream, [](const Graph& graph) { return graph; });
    on_ranks(cut.grid.ranks(), [&](Communicator& world) {
        const auto oracle = make_oracle_backend();
        const RankOfNetwork rank(world, cut.grid, Route::automatic, *oracle, cut.config, cut.extents, 3);
        const Tensor own = RankOfNetwork::part_of(*oracle, upstream.view(), rank.predicted_box(upstream.shape()));
        const std::map<std::string, Tensor> found =
            gradients_of(*oracle, rank.partitioned(mode), rank.feed(), own,
                         [&](const Graph& graph) { return sum_norm_gradients(graph, rank.grid); });
        // All at once: some of them, such as biases before a batch norm, are zero but for rounding.
        double error = 0.0, norm = 0.0;
        for (const Parameter& parameter : rank.network->parameters().all()) {
            if (!parameter.trainable) {
                continue;
            }
            const std::string name = "gradient." + parameter.name;
            const ConstView right = rank.network->parameters().held_part(parameter, expected.at(name).view());
            Tensor sum = host_zeros(right.shape, DType::float64);
            if (right.shape.count() > 0) {
                oracle->add(1.0, found.at(name).view(), {sum});
            }
            // What all ranks hold is added up over all of them, what they share among those that share it.
            (parameter.is_sharded() ? rank.grid.groups() : world).sum(sum.values<double>());
            for (std::size_t i = 0; i < sum.values<double>().size(); ++i) {
                const double number = right.as<double>()[i];
                error += std::pow(sum.values<double>()[i] - number, 2);
                norm += number * number;
            }
        }
        EXPECT_LE(std::sqrt(error), 1e-11 * std::sqrt(norm));
    });
}

TEST(PartitionGradients, AddUpToThoseOfOneRank) {
    for (const char* architecture : {"fno", "conv_fno"}) {
        for (const GridShape& grid : {GridShape{1, 2}, GridShape{2, 2}}) {
            expect_gradients_of_one_rank({small_config(architecture), {5, 11, 3}, grid}, ExecutionMode::training);
        }
        expect_gradients_of_one_rank({small_config_3d(architecture), {2, 6, 5, 2}, {1, 2, 2}}, ExecutionMode::training);
    }
}

TEST(PartitionGradients, AddUpToThoseOfOneRankThroughNorms) {
    NetworkConfig config = small_config("cnn");
    config.residual_blocks = 1;
    for (const ExecutionMode mode : {ExecutionMode::evaluation, ExecutionMode::training}) {
        expect_gradients_of_one_rank({config, {5, 11, 3}, {1, 2}}, mode);
        expect_gradients_of_one_rank({config, {5, 11, 3}, {2, 2}}, mode);
    }
}

}  // namespace
}  // namespace plumecast::testing
