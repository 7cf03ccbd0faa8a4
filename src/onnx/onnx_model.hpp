#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <plumecast/core/shape.hpp>

#include "core/protobuf.hpp"

namespace plumecast {

/// An attribute of a node.
using OnnxAttribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;
using OnnxAttributes = std::vector<std::pair<std::string, OnnxAttribute>>;

/// An ONNX model (onnx.ai/onnx/repo-docs/IR.html) of float32 arrays whose first axis, the batch, is free. Operator set
/// 13.
class OnnxModel {
   public:
    void input(const std::string& name, const Shape& shape) { graph_.message(11, value_info(name, shape)); }
    void output(const std::string& name, const Shape& shape) { graph_.message(12, value_info(name, shape)); }
    /// An array that comes with the model.
    std::string array(const std::string& name, const Shape& shape, std::span<const float> values);
    /// Whole numbers such as a shape or a list of axes; equal lists are stored once.
    std::string integers(const std::vector<std::int64_t>& values);
    /// A node; the name of its only output is `result`, or a new one.
    std::string node(const std::string& type, const std::vector<std::string>& inputs,
                     const OnnxAttributes& attributes = {}, std::string result = "");
    /// The whole file.
    std::string encoded(const std::map<std::string, std::string>& metadata) const;

   private:
    static ProtobufMessage value_info(const std::string& name, const Shape& shape);

    ProtobufMessage graph_;
    std::map<std::vector<std::int64_t>, std::string> lists_;
    int count_ = 0;
};

}  // namespace plumecast
