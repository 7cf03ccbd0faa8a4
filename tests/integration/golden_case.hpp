#pragma once

#include <memory>
#include <string>

#include <plumecast/architectures/network.hpp>
#include <plumecast/graph/graph.hpp>
#include <plumecast/inference/loss.hpp>
#include <plumecast/io/safetensors.hpp>

namespace plumecast::testing {

/// A network with the weights of a reference file, its inputs and its target; tests/reference/README.md tells where the
/// numbers come from.
class GoldenCase {
   public:
    /// `stem` names the files, such as "ufno_small"; the backend must outlive the case.
    GoldenCase(Backend& backend, const std::string& stem);

    Network& network() { return *network_; }
    const LossTarget& target() const { return target_; }
    static LossOptions loss_options() { return {.derivative_weight = 0.0}; }

    /// The output as the network is described.
    Tensor forward(ExecutionMode mode) const;
    /// The output of evaluation by a plan.
    Tensor planned() const;
    /// The loss of an output.
    double loss_of(const Tensor& output) const;
    /// One training forward and backward pass by a plan, which leaves gradients and moved statistics; its loss.
    double forward_backward();
    /// An array of the reference file under another shape of equal count.
    Tensor reference(const std::string& array, const Shape& shape) const;
    /// The host values of something on the backend.
    Tensor host(ConstView values) const;
    /// Compares all trainable parameters' gradients, or all buffers, with a group of the reference file.
    void expect_gradients(double tolerance);
    void expect_buffers(double tolerance);

   private:
    Graph described(ExecutionMode mode) const;
    /// A step of training; its loss.
    double run(Graph graph);
    /// A group of the reference file as values of another network's parameters: in our names and layout.
    std::unique_ptr<Network> imported(const std::string& group);

    Backend* backend_;
    std::unique_ptr<Backend> host_backend_;
    std::string path_;
    SafetensorsFile weights_;
    std::unique_ptr<Network> network_;
    NetworkInput inputs_;
    Tensor input_gradient_;
    LossTarget target_;
    Tensor distances_;
};

}  // namespace plumecast::testing
