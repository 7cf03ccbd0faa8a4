#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <memory>
#include <numeric>

#include <plumecast/graph/layers.hpp>

#include "support/comparison.hpp"
#include "support/op_check.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Build = std::function<Value(Graph&, const std::vector<Value>&)>;

/// A computation on inputs x0, x1, ..., its gradients, and random values of all of them in float64.
class Differentiated {
   public:
    Differentiated(const Build& build, const std::vector<Shape>& inputs) : oracle_(make_oracle_backend()) {
        Graph graph;
        std::vector<Value> values;
        for (const Shape& shape : inputs) {
            values.push_back(named_input(graph, "x" + std::to_string(values.size()), shape));
        }
        const Value result = build(graph, values);
        const Value cotangent = named_input(graph, "cotangent", result.shape());
        const std::vector<Value> found = gradients(result, cotangent, values);
        graph.output("result", result);
        value_ = pruned(graph);
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (found[k].defined()) {
                graph.output("gradient", found[k]);
                variables_.push_back("x" + std::to_string(k));
            }
        }
        all_ = graph;
    }
    void check() {
        const std::vector<Tensor> results = run(all_);
        ASSERT_EQ(results.size(), variables_.size() + 1);
        for (std::size_t k = 0; k < variables_.size(); ++k) {
            const auto loss = [&] { return dot(run(value_).front(), arrays_.at("cotangent")); };
            expect_gradient(arrays_.at(variables_[k]), loss, results[k + 1], 1e-7);
        }
    }
    std::size_t count() const { return variables_.size(); }

   private:
    Value named_input(Graph& graph, const std::string& name, const Shape& shape) {
        const Tensor host = random_tensor(shape, DType::float64, name);
        Tensor& own = arrays_.emplace(name, Tensor(oracle_->memory(), shape, DType::float64)).first->second;
        oracle_->upload(host, own);
        return graph.input(name, {shape});
    }
    std::vector<Tensor> run(const Graph& graph) {
        return evaluate(*oracle_, graph, [&](const std::string& name) { return arrays_.at(name).view(); });
    }

    std::unique_ptr<Backend> oracle_;
    std::map<std::string, Tensor> arrays_;
    std::vector<std::string> variables_;
    Graph value_, all_;
};

void expect_graph_gradients(const Build& build, const std::vector<Shape>& inputs) {
    Differentiated differentiated(build, inputs);
    EXPECT_EQ(differentiated.count(), inputs.size());
    differentiated.check();
}

TEST(GraphGradients, OfAMatrixProductWithAndWithoutBias) {
    const auto product = [](bool transpose_b) {
        return [=](Graph& g, const std::vector<Value>& x) { return g.add(MatMulOp{false, transpose_b}, x); };
    };
    expect_graph_gradients(product(false), {{2, 3, 4}, {4, 5}});
    expect_graph_gradients(product(true), {{2, 3, 4}, {5, 4}, {5}});
}

TEST(GraphGradients, OfAnAxisTransform) {
    expect_graph_gradients(
        [](Graph& g, const std::vector<Value>& x) {
            std::vector<double> values(15);
            std::iota(values.begin(), values.end(), -4.0);
            const Value matrix = g.constant("matrix", {5, 3}, [&] { return values; });
            return g.add(AxisTransformOp{1}, {matrix, x[0]});
        },
        {{2, 3, 4}});
}

TEST(GraphGradients, OfCombinedSignsAlsoWhereModesRepeat) {
    for (const std::int64_t dropped_from : {1, 2, 3}) {
        for (const bool adjoint : {false, true}) {
            expect_graph_gradients(
                [&](Graph& g, const std::vector<Value>& x) {
                    return g.add(CombineSignsOp{1, dropped_from, adjoint}, x);
                },
                {{2, adjoint ? 4 : 6, 3, 4, 2}});
        }
    }
}

TEST(GraphGradients, OfASpectralProduct) {
    expect_graph_gradients([](Graph& g, const std::vector<Value>& x) { return g.add(SpectralMultiplyOp{}, x); },
                           {{2, 4, 2, 6, 3}, {4, 2, 3, 2, 3, 2}});
}

