#include "inference/networks/host_arrays.hpp"

#include <cstdint>
#include <optional>

#include "inference/gradients/gradient_arrays.hpp"

namespace plumecast {
namespace {

bool is_row_major(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
    std::int64_t next = 1;
    for (std::size_t axis = strides.size(); axis-- > 0;) {
        if (extents[axis] != 1 && strides[axis] != next) {
            return false;
        }
        next *= extents[axis];
    }
    return true;
}

/// The type of tensors for elements that lie as those of a tensor do; nothing where they do not.
std::optional<DType> tensor_type(ElementType type, const void* data, const std::vector<std::int64_t>& extents,
                                 const std::vector<std::int64_t>& strides) {
    const bool is_known = type == ElementType::float32 || type == ElementType::float64;
    if (!is_known || reinterpret_cast<std::uintptr_t>(data) % size_of(type) != 0 || !is_row_major(extents, strides)) {
        return std::nullopt;
    }
    return type == ElementType::float32 ? DType::float32 : DType::float64;
}

Shape shape_of(const std::vector<std::int64_t>& extents) {
    Shape shape;
    for (const std::int64_t extent : extents) {
        shape = shape.append(extent);
    }
    return shape;
}

}  // namespace

Tensor from_caller(Backend& backend, const ArrayView& array) {
    const Shape shape = shape_of(array.extents);
    Tensor device(backend.memory(), shape, backend.compute_type());
    if (const auto type = tensor_type(array.type, array.data, array.extents, array.strides)) {
        backend.upload({shape, *type, array.data}, device);
    } else {
        Tensor host = host_zeros(shape);
        read_view(array, 0, array.extents.front(), host.values<float>());
        backend.upload(host, device);
    }
    return device;
}

void to_caller(Backend& backend, ConstView values, const OutputArray& array) {
    if (const auto type = tensor_type(array.type, array.data, array.extents, array.strides)) {
        backend.download(values, {values.shape, *type, array.data});
    } else {
        Tensor host(host_memory(), values.shape, DType::float64);
        backend.download(values, host);
        write_entries(array, 0, std::as_const(host).values<double>());
    }
}

}  // namespace plumecast
