#pragma once

#include <cstdint>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <plumecast.h>

namespace plumecast::python {

using InputArray = nanobind::ndarray<nanobind::ro>;
using WritableArray = nanobind::ndarray<>;

/// An array of Python as plumecast.h describes arrays. Points into `shape` and `strides`, so it is not copied; what it
/// describes stays its owner's.
class DescribedArray {
   public:
    explicit DescribedArray(const InputArray& array);
    explicit DescribedArray(const WritableArray& array);
    DescribedArray(const DescribedArray&) = delete;
    DescribedArray& operator=(const DescribedArray&) = delete;
    DescribedArray(DescribedArray&&) noexcept = default;
    DescribedArray& operator=(DescribedArray&&) noexcept = default;

    const plumecast_array& array() const { return array_; }

   private:
    template <class Array>
    void describe(const Array& array, const void* data);

    std::vector<std::int64_t> shape_;
    std::vector<std::int64_t> strides_;
    plumecast_array array_{};
};

}  // namespace plumecast::python
