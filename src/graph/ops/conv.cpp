#include <algorithm>

#include <plumecast/graph/graph.hpp>

#include "backend/convolve.hpp"
#include "graph/ops/shapes.hpp"

namespace plumecast {
namespace {

std::string axes_text(const ConvGeometry::Axes& axes, std::int64_t outer, bool has_outer) {
    const Shape inner{std::span<const std::int64_t>(axes)};
    return has_outer ? std::to_string(outer) + " x " + inner.text() : inner.text();
}

struct ConvAxis {
    std::int64_t kernel, stride, low, high;
};

std::vector<ConvAxis> axes_of(const ConvGeometry& g) {
    std::vector<ConvAxis> axes;
    if (g.has_outer()) {
        axes.push_back({g.outer.kernel, g.outer.stride, g.outer.padding_low, g.outer.padding_high});
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        axes.push_back({g.kernel[axis], g.stride[axis], g.padding_low[axis], g.padding_high[axis]});
    }
    return axes;
}

/// The first cells of the input that so many first cells of the result are made from.
std::int64_t reach(const ConvAxis& axis, bool transposed, std::int64_t cells) {
    return transposed ? (cells - 1 + axis.low) / axis.stride + 1 : (cells - 1) * axis.stride - axis.low + axis.kernel;
}

/// The high padding with which a convolution of so many cells gives the wanted cells and no more; unchanged where there
/// is none.
std::int64_t padding_for(const ConvAxis& axis, bool transposed, std::int64_t cells, std::int64_t wanted) {
    const std::int64_t given = transposed ? (cells - 1) * axis.stride + axis.kernel - axis.low - axis.high
                                          : (cells + axis.low + axis.high - axis.kernel) / axis.stride + 1;
    const std::int64_t high =
        transposed ? axis.high + given - wanted : (wanted - 1) * axis.stride + axis.kernel - axis.low - cells;
    return given > wanted && high >= 0 && high < axis.kernel ? high : axis.high;
}

}  // namespace

std::string ConvOp::text() const {
    const bool outer = geometry.has_outer();
    return "kernel " + axes_text(geometry.kernel, geometry.outer.kernel, outer) + " stride " +
           axes_text(geometry.stride, geometry.outer.stride, outer) + " padding " +
           axes_text(geometry.padding_low, geometry.outer.padding_low, outer) + " " +
           axes_text(geometry.padding_high, geometry.outer.padding_high, outer) +
           (geometry.transposed ? " transposed" : "") + (parts > 1 ? " parts " + std::to_string(parts) : "") +
           fused.text();
}

ValueType ConvOp::result(ValueTypes all) const {
    const auto count = static_cast<std::size_t>(parts);
    const ValueTypes inputs = fused.without_addend(all), x = inputs.first(count), weights = inputs.subspan(count);
    std::int64_t channels = 0;
    for (const ValueType& part : x) {
        expects(part.shape.with(-1, 0) == x[0].shape.with(-1, 0) && part.type == x[0].type,
                "parts of one grid and element type");
        channels += part.shape[-1];
    }
    const Shape& weight = weights[0].shape;
    const std::int64_t outputs = weight[geometry.transposed ? -1 : 0];
    expects(weight == geometry.weight_shape(channels, outputs), "a weight of the kernel and the channels");
    expects(weights.size() == 1 || weights[1].shape == Shape{outputs}, "a bias for each channel");
    return fused.checked(all, {geometry.output_shape(x[0].shape, outputs), x[0].type});
}

Shape ConvOp::needed(const Shape& field, const Shape& result) const {
    Shape cells = field;
    int axis = 1;
    for (const ConvAxis& along : axes_of(geometry)) {
        cells = cells.with(axis, std::min(field[axis], reach(along, geometry.transposed, result[axis])));
        ++axis;
    }
    return cells;
}

/// Leaves out the last cells by its padding.
ConvOp ConvOp::giving(const Shape& fields, const Shape& wanted) const {
    ConvOp op = *this;
    const std::vector<ConvAxis> axes = axes_of(geometry);
    const std::size_t inner = axes.size() - 3;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const int at = static_cast<int>(axis) + 1;
        (axis < inner ? op.geometry.outer.padding_high : op.geometry.padding_high[axis - inner]) =
            padding_for(axes[axis], geometry.transposed, fields[at], wanted[at]);
    }
    return op;
}

