#pragma once

#include <functional>
#include <string>

namespace plumecast::app {

/// Says what is wrong with the text of an option; empty when nothing is.
using TextCheck = std::function<std::string(const std::string&)>;

/// A number of 0 or more.
TextCheck not_negative();
/// A number above 0.
TextCheck above_zero();
/// A number between two bounds, both allowed.
TextCheck between(double low, double high);
/// A fracture gradient [bar/m] that rock can have; another number is likely to be of another unit, which is named.
TextCheck fracture_gradient();

}  // namespace plumecast::app
