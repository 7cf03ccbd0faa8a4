#include "graph/fourier.hpp"

#include "graph/transform_matrices.hpp"

namespace plumecast {

std::string SpectralConvOp::text() const {
    std::string text = "modes";
    for (const std::int64_t count : modes) {
        text += " " + std::to_string(count);
    }
    return text + (box.rank() == 0 ? "" : " first " + box.text()) + (by_fft ? " by_fft" : "");
}

ValueType SpectralConvOp::result(ValueTypes inputs) const {
    const Shape &x = inputs[0].shape, &weight = inputs[1].shape;
    const Shape cells = x.slice(1, x.rank() - 1);
    check_modes(cells, modes);
    expects(weight == spectral_weight_shape(modes, x[-1], weight[-1]), "a weight for each mode and channel");
    Shape result{x[0]};
    for (int axis = 0; axis < cells.rank(); ++axis) {
        result = result.append(box.rank() == 0 ? cells[axis] : box[axis]);
    }
    return {result.append(weight[-1]), type};
}

Value SpectralConvOp::lowered(const std::vector<Value>& inputs) const {
    const Value x = inputs[0];
    const Shape extents = x.shape().slice(1, x.shape().rank() - 1);
    const Value modes_of_x = by_fft ? truncated_fft(x, modes) : truncated_fourier(x, modes);
    const Value spectrum = x.graph().add(SpectralMultiplyOp{}, {modes_of_x, inputs[1]});
    return by_fft ? inverse_truncated_fft(spectrum, modes, extents, box, type)
                  : inverse_truncated_fourier(spectrum, modes, extents, box, type);
}

}  // namespace plumecast