double ConvOp::taps() const {
    double taps = 1.0;
    for (const ConvAxis& axis : axes_of(geometry)) {
        taps *= static_cast<double>(axis.kernel);
    }
    return taps;
}

void ConvOp::evaluate(Backend& backend, OpInputs all, View result) const {
    const auto count = static_cast<std::size_t>(parts);
    const OpInputs inputs = fused.without_addend(all);
    convolve(backend, geometry, inputs.first(count), inputs[count],
             inputs.size() > count + 1 ? inputs[count + 1] : ConstView(), fused.target(backend, all, result),
             fused.activation);
}

std::vector<PackedInput> ConvOp::pack(Backend& backend, OpInputs inputs, View result) const {
    const auto count = static_cast<std::size_t>(parts);
    std::vector<PackedInput> packed;
    if (inputs[count].data != nullptr) {
        packed.push_back(
            {count, pack_weight(backend, geometry, inputs.first(count), inputs[count], result, WeightReader::conv)});
    }
    return packed;
}

std::vector<Value> ConvOp::gradient(const Value& result, const Value& g) const {
    expects(fused.is_nothing(), "a convolution alone");
    Graph& graph = g.graph();
    const Value weight = result.input(parts);
    std::vector<Value> fields;
    std::vector<ValueType> types;
    for (int part = 0; part < parts; ++part) {
        fields.push_back(result.input(part));
        types.push_back(fields.back().type());
    }
    const Value of_first = graph.add(ConvDataGradientOp{geometry, types}, {g, weight});
    std::vector<Value> gradients{of_first};
    for (int part = 1; part < parts; ++part) {
        gradients.push_back(further_result(of_first, part - 1));
    }
    fields.push_back(g);
    gradients.push_back(graph.add(ConvWeightGradientOp{geometry, weight.shape(), parts}, fields));
    if (result.input_count() > parts + 1) {
        gradients.push_back(graph.add(ColumnSumsOp{}, {g}));
    }
    return gradients;
}

std::string ConvDataGradientOp::text() const {
    return ConvOp{geometry, static_cast<int>(parts.size())}.text() + accumulated.text();
}

ValueType ConvDataGradientOp::result(ValueTypes inputs) const { return accumulated.checked(inputs, parts[0]); }

void ConvDataGradientOp::evaluate(Backend& backend, OpInputs inputs, View result, std::span<const View> further) const {
    if (inputs[0].shape.count() == 0) {
        return;  // nor has any part a cell
    }
    std::vector<OutputRef> targets{accumulated.target(backend, inputs, result)};
    std::vector<Tensor> unread;  // parts that nobody asks for still hold their place among the channels
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const View wanted = further_view(further, part - 1);
        if (wanted.data == nullptr) {
            unread.emplace_back(backend.memory(), parts[part].shape, on_backend(backend, parts[part].type));
        }
        targets.push_back({wanted.data == nullptr ? unread.back().view() : wanted});
    }
    convolve_data_gradient(backend, geometry, inputs[0], inputs[1], targets);
}

std::vector<PackedInput> ConvDataGradientOp::pack(Backend& backend, OpInputs inputs, View /*result*/) const {
    std::vector<PackedInput> packed;
    if (inputs[1].data != nullptr) {
        std::vector<ConstView> fields;
        for (const ValueType& part : parts) {
            fields.emplace_back(part.shape, on_backend(backend, part.type), nullptr);
        }
        const View gradient_y{inputs[0].shape, inputs[0].type, nullptr};
        packed.push_back(
            {1, pack_weight(backend, geometry, fields, inputs[1], gradient_y, WeightReader::data_gradient)});
    }
    return packed;
}

std::string ConvWeightGradientOp::text() const { return ConvOp{geometry, parts}.text() + accumulated.text(); }

ValueType ConvWeightGradientOp::result(ValueTypes inputs) const { return accumulated.checked(inputs, {weight}); }

void ConvWeightGradientOp::evaluate(Backend& backend, OpInputs inputs, View result) const {
    const auto count = static_cast<std::size_t>(parts);
    const OutputRef target = accumulated.target(backend, inputs, result);
    if (!is_empty_sum(backend, inputs[count], target)) {
        convolve_weight_gradient(backend, geometry, inputs.first(count), inputs[count], target);
    }
}

}  // namespace plumecast
