#include "onnx/onnx_model.hpp"

#include <bit>
#include <string_view>

#include <plumecast/core/error.hpp>
#include <plumecast/core/version.hpp>

namespace plumecast {
namespace {

// Numbers of fields and values: onnx.proto of ONNX 1.8, the version of operator set 13.
constexpr std::int64_t float_type = 1, int64_type = 7, ir_version = 7, operator_set = 13;
constexpr std::size_t most_bytes = std::size_t{1} << 31U;  // of a message of Protocol Buffers

template <class T>
std::string_view bytes_of(std::span<const T> values) {
    static_assert(std::endian::native == std::endian::little, "ONNX stores little-endian numbers");
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

ProtobufMessage tensor(const std::string& name, std::span<const std::int64_t> extents, std::int64_t type,
                       std::string_view raw) {
    ProtobufMessage message;
    for (const std::int64_t extent : extents) {
        message.integer(1, extent);
    }
    message.integer(2, type);
    message.bytes(8, name);
    message.bytes(9, raw);
    return message;
}

ProtobufMessage attribute(const std::string& name, const OnnxAttribute& value) {
    ProtobufMessage message;
    message.bytes(1, name);
    if (const auto* number = std::get_if<double>(&value)) {
        message.number(2, static_cast<float>(*number));
        message.integer(20, 1);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        message.integer(3, *integer);
        message.integer(20, 2);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        message.bytes(4, *text);
        message.integer(20, 3);
    } else {
        for (const std::int64_t entry : std::get<std::vector<std::int64_t>>(value)) {
            message.integer(8, entry);
        }
        message.integer(20, 7);
    }
    return message;
}

}  // namespace

std::string OnnxModel::array(const std::string& name, const Shape& shape, std::span<const float> values) {
    expects(static_cast<std::int64_t>(values.size()) == shape.count(), "as many numbers as the shape has");
    graph_.message(5, tensor(name, shape.extents(), float_type, bytes_of(values)));
    return name;
}

std::string OnnxModel::integers(const std::vector<std::int64_t>& values) {
    std::string& name = lists_[values];
    if (name.empty()) {
        name = "integers." + std::to_string(lists_.size());
        const std::vector<std::int64_t> extents{static_cast<std::int64_t>(values.size())};
        graph_.message(5, tensor(name, extents, int64_type, bytes_of(std::span<const std::int64_t>(values))));
    }
    return name;
}

std::string OnnxModel::node(const std::string& type, const std::vector<std::string>& inputs,
                            const OnnxAttributes& attributes, std::string result) {
    const std::string name = type + "." + std::to_string(++count_);
    if (result.empty()) {
        result = name;
    }
    ProtobufMessage message;
    for (const std::string& input : inputs) {
        message.bytes(1, input);
    }
    message.bytes(2, result);
    message.bytes(3, name);
    message.bytes(4, type);
    for (const auto& [key, value] : attributes) {
        message.message(5, attribute(key, value));
    }
    graph_.message(1, message);
    return result;
}

ProtobufMessage OnnxModel::value_info(const std::string& name, const Shape& shape) {
    ProtobufMessage extents, array, type, info;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        ProtobufMessage extent;
        if (axis == 0) {
            extent.bytes(2, "batch");
        } else {
            extent.integer(1, shape[axis]);
        }
        extents.message(1, extent);
    }
    array.integer(1, float_type);
    array.message(2, extents);
    type.message(1, array);
    info.bytes(1, name);
    info.message(2, type);
    return info;
}

std::string OnnxModel::encoded(const std::map<std::string, std::string>& metadata) const {
    ProtobufMessage graph = graph_, operators, model;
    graph.bytes(2, "plumecast");
    operators.bytes(1, "");
    operators.integer(2, operator_set);
    model.integer(1, ir_version);
    model.bytes(2, "plumecast");
    model.bytes(3, version());
    model.message(7, graph);
    model.message(8, operators);
    for (const auto& [key, value] : metadata) {
        ProtobufMessage entry;
        entry.bytes(1, key);
        entry.bytes(2, value);
        model.message(14, entry);
    }
    if (model.encoded().size() >= most_bytes) {
        throw InvalidInput("model of " + std::to_string(model.encoded().size() >> 20U) +
                           " MiB (an ONNX file holds less than 2048 MiB); export a narrower network or fewer modes");
    }
    return model.encoded();
}

}  // namespace plumecast