TEST(GraphGradients, OfConvolutionsOverThreeAxesAndFour) {
    ConvGeometry strided{.stride = {2, 2, 2}}, transposed{.kernel = {4, 4, 4}, .stride = {2, 2, 2}, .transposed = true};
    ConvGeometry four{.kernel = {3, 3, 1}, .padding_low = {1, 1, 0}, .padding_high = {1, 1, 0}, .outer = {3, 1, 1, 1}};
    const auto apply = [](const ConvGeometry& geometry) {
        return [geometry](Graph& g, const std::vector<Value>& x) { return g.add(ConvOp{geometry}, x); };
    };
    expect_graph_gradients(apply({}), {{1, 3, 2, 3, 2}, {3, 3, 3, 3, 2}, {3}});
    expect_graph_gradients(apply(strided), {{1, 4, 5, 2, 2}, {2, 3, 3, 3, 2}});
    expect_graph_gradients(apply(transposed), {{1, 2, 1, 2, 2}, {2, 4, 4, 4, 1}, {1}});
    expect_graph_gradients(apply(four), {{1, 2, 3, 2, 2, 1}, {2, 3, 3, 3, 1, 1}, {2}});
}

TEST(GraphGradients, OfAConvolutionOfSeveralFields) {
    const auto parts = [](int count) {
        return [count](Graph& g, const std::vector<Value>& x) { return g.add(ConvOp{{}, count}, x); };
    };
    expect_graph_gradients(parts(2), {{1, 3, 2, 3, 2}, {1, 3, 2, 3, 1}, {2, 3, 3, 3, 3}, {2}});
    expect_graph_gradients(parts(3), {{1, 2, 2, 3, 1}, {1, 2, 2, 3, 2}, {1, 2, 2, 3, 1}, {2, 3, 3, 3, 4}});
}

TEST(GraphGradients, OfAProjectionInBlocksOfRows) {
    for (const Activation f : {Activation::relu(), Activation{Activation::Kind::tanh}, {Activation::Kind::gelu}}) {
        expect_graph_gradients([&](Graph& g, const std::vector<Value>& x) { return g.add(ProjectionOp{f}, x); },
                               {{2, 37, 3}, {40, 3}, {40}, {2, 40}, {2}});
    }
}

TEST(GraphGradients, OfBatchNormWithEitherStatistics) {
    expect_graph_gradients(
        [](Graph& g, const std::vector<Value>& x) {
            const Value moments = g.add(MomentsOp{}, {x[0]});
            return g.add(NormaliseOp{.count = 6.0, .of_batch = true}, {x[0], moments, x[1], x[2]});
        },
        {{2, 3, 4}, {4}, {4}});
    expect_graph_gradients(
        [](Graph& g, const std::vector<Value>& x) {
            const Value moments = g.constant(
                "moments", {2, 4}, [] { return std::vector<double>{0.3, -0.2, 0.1, 0.4, 1.1, 0.7, 2.0, 1.5}; });
            const Value mean = g.add(SumsRowOp{0}, {moments}), variance = g.add(SumsRowOp{1}, {moments});
            return g.add(NormaliseOp{}, {x[0], g.add(RunningMomentsOp{}, {mean, variance}), x[1], x[2]});
        },
        {{2, 3, 4}, {4}, {4}});
}

TEST(GraphGradients, OfBatchNormWithItsActivation) {
    for (const Activation f : {Activation::leaky_relu(0.1), Activation{Activation::Kind::tanh}}) {
        expect_graph_gradients(
            [&](Graph& g, const std::vector<Value>& x) {
                const Value moments = g.add(MomentsOp{}, {x[0]});
                const NormaliseOp norm{.count = 6.0, .of_batch = true, .activation = f};
                return g.add(norm, {x[0], moments, x[1], x[2]});
            },
            {{2, 3, 4}, {4}, {4}});
    }
}

TEST(GraphGradients, OfAPaddedSum) {
    const Padding padding{{{3, Padding::Edge::zero}, {2, Padding::Edge::replicate}, {2, Padding::Edge::replicate}}};
    expect_graph_gradients(
        [&](Graph& g, const std::vector<Value>& x) {
            return g.add(PaddedSumOp{padding, {2, 4, 4, 3, 2}}, x);
        },
        {{2, 3, 2, 1, 2}, {1, 1, 1, 2, 2}, {2}});
}

