#pragma once

#include <cstdint>

#include <plumecast/core/tensor.hpp>
#include <plumecast/inference/prediction/prediction_options.hpp>
#include <plumecast/reservoir/batches/channels.hpp>

namespace plumecast {

/// Field f of network values [B, Z, R, T, F], float32 or float64 on the host, as physical values [B, Z, R, T] in the
/// field's unit. Fractions are limited to [0, 1], which no saturation leaves; magnitudes below the field's cutoff
/// become 0; neither where that is to be left out. `scales` [B, T|1, F] and `limits` [B, F] as in Batch, empty for a
/// field without factors or limit. Inactive cells are meaningless. Throws InvalidInput when the field has factors or a
/// limit, but no scales or limits are given.
Tensor physical_values(ConstView values, std::int64_t f, const Field& field, const Tensor& scales = {},
                       const Tensor& limits = {}, Limits limiting = Limits::apply);

}  // namespace plumecast
