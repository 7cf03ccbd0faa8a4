#include "integration/golden_case.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <plumecast/architectures/describe.hpp>
#include <plumecast/graph/layers.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/plan/plan.hpp>

#include "inference/published_weights.hpp"
#include "passes/for_training.hpp"
#include "passes/narrow_fields.hpp"
#include "reservoir/h5/file.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"
#include "support/repository.hpp"
#include "support/samples/network_pass.hpp"

namespace plumecast::testing {
namespace {

const Shape extents{16, 24, 8};
constexpr std::int64_t cases = 2;

/// Where the reference files are; the variable of the environment serves programs that were moved to another machine.
std::string reference_folder() {
    const char* moved = std::getenv("PLUMECAST_REFERENCE_FOLDER");
    return moved != nullptr ? moved : repository_folder() + "/tests/reference";
}

Tensor on(Backend& backend, const Tensor& host) {
    Tensor device(backend.memory(), host.shape(), backend.compute_type());
    backend.upload(host, device);
    return device;
}

}  // namespace

GoldenCase::GoldenCase(Backend& backend, const std::string& stem)
    : backend_(&backend),
      host_backend_(make_oracle_backend()),
      path_(reference_folder() + "/" + stem),
      weights_(path_ + ".safetensors"),
      network_(std::make_unique<Network>(backend, published_network(weights_).config, 0)) {
    assign_published_weights(weights_, *network_);
    std::vector<std::int64_t> channels(static_cast<std::size_t>(network_->config().channels));
    std::iota(channels.begin(), channels.end(), std::int64_t{0});
    inputs_.batch = cases;
    inputs_.extents = extents;
    inputs_.groups.push_back(
        {channels, on(backend, reference("inputs", {cases, 16, 24, 8, network_->config().channels}))});
    target_.fields = on(backend, reference("target", {cases, 16, 24, 8, 1}));
    target_.active = Tensor(backend.memory(), {cases, 16, 24}, backend.compute_type());
    backend.fill(target_.active, 1.0);
    distances_ = on(backend, host_zeros({24}));
    target_.inverse_distances = {std::as_const(distances_).view()};
}

Graph GoldenCase::described(ExecutionMode mode) const {
    const Graph graph = describe(network_->config(), shapes_of(inputs_), mode);
    return backend_->field_type() == DType::bfloat16 ? narrow_fields(graph) : graph;
}

Tensor GoldenCase::forward(ExecutionMode mode) const {
    return std::move(evaluate(*backend_, pruned(described(mode), {"prediction"}), feed_of(*network_, inputs_)).front());
}

Tensor GoldenCase::planned() const {
    const Feed feed = feed_of(*network_, inputs_);
    const Plan plan(*backend_, for_prediction(*backend_, described(ExecutionMode::evaluation), feed), feed);
    Tensor workspace = plan.make_workspace();
    const Shape shape = inputs_.groups.front().values.shape().with(-1, network_->config().fields);
    Tensor output(backend_->memory(), shape, backend_->compute_type());
    plan.run(workspace, feed, std::array{output.view()});
    return output;
}

double GoldenCase::loss_of(const Tensor& output) const {
    const std::vector<double> losses = field_losses(*backend_, output.view(), target_, loss_options());
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

double GoldenCase::forward_backward() {
    Graph graph = before_gradients(*backend_, described(ExecutionMode::training));
    const Value prediction = graph.output("prediction");
    const LossInputs compared{prediction,
                              graph.input("target", prediction.type()),
                              graph.input("active", {target_.active.shape()}),
                              {graph.input("inverse_distance", {distances_.shape()})}};
    const LossMeasure measure{loss_options().kind, loss_options().derivative_weight};
    const LossValues loss = field_loss(compared, measure, 1.0 / cases);
    std::vector<Value> of;
    std::vector<std::string> names;
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        const auto* weight = graph.nodes()[node].op.as<WeightOp>();
        if (weight != nullptr && weight->trainable) {
            of.emplace_back(graph, static_cast<int>(node));
            names.push_back(weight->of);
        } else if (const auto* input = graph.nodes()[node].op.as<InputOp>();
                   input != nullptr && input->of == "input.0") {
            of.emplace_back(graph, static_cast<int>(node));
            names.push_back(input->of);
        }
    }
    const std::vector<Value> found = gradients(prediction, loss.gradient, of);
    graph.output("loss", loss.per_case);
    for (std::size_t k = 0; k < found.size(); ++k) {
        graph.output("gradient." + names[k], found[k]);
    }
    return run(after_gradients(pruned(graph)));
}

double GoldenCase::run(Graph graph) {
    const Feed feed = feed_of(*network_, inputs_);
    const Plan plan(*backend_, std::move(graph), feed);
    Tensor losses(backend_->memory(), {cases}, DType::float64), workspace = plan.make_workspace();
    Tensor prediction(backend_->memory(), target_.fields.shape(), backend_->compute_type());
    input_gradient_ = Tensor(backend_->memory(), inputs_.groups.front().values.shape(), backend_->compute_type());
    std::vector<View> outputs;
    for (const auto& [name, node] : plan.graph().outputs()) {
        if (name == "loss" || name == "prediction") {
            outputs.push_back(name == "loss" ? losses.view() : prediction.view());
        } else if (name == "gradient.input.0") {
            outputs.push_back(input_gradient_.view());
        } else if (name.starts_with("gradient.")) {
            outputs.push_back(network_->parameters().at(name.substr(9)).weight.gradient_output());
        } else {
            outputs.push_back(network_->parameters().at(name).weight.mutable_value());
        }
    }
    plan.run(
        workspace,
        [&](const std::string& name) {
            return name == "target"             ? target_.fields.view()
                   : name == "active"           ? target_.active.view()
                   : name == "inverse_distance" ? target_.inverse_distances.front()
                                                : feed(name);
        },
        outputs);
    double sum = 0.0;
    const Tensor values = host(losses.view());
    for (const double loss : values.values<double>()) {
        sum += loss / cases;
    }
    return sum;
}

Tensor GoldenCase::reference(const std::string& array, const Shape& shape) const {
    return host_tensor<double>(shape, h5::File::open(path_ + ".h5").read<double>("/" + array));
}

Tensor GoldenCase::host(ConstView values) const {
    Tensor result(host_memory(), values.shape, values.type);
    backend_->download(values, result);
    return result;
}

std::unique_ptr<Network> GoldenCase::imported(const std::string& group) {
    const h5::File file = h5::File::open(path_ + ".h5");
    std::vector<Tensor> tensors;
    std::vector<NamedView> arrays;
    for (const std::string& name : weights_.names()) {
        const std::string array = "/" + group + "/" + name;  // groups leave out what is not theirs
        tensors.push_back(file.has(array) ? host_tensor<double>(weights_.shape(name), file.read<double>(array))
                                          : weights_.read(name));
        arrays.push_back({name, std::as_const(tensors.back()).view()});
    }
    const std::string path = ::testing::TempDir() + "golden_" + std::to_string(::getpid()) + ".safetensors";
    write_safetensors(path, arrays);
    auto network = std::make_unique<Network>(*host_backend_, network_->config(), 0);
    assign_published_weights(SafetensorsFile(path), *network);
    std::filesystem::remove(path);
    return network;
}

void GoldenCase::expect_gradients(double tolerance) {
    expect_close(host(input_gradient_), reference("gradient_inputs", input_gradient_.shape()), tolerance, "inputs");
    const auto expected = imported("gradients");
    for (const Parameter& parameter : network_->parameters().all()) {
        if (parameter.trainable) {
            expect_close(host(parameter.weight.gradient()),
                         expected->parameters().download(expected->parameters().at(parameter.name)), tolerance,
                         parameter.name);
        }
    }
}

void GoldenCase::expect_buffers(double tolerance) {
    const auto expected = imported("buffers_after_one_training_forward");
    for (const Parameter& parameter : network_->parameters().all()) {
        if (!parameter.trainable) {
            expect_close(network_->parameters().download(parameter),
                         expected->parameters().download(expected->parameters().at(parameter.name)), tolerance,
                         parameter.name);
        }
    }
}

}  // namespace plumecast::testing
