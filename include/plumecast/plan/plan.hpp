#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <plumecast/graph/graph.hpp>

namespace plumecast {

/// What weights do while a plan lives: they change, as in training, or stay as they are, so that ops may read other
/// forms of them that are made once (Backend::pack_factor() and those beside it).
enum class PlannedWeights { change, stay };

/// A graph made ready to run on a backend: its ops in an order, its constants in the backend's memory, and a place for
/// every other value in a workspace. Nothing of it changes when it runs, so any number of threads may run one plan,
/// each in a workspace of its own.
class Plan {
   public:
    /// `weights` gives arrays in the backend's memory; these and the backend must outlive the plan.
    Plan(Backend& backend, const Graph& graph, const Feed& weights, PlannedWeights weights_do = PlannedWeights::change);

    const Graph& graph() const { return graph_; }
    /// Nodes that are computed, in the order in which they are.
    const std::vector<int>& order() const { return order_; }
    /// Bytes of workspace; ops may take some of the backend's memory besides, and give it back.
    std::size_t workspace_bytes() const { return workspace_bytes_; }
    /// Bytes of it that hold something needed while each of order() is computed.
    const std::vector<std::size_t>& bytes_in_use() const { return bytes_in_use_; }
    /// Memory of that size on the backend. Throws OutOfMemory.
    Tensor make_workspace() const;
    /// Bytes of the backend's memory that the plan itself holds: constants, and inputs of ops in other forms.
    std::size_t constant_bytes() const;

    /// Computes the outputs into `outputs`, in the order of the graph, from inputs in the backend's memory. Throws
    /// Error for arrays of another shape and a workspace that is too small. `started` is told each op before the
    /// backend is.
    void run(Tensor& workspace, const Feed& inputs, std::span<const View> outputs,
             const std::function<void(int node)>& started = {}) const;

    class Run;

   private:
    enum class Where { nowhere, constant, weight, input, workspace, output };
    /// Where a value is: the number of the constant, of the array, of the output, or an offset in bytes.
    struct Place {
        Where where = Where::nowhere;
        std::size_t at = 0;
    };
    void place_given(const Feed& weights);
    void pack_inputs(PlannedWeights weights_do);
    void place_results();
    void place_in_outputs();
    std::vector<View> views(Tensor& workspace, const Feed& inputs, std::span<const View> outputs) const;
    View view_of(std::size_t node, void* data) const;

    Backend* backend_;
    Graph graph_;
    std::vector<int> order_;
    std::vector<std::vector<int>> further_;  // results of each node beside its own
    std::vector<Place> places_;              // of each node
    std::vector<Tensor> constants_;
    std::vector<std::vector<PackedInput>> packed_;  // of each node
    std::vector<ConstView> weights_;
    std::size_t workspace_bytes_ = 0;
    std::vector<std::size_t> bytes_in_use_;
};

/// A run of a plan that can pause where an output is there: of fields, say, before the weights of their gradients are
/// known. The plan, the workspace and all arrays must outlive it; what only later ops read may get its numbers later.
class Plan::Run {
   public:
    /// Throws as Plan::run() does.
    Run(const Plan& plan, Tensor& workspace, const Feed& inputs, std::span<const View> outputs);

    /// Goes on until the output of this name is in its place. Throws Error for a name that there is not.
    void until(const std::string& output);
    /// Goes on to the end.
    void finish(const std::function<void(int node)>& started = {});

   private:
    void compute(int node);
    void give(std::size_t output);

    const Plan* plan_;
    std::vector<View> at_;  // where the value of each node is
    std::vector<View> outputs_;
    std::vector<Exchange::PendingExchange> under_way_;
    std::vector<ConstView> inputs_;  // of one op
    std::vector<View> further_;
    std::size_t next_ = 0;  // step
};

}  // namespace plumecast
