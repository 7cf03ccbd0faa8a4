#include "onnx/export_onnx.hpp"

#include <plumecast/core/error.hpp>

#include "onnx/translation.hpp"

namespace plumecast {

std::string onnx_file(const Graph& graph, const HostWeights& weights,
                      const std::map<std::string, std::string>& metadata) {
    OnnxTranslation translation(graph, weights);
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        std::visit(
            [&]<class Kind>(const Kind& op) {
                if constexpr (requires { translation.add(op, node); }) {
                    translation.add(op, node);
                } else {
                    throw InvalidInput(std::string("op ") + Kind::name +
                                       " has no ONNX form (it belongs to training); export a graph of evaluation");
                }
            },
            graph.nodes()[node].op);
    }
    return translation.finish(metadata);
}

}  // namespace plumecast
