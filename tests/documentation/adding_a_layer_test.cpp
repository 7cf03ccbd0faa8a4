#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <plumecast/graph/layers.hpp>
#include <plumecast/inference/predictor.hpp>
#include <plumecast/plan/plan.hpp>
#include <plumecast/reservoir/dataset/dataset.hpp>

#include "distributed/levels.hpp"
#include "distributed/padded_grid.hpp"
#include "inference/explained_network.hpp"
#include "inference/exported_network.hpp"
#include "passes/fuse.hpp"
#include "passes/partition/partition.hpp"
#include "support/backends.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/ranks.hpp"
#include "support/samples/tiny_run.hpp"

// The layer that docs/adding_a_layer.md adds, in what the page says of it: sums, plans, backends and ranks; and its
// architecture from training to an ONNX file.
namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;

const Shape cells{3, 5, 2};

/// The layer between a lift to a padded grid and the crop back.
Graph small_network() {
    Graph graph;
    const Value x = graph.input("x", {{1, 3, 5, 2, 3}});
    const Padding padding{{{3, Padding::Edge::zero}, {5, Padding::Edge::zero}, {2, Padding::Edge::zero}}};
    const Value lifted = lift({{{0, 1, 2}, x}}, 3, padding, {1, 4, 8, 4, 5}, {"lift"});
    graph.output("y", crop(scaled_residual(lifted, 0.3, {"layer"}), cells));
    return graph;
}

/// Values of the input and the weights of a graph in the memory of a backend.
class Values {
   public:
    Values(Backend& backend, const Graph& graph) {
        for (const Node& node : graph.nodes()) {
            if (const auto* input = node.op.as<InputOp>()) {
                add(backend, input->of, node.type.shape);
            } else if (const auto* weight = node.op.as<WeightOp>()) {
                add(backend, weight->of, weight->shape);
            }
        }
    }
    Feed feed() const {
        return [this](const std::string& name) { return arrays_.at(name).view(); };
    }
    void replace(const std::string& name, Tensor values) { arrays_.insert_or_assign(name, std::move(values)); }

   private:
    void add(Backend& backend, const std::string& name, const Shape& shape) {
        Tensor& array = arrays_.emplace(name, Tensor(backend.memory(), shape, backend.compute_type())).first->second;
        backend.upload(random_tensor(shape, DType::float32, name), array);
    }
    std::map<std::string, Tensor> arrays_;
};

Tensor expected_result() {
    const auto oracle = make_oracle_backend();
    const Graph graph = small_network();
    const Values values(*oracle, graph);
    const Tensor result = std::move(evaluate(*oracle, graph, values.feed()).front());
    Tensor host = host_zeros(result.shape(), DType::float64);
    oracle->download(result, host);
    return host;
}

TEST(ScaledResidual, IsFusedWithItsSum) {
    const std::string text = text_of(fuse_sums_and_activations(small_network()));
    EXPECT_THAT(text, HasSubstr(" 0.3 + addend : float32"));
    EXPECT_EQ(text.find(" = add("), std::string::npos) << text;
}

class ScaledResidualInPlans : public BackendTest {};
INSTANTIATE_TEST_SUITE_P(Backends, ScaledResidualInPlans, ::testing::ValuesIn(backends()), choice_name);

TEST_P(ScaledResidualInPlans, IsThatOfTheOracleInMemoryThatHeldOtherNumbers) {
    const Graph described = small_network();
    for (const Graph& graph : {described, fuse_sums_and_activations(described)}) {
        const Values values(backend(), graph);
        const Plan plan(backend(), graph, values.feed());
        Tensor workspace = plan.make_workspace();
        backend().fill({{2 * workspace.shape().count()}, DType::float32, workspace.view().data}, 1e30);
        Tensor result(backend().memory(), {1, 3, 5, 2, 5}, backend().compute_type());
        plan.run(workspace, values.feed(), std::array{result.view()});
        Tensor host = host_zeros(result.shape(), DType::float64);
        backend().download(result, host);
        expect_close(host, expected_result(), 1e-6);
    }
}

