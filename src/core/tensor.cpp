#include <algorithm>
#include <cstring>
#include <type_traits>

#include <plumecast/core/tensor.hpp>

namespace plumecast {
namespace {

template <class AnyView>
AnyView reshape(AnyView view, const Shape& other) {
    expects(view.shape.count() == other.count(), "equal element counts in a reshape");
    view.shape = other;
    return view;
}

template <class AnyView>
AnyView take_rows(AnyView view, std::int64_t begin, std::int64_t end) {
    expects(view.shape.rank() > 0 && begin >= 0 && begin <= end && end <= view.shape[0], "rows within a view");
    const auto row = static_cast<std::size_t>(view.shape.count(1, view.shape.rank())) * size_of(view.type);
    using Byte = std::conditional_t<std::is_same_v<AnyView, View>, char, const char>;
    view.data = static_cast<Byte*>(view.data) + static_cast<std::size_t>(begin) * row;
    view.shape = view.shape.with(0, end - begin);
    return view;
}

}  // namespace

View View::reshaped(const Shape& other) const { return reshape(*this, other); }
View View::rows(std::int64_t begin, std::int64_t end) const { return take_rows(*this, begin, end); }
ConstView ConstView::reshaped(const Shape& other) const { return reshape(*this, other); }
ConstView ConstView::rows(std::int64_t begin, std::int64_t end) const {
    ConstView some = take_rows(*this, begin, end);
    some.packed = nullptr;  // what is kept is of all rows
    return some;
}

Tensor::Tensor(MemoryResource& memory, const Shape& shape, DType type)
    : shape_(shape), type_(type), buffer_(memory, static_cast<std::size_t>(shape.count()) * size_of(type)) {}

std::size_t PackedForms::bytes() const {
    std::size_t sum = 0;
    for (const Form& form : forms_) {
        sum += form.tensor.bytes() + (form.packed != nullptr ? form.packed->bytes() : 0);
    }
    return sum;
}

void PackedForms::add(std::string name, Tensor form, PackedForms packed) {
    forms_.push_back({std::move(name), std::move(form),
                      packed.empty() ? nullptr : std::make_unique<PackedForms>(std::move(packed))});
}

ConstView PackedForms::find(std::string_view name) const {
    const auto found = std::ranges::find(forms_, name, &Form::name);
    if (found == forms_.end()) {
        return {};
    }
    ConstView form = found->tensor.view();
    form.packed = found->packed.get();
    return form;
}

void Tensor::reshape(const Shape& shape) {
    expects(shape.count() == shape_.count(), "equal element counts in a reshape");
    shape_ = shape;
}

template <class T>
Tensor host_tensor(const Shape& shape, std::span<const T> values) {
    expects(static_cast<std::int64_t>(values.size()) == shape.count(), "as many values as the shape holds");
    Tensor tensor(host_memory(), shape, dtype_of<T>());
    std::copy(values.begin(), values.end(), tensor.values<T>().begin());
    return tensor;
}
template Tensor host_tensor<float>(const Shape&, std::span<const float>);
template Tensor host_tensor<double>(const Shape&, std::span<const double>);

Tensor host_zeros(const Shape& shape, DType type) {
    Tensor tensor(host_memory(), shape, type);
    if (!tensor.empty()) {
        std::memset(tensor.view().data, 0, tensor.bytes());
    }
    return tensor;
}

std::vector<ConstView> views_of(const std::vector<Tensor>& tensors) {
    std::vector<ConstView> views;
    for (const Tensor& tensor : tensors) {
        views.push_back(tensor.view());
    }
    return views;
}

}  // namespace plumecast
