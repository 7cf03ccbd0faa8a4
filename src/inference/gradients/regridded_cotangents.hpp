#pragma once

#include <plumecast/inference/field_network.hpp>
#include <plumecast/reservoir/batches/input_gradients.hpp>

#include "inference/guided/regrid.hpp"

namespace plumecast {

/// Cotangents of the fields of cases at other times than those of a network, on their way back.
struct RegriddedCotangents {
    BatchCotangents on_case_grid;  ///< by what the cases have at their own times: base and limits
    Tensor on_model_grid;          ///< of what the network says [B, Z, R, T, F], as CotangentsOf::parts
};

/// Of `cotangents` [B, Z, R, T, F] of the physical fields of the cases, float32 on the host. `values`: normalised
/// fields of the network for the batch `on_model_grid`; the cases at their own times are `regridded`. What is held at a
/// limit, or cut off, has none; nor has what joined() leaves NaN.
RegriddedCotangents regridded_cotangents(const Regrid& regrid, const NetworkDescription& description,
                                         const Batch& on_model_grid, const Batch& regridded, const Tensor& values,
                                         const Tensor& cotangents, Limits limits);

}  // namespace plumecast
