#include "bindings/python/arrays.hpp"

#include <cstddef>

namespace plumecast::python {

template <class Array>
void DescribedArray::describe(const Array& array, const void* data) {
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
        shape_.push_back(static_cast<std::int64_t>(array.shape(axis)));
        strides_.push_back(array.stride(axis));
    }
    array_.data = const_cast<void*>(data);
    array_.device = {array.device_type(), array.device_id()};
    array_.ndim = static_cast<std::int32_t>(array.ndim());
    array_.dtype = {array.dtype().code, array.dtype().bits, array.dtype().lanes};
    array_.shape = shape_.data();
    array_.strides = strides_.data();
}

DescribedArray::DescribedArray(const InputArray& array) { describe(array, array.data()); }

DescribedArray::DescribedArray(const WritableArray& array) { describe(array, array.data()); }

}  // namespace plumecast::python
