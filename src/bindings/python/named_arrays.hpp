#pragma once

#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings/python/arrays.hpp"

namespace plumecast::python {

/// A dictionary of arrays as plumecast.h takes arrays by their names. Array is InputArray for arrays that are read,
/// WritableArray for those that are written.
template <class Array>
class NamedArrays {
   public:
    explicit NamedArrays(const nanobind::dict& arrays) {
        names_.reserve(arrays.size());
        described_.reserve(arrays.size());
        for (const auto& [name, array] : arrays) {
            names_.push_back(nanobind::cast<std::string>(name));
            described_.emplace_back(nanobind::cast<Array>(array));
            named_.push_back({names_.back().c_str(), described_.back().array()});
        }
    }
    NamedArrays(const NamedArrays&) = delete;
    NamedArrays& operator=(const NamedArrays&) = delete;

    const plumecast_named* data() const { return named_.data(); }
    std::size_t size() const { return named_.size(); }

   private:
    std::vector<std::string> names_;
    std::vector<DescribedArray> described_;
    std::vector<plumecast_named> named_;
};

}  // namespace plumecast::python