TEST(GraphGradients, OfRowsBoxesShapesAndConcatenation) {
    expect_graph_gradients([](Graph& g, const std::vector<Value>& x) { return g.add(ReshapeOp{{4, 3}}, x); }, {{2, 6}});
    expect_graph_gradients([](Graph& g, const std::vector<Value>& x) { return g.add(RowsOp{{2, 0}}, x); }, {{4, 3}});
    expect_graph_gradients(
        [](Graph& g, const std::vector<Value>& x) {
            return g.add(CropOp{{0, 1, 0}, {2, 2, 3}}, x);
        },
        {{2, 4, 3}});
    expect_graph_gradients(
        [](Graph& g, const std::vector<Value>& x) {
            return g.add(PlaceOp{{0, 1, 0}, {2, 4, 3}}, x);
        },
        {{2, 2, 3}});
    expect_graph_gradients([](Graph&, const std::vector<Value>& x) { return concat(x[0], x[1]); },
                           {{2, 3, 2}, {2, 3, 1}});
}

TEST(GraphGradients, OfAProductElementByElement) {
    expect_graph_gradients([](Graph&, const std::vector<Value>& x) { return x[0] * x[1]; }, {{2, 3}, {2, 3}});
}

TEST(GraphGradients, OfActivationsAndOfWhatIsReadTwice) {
    for (const Activation f :
         {Activation{Activation::Kind::tanh}, Activation{Activation::Kind::gelu}, Activation::leaky_relu(0.3)}) {
        expect_graph_gradients([&](Graph&, const std::vector<Value>& x) { return activate(x[0], f) + x[0] + x[1]; },
                               {{3, 4}, {3, 4}});
    }
}

TEST(GraphGradients, AreUndefinedOfWhatTheResultDoesNotDependOn) {
    Graph graph;
    const Value x = graph.input("x", {{2, 3}}), other = graph.input("other", {{2, 3}});
    const std::vector<Value> found = gradients(activate(x, Activation::relu()), graph.input("g", {{2, 3}}), {other, x});
    EXPECT_FALSE(found[0].defined());
    EXPECT_TRUE(found[1].defined());
}

TEST(GraphGradients, HaveTheTypeOfTheirValues) {
    Graph graph;
    const Value x = graph.input("x", {{2, 3, 4}, DType::bfloat16});
    MatMulOp narrow;
    narrow.type = DType::bfloat16;
    const Value weight = graph.weight({.of = "w", .shape = {4, 5}});
    const Value wide = graph.add(CastOp{}, {graph.add(narrow, {x, weight})});
    const std::vector<Value> found = gradients(wide, graph.input("g", wide.type()), {x, weight});
    EXPECT_EQ(found[0].type(), x.type());
    EXPECT_EQ(found[1].type(), weight.type());
}

TEST(GraphGradients, OfTheRelativeLossStartAtThePrediction) {
    const auto oracle = make_oracle_backend();
    const Shape fields{2, 3, 5, 2, 2};
    std::map<std::string, Tensor> arrays;
    for (const char* name : {"prediction", "target"}) {
        arrays.emplace(name, random_tensor(fields, DType::float64, name));
    }
    arrays.emplace("active", Tensor(oracle->memory(), {2, 3, 5}, DType::float64));
    oracle->fill(arrays.at("active"), 1.0);
    arrays.at("active").values<double>()[7] = 0.0;
    arrays.emplace("distance", random_tensor({5}, DType::float64, "distance"));
    Graph graph;
    std::vector<Value> inputs;
    for (const char* name : {"prediction", "target", "active", "distance"}) {
        inputs.push_back(graph.input(name, {arrays.at(name).shape()}));
    }
    const LossValues loss =
        field_loss({inputs[0], inputs[1], inputs[2], {inputs[3]}}, {LossKind::relative_l2, 0.5}, 0.25);
    graph.output("gradient", loss.gradient);
    graph.output("loss", loss.per_case);
    const auto run = [&] {
        return evaluate(*oracle, graph, [&](const std::string& name) { return arrays.at(name).view(); });
    };
    const Tensor gradient = std::move(run().front());
    const auto share_of_loss = [&] {
        const Tensor per_case = std::move(run().back());
        return 0.25 * (per_case.values<double>()[0] + per_case.values<double>()[1]);
    };
    expect_gradient(arrays.at("prediction"), share_of_loss, gradient, 1e-7);
}

TEST(GraphGradients, RefuseASecondDerivative) {
    Graph graph;
    const Value x = graph.input("x", {{2, 3}}), g = graph.input("g", {{2, 3}});
    const Value first = gradients(activate(x, {Activation::Kind::tanh}), g, {x}).front();
    EXPECT_THAT(
        [&] {
            gradients(first, graph.input("h", {{2, 3}}), {x});
        },
        ThrowsMessage<Error>(HasSubstr("op activation_gradient has no gradient")));
}

}  // namespace
}  // namespace plumecast::testing
