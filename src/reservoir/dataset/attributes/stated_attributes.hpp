#pragma once

#include <optional>

#include <plumecast/reservoir/dataset/schema.hpp>

#include "reservoir/dataset/attributes/number_attributes.hpp"
#include "reservoir/dataset/store/dataset_store.hpp"

namespace plumecast {

/// What a data set states under the name of an attribute, as a number or as its text; nothing where it states nothing.
/// Throws InvalidData for what is no number, or not admissible.
std::optional<double> stated_number(const DatasetStore& store, const NumberAttribute& attribute);

/// What is wrong with the number that an attribute states; nothing where it is admissible or not stated.
std::optional<Violation> violation_of(const DatasetStore& store, const NumberAttribute& attribute);

}  // namespace plumecast
