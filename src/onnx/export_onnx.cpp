#include "onnx/export_onnx.hpp"

#include "onnx/translation.hpp"

namespace plumecast {

std::string onnx_file(const Graph& described, const HostWeights& weights,
                      const std::map<std::string, std::string>& metadata) {
    const Graph graph = lowered(described);
    OnnxTranslation translation(graph, weights);
    for (std::size_t node = 0; node < graph.nodes().size(); ++node) {
        translation.add(node);
    }
    return translation.finish(metadata);
}

}  // namespace plumecast
