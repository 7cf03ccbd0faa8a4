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
#include <plumecast/inference/published_weights.hpp>
#include <plumecast/passes/for_prediction.hpp>
#include <plumecast/passes/narrow_fields.hpp>
#include <plumecast/plan/plan.hpp>

#include "reservoir/io/h5/file.hpp"
#include "support/comparison.hpp"
#include "support/oracle_backend.hpp"

namespace plumecast::testing {
namespace {

const Shape extents{16, 24, 8};
constexpr std::int64_t cases = 2;

/// Where the reference files are; the variable of the environment serves programs that were moved to another machine.
std::string reference_folder() {
    const char* moved = std::getenv("PLUMECAST_REFERENCE_FOLDER");
    return moved != nullptr ? moved : PLUMECAST_REFERENCE_FOLDER;
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
      network_(make_network(backend, infer_published_config(weights_), 0)) {
    assign_published_weights(weights_, *network_);
    inputs_ =
        Variable(backend, on(backend, reference("inputs", {cases, 16, 24, 8, network_->config().channels})), true);
    target_.fields = on(backend, reference("target", {cases, 16, 24, 8, 1}));
    target_.active = Tensor(backend.memory(), {cases, 16, 24}, backend.compute_type());
    backend.fill(target_.active, 1.0);
    distances_ = on(backend, host_zeros({24}));
    target_.inverse_distance = std::as_const(distances_).view();
}

Variable GoldenCase::forward(ExecutionMode mode) const {
    std::vector<std::int64_t> channels(static_cast<std::size_t>(network_->config().channels));
    std::iota(channels.begin(), channels.end(), std::int64_t{0});
    return network_->forward({{{channels, inputs_}}, cases, extents}, mode);
}

Tensor GoldenCase::planned() const {
    const Feed weights = [&](const std::string& name) { return network_->parameters().at(name).variable.value(); };
    Graph described =
        describe(network_->config(), whole_input(network_->config(), cases, extents), ExecutionMode::evaluation);
    if (backend_->field_type() == DType::bfloat16) {
        described = narrow_fields(described);
    }
    const Plan plan(*backend_, for_prediction(*backend_, described, weights), weights);
    Tensor workspace = plan.make_workspace();
    const Shape shape = inputs_.shape().with(-1, network_->config().fields);
    Tensor output(backend_->memory(), shape, backend_->compute_type());
    plan.run(
        workspace, [&](const std::string&) { return inputs_.value(); }, std::array{output.view()});
    return output;
}

double GoldenCase::forward_backward() const {
    const Variable prediction = forward(ExecutionMode::training);
    Loss loss = relative_l2_loss(prediction, target_, loss_options(), true);
    backward(prediction, std::move(loss.gradient));
    return loss.value;
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
    auto network = make_network(*host_backend_, network_->config(), 0);
    assign_published_weights(SafetensorsFile(path), *network);
    std::filesystem::remove(path);
    return network;
}

void GoldenCase::expect_gradients(double tolerance) {
    expect_close(host(inputs_.gradient()), reference("gradient_inputs", inputs_.shape()), tolerance, "inputs");
    const auto expected = imported("gradients");
    for (const Parameter& parameter : network_->parameters().all()) {
        if (parameter.trainable) {
            expect_close(host(parameter.variable.gradient()),
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
