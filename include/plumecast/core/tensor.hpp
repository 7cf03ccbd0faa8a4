#pragma once

#include <span>

#include <plumecast/core/dtype.hpp>
#include <plumecast/core/error.hpp>
#include <plumecast/core/memory.hpp>
#include <plumecast/core/shape.hpp>

namespace plumecast {

/// A dense row-major array somebody else owns; cheap to copy. Where its memory lives is known to its owner.
struct View {
    Shape shape;
    DType type = DType::float32;
    void* data = nullptr;

    /// Elements as T; throws Error when T is not the element type.
    template <class T>
    T* as() const {
        expects(type == dtype_of<T>(), "element type of the view");
        return static_cast<T*>(data);
    }
    /// The same elements under another shape of equal count.
    View reshaped(const Shape& other) const;
    /// Entries [begin, end) of the slowest axis.
    View rows(std::int64_t begin, std::int64_t end) const;
};

/// A view whose elements are only read.
struct ConstView {
    Shape shape;
    DType type = DType::float32;
    const void* data = nullptr;

    ConstView() = default;
    ConstView(Shape extents, DType element, const void* pointer) : shape(extents), type(element), data(pointer) {}
    ConstView(const View& view) : shape(view.shape), type(view.type), data(view.data) {}  // NOLINT

    template <class T>
    const T* as() const {
        expects(type == dtype_of<T>(), "element type of the view");
        return static_cast<const T*>(data);
    }
    ConstView reshaped(const Shape& other) const;
    ConstView rows(std::int64_t begin, std::int64_t end) const;
};

/// Owns a dense row-major array in one memory resource. Move-only: every copy is an op of its owner.
class Tensor {
   public:
    Tensor() = default;
    /// Uninitialised elements. Throws DeviceError when the resource has no memory left.
    Tensor(MemoryResource& memory, const Shape& shape, DType type);

    const Shape& shape() const { return shape_; }
    DType type() const { return type_; }
    std::size_t bytes() const { return buffer_.bytes(); }
    /// True for a default-constructed or moved-from tensor.
    bool empty() const { return buffer_.data() == nullptr; }

    /// Gives the same elements another shape of equal count.
    void reshape(const Shape& shape);

    View view() { return {shape_, type_, buffer_.data()}; }
    ConstView view() const { return {shape_, type_, buffer_.data()}; }
    operator View() { return view(); }             // NOLINT
    operator ConstView() const { return view(); }  // NOLINT

    /// Host elements; only for tensors in host memory.
    template <class T>
    std::span<T> values() {
        return {view().as<T>(), static_cast<std::size_t>(shape_.count())};
    }
    template <class T>
    std::span<const T> values() const {
        return {view().as<T>(), static_cast<std::size_t>(shape_.count())};
    }

   private:
    Shape shape_;
    DType type_ = DType::float32;
    Buffer buffer_;
};

/// A tensor in host memory with the given elements.
template <class T>
Tensor host_tensor(const Shape& shape, std::span<const T> values);

/// A zero-filled tensor in host memory.
Tensor host_zeros(const Shape& shape, DType type = DType::float32);

}  // namespace plumecast