TEST(ScaledResidual, IsPartitionedCellByCell) {
    const Tensor expected = expected_result();
    on_ranks(2, [&](Communicator& world) {
        const auto oracle = make_oracle_backend();
        const ProcessGrid grid(world, GridShape{1, 2});
        const Graph whole = small_network();
        Values values(*oracle, whole);
        const Partition padded = grid.partition({4, 8});
        const auto part_of = [&](ConstView array, const Box& space) {
            Box box(array.shape);
            for (int axis = 0; axis < space.rank(); ++axis) {
                box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
            }
            Tensor part(oracle->memory(), box.extents(), DType::float64);
            oracle->copy_box(array, box.low(), {part}, Box(box.extents()).low(), box.extents());
            return part;
        };
        values.replace("x", part_of(values.feed()("x"), box_read(padded, cells, world.rank())));
        const std::vector<Tensor> found = evaluate(*oracle, partition(whole, grid, {0, 1}), values.feed());
        expect_close(found.front(), part_of(expected, box_predicted(padded, cells, world.rank())), 1e-12);
    });
}

class ResidualArchitecture : public ::testing::Test {
   protected:
    /// A model of the architecture, trained for three epochs.
    std::string model() const {
        const Recipe recipe = tiny_recipe(folder_, "residual");
        EXPECT_EQ(trained(recipe).epochs().size(), 3U);
        return recipe.output + "/best";
    }
    ScratchFolder folder_;
    std::unique_ptr<Backend> backend_ = make_cpu_backend({.threads = 1});
};

TEST_F(ResidualArchitecture, IsNamedAmongTheKnownOnes) {
    EXPECT_THAT(architecture_names(), ::testing::Contains("residual"));
    Recipe misspelt = tiny_recipe(folder_, "residual");
    misspelt.network.network.architecture = "residul";
    EXPECT_THAT(refusal_to_train(misspelt), HasSubstr("did you mean 'residual'?"));
}

TEST_F(ResidualArchitecture, IsTrainedLoadedAndPredictsFiniteFields) {
    const Predictor predictor(model(), *backend_);
    EXPECT_EQ(predictor.bundle().networks.front().network->description().network.architecture, "residual");
    const std::string result = folder_.file("fields.h5");
    EXPECT_EQ(predictor.predict(folder_.file("sample.h5"), result, {}).cases, 3);
    std::vector<float> values(static_cast<std::size_t>(Dataset(result).cells() * Dataset(result).snapshots()));
    const std::int64_t first = 0;
    Dataset(result).read_output("gas_saturation", {&first, 1}, values);
    EXPECT_TRUE(std::ranges::any_of(values, [](float value) { return std::isfinite(value); }));
}

TEST_F(ResidualArchitecture, IsExplainedOpByOpAndExported) {
    const Bundle bundle = Bundle::load(model(), *backend_);
    const FieldNetwork& network = *bundle.networks.front().network;
    const ExplainedNetwork explained = explain_network(network, grid_of_training(bundle), 1, 1);
    EXPECT_TRUE(std::ranges::any_of(explained.ops, [](const ExplainedOp& op) { return op.name == "scale"; }));
    const std::string file = exported_network(network, grid_of_training(bundle));
    EXPECT_THAT(file, HasSubstr("scale."));
    EXPECT_THAT(file, HasSubstr("residual.0.weight"));
}

TEST_F(ResidualArchitecture, IsRefusedWhereItsFileIsTooSmall) {
    const std::string path = model() + "/model.json";
    Json json = Json::parse(bytes_of(path), path);
    json["networks"].get_if<Json::Array>()->front()["width"] = 1000000;
    std::ofstream(path) << json.dump();
    try {
        Bundle::load(folder_.file("run/best"), *backend_);
        FAIL() << "a file of some kilobytes was taken for a million channels";
    } catch (const InvalidModel& error) {
        EXPECT_THAT(error.what(), HasSubstr("too small for the network"));
    }
}

}  // namespace
}  // namespace plumecast::testing
