#include <plumecast/data/box_source.hpp>

#include <algorithm>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

template <class T>
void copy_box(const T* from, const Shape& shape, const Box& box, int axis, T*& to) {
    const std::int64_t stride = shape.count(axis + 1, shape.rank());
    const std::int64_t low = box.low()[axis], high = box.high()[axis];
    if (axis + 1 == box.rank()) {
        to = std::copy(from + low * stride, from + high * stride, to);
        return;
    }
    for (std::int64_t i = low; i < high; ++i) {
        copy_box(from + i * stride, shape, box, axis + 1, to);
    }
}

/// A box of space as one of [B, space...], whole along axes where the array does not vary.
Box with_cases(const Shape& whole, const Box& space) {
    Box box(whole.slice(0, space.rank() + 1));
    for (int axis = 0; axis < space.rank(); ++axis) {
        if (whole[axis + 1] > 1) {
            box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
        }
    }
    return box;
}

/// The same where every axis is one of the case, however short.
Box of_cases(const Shape& whole, const Box& space) {
    Box box(whole.slice(0, space.rank() + 1));
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
    }
    return box;
}

/// Zero outside `own`, for values in `held`, [B, held...].
void silence(Tensor& values, const Box& held, const Box& own) {
    const std::span<float> out = values.values<float>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        auto rest = static_cast<std::int64_t>(i);
        for (int axis = held.rank() - 1; axis >= 0; --axis) {
            const std::int64_t extent = held.extents()[axis], at = held.low()[axis] + rest % extent;
            rest /= extent;
            if (at < own.low()[axis] || at >= own.high()[axis]) {
                out[i] = 0.0F;
            }
        }
    }
}

class BoxSource final : public BatchSource {
   public:
    BoxSource(std::unique_ptr<BatchSource> whole, CaseBoxes boxes)
        : whole_(std::move(whole)), boxes_(std::move(boxes)) {}

    std::int64_t cases() const override { return whole_->cases(); }
    Shape extents() const override { return whole_->extents(); }
    std::vector<std::string> channels() const override { return whole_->channels(); }

    Batch load(std::span<const std::int64_t> cases) const override {
        Batch batch = whole_->load(cases);
        batch.extents = whole_->extents();
        for (InputGroup& group : batch.inputs) {
            group.values = box_of(group.values, with_cases(group.values.shape(), boxes_.inputs));
        }
        batch.active = box_of(batch.active, of_cases(batch.active.shape(), boxes_.targets));
        silence(batch.active, boxes_.targets, boxes_.own);
        if (!batch.targets.empty()) {
            batch.targets = box_of(batch.targets, of_cases(batch.targets.shape(), boxes_.targets));
        }
        return batch;
    }

   private:
    std::unique_ptr<BatchSource> whole_;
    CaseBoxes boxes_;
};

}  // namespace

Tensor box_of(ConstView host, const Box& box) {
    Shape shape = box.extents();
    expects(box.rank() <= host.shape.rank() && Box(host.shape.slice(0, box.rank())).contains(box), "a box inside");
    for (int axis = box.rank(); axis < host.shape.rank(); ++axis) {
        shape = shape.append(host.shape[axis]);
    }
    Tensor part(host_memory(), shape, host.type);
    if (host.type == DType::float64) {
        double* to = part.view().as<double>();
        copy_box(host.as<double>(), host.shape, box, 0, to);
    } else {
        float* to = part.view().as<float>();
        copy_box(host.as<float>(), host.shape, box, 0, to);
    }
    return part;
}

std::unique_ptr<BatchSource> box_source(std::unique_ptr<BatchSource> whole, const CaseBoxes& boxes) {
    return std::make_unique<BoxSource>(std::move(whole), boxes);
}

}  // namespace plumecast
