#pragma once

#include <set>
#include <string>

#include <plumecast/io/safetensors.hpp>

namespace plumecast {

/// How tensorly-torch stores a weight [I, O, modes...] of the library neuraloperator under a name.
enum class Factorisation { dense, tucker, cp, tt };

/// That of the weight under `stem`. Throws InvalidModel for a weight of another kind.
Factorisation factorisation_of(const SafetensorsFile& weights, const std::string& stem);

/// Shape [I, O, modes..., 2] of the weight under `stem`, as all kinds have it. Throws InvalidModel naming the array
/// that does not fit the others, and for a weight of more than 2^31 numbers or ranks that take as many on the way to
/// it.
Shape weight_shape(const SafetensorsFile& weights, const std::string& stem);

/// Its values, of factors multiplied out in float64 (Kossaifi et al. 2024): Tucker, CP (CANDECOMP/PARAFAC) or tensor
/// train. Adds the names read to `used`. Throws InvalidModel as weight_shape() and for what is not finite.
Tensor weight_values(const SafetensorsFile& weights, const std::string& stem, std::set<std::string>& used);

}  // namespace plumecast
