#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

class PackedForms;

/// A view whose elements are only read.
struct ConstView {
    Shape shape;
    DType type = DType::float32;
    const void* data = nullptr;
    /// What is kept of the same elements in another order or type, or nullptr.
    const PackedForms* packed = nullptr;

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
    /// Host element of a float32 or float64 tensor, whichever it is.
    double number(std::size_t at) const {
        if (type_ == DType::float64) {
            return static_cast<const double*>(buffer_.data())[at];
        }
        expects(type_ == DType::float32, "elements of float32 or float64");
        return static_cast<double>(static_cast<const float*>(buffer_.data())[at]);
    }

   private:
    Shape shape_;
    DType type_ = DType::float32;
    Buffer buffer_;
};

/// An array that stays as it is, in other orders or types in which an op reads it, by name: a weight in bfloat16, say.
/// Made once, so that it need not be made in each pass. Move-only, and in one place as long as views refer to it.
class PackedForms {
   public:
    bool empty() const { return forms_.empty(); }
    /// Of all forms and of what is kept of these.
    std::size_t bytes() const;
    /// `packed`: what is kept of the form itself, which its view refers to.
    void add(std::string name, Tensor form, PackedForms packed = {});
    /// The form of this name; without data where there is none.
    ConstView find(std::string_view name) const;

   private:
    struct Form {
        std::string name;
        Tensor tensor;
        std::unique_ptr<PackedForms> packed;  ///< or none
    };
    std::vector<Form> forms_;
};

/// The form of x that is kept under this name; where none is, what make() returns, which `scratch` then holds.
template <class Make>
ConstView form_of(const ConstView& x, std::string_view name, Tensor& scratch, const Make& make) {
    if (const ConstView kept = x.packed != nullptr ? x.packed->find(name) : ConstView(); kept.data != nullptr) {
        return kept;
    }
    scratch = make();
    return std::as_const(scratch).view();
}

/// A tensor in host memory with the given elements.
template <class T>
Tensor host_tensor(const Shape& shape, std::span<const T> values);

/// A zero-filled tensor in host memory.
Tensor host_zeros(const Shape& shape, DType type = DType::float32);

/// Views of tensors, which must outlive them.
std::vector<ConstView> views_of(const std::vector<Tensor>& tensors);

}  // namespace plumecast
