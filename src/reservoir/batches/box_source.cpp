#include "reservoir/batches/box_source.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

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

/// Arrays one after the other along their first axis; nothing when they are.
Tensor joined(const std::vector<Batch>& parts, const std::function<const Tensor&(const Batch&)>& of) {
    const Tensor& first = of(parts.front());
    if (first.shape().rank() == 0) {
        return {};
    }
    Tensor all(host_memory(), first.shape().with(0, static_cast<std::int64_t>(parts.size())), first.type());
    auto* to = static_cast<std::byte*>(all.view().data);
    for (const Batch& part : parts) {
        const auto* from = static_cast<const std::byte*>(of(part).view().data);
        to = std::copy_n(from, of(part).bytes(), to);
    }
    return all;
}

/// Batches of one case each as one.
Batch joined(std::vector<Batch> parts) {
    Batch batch;
    batch.extents = parts.front().extents;
    for (const Batch& part : parts) {
        batch.cases.push_back(part.cases.front());
        batch.set_aside.push_back(part.set_aside.empty() ? 0 : part.set_aside.front());
        batch.injected.push_back(part.injected.empty() ? std::vector<float>() : part.injected.front());
    }
    if (std::ranges::all_of(batch.injected, &std::vector<float>::empty)) {
        batch.injected.clear();
    }
    if (std::ranges::find(batch.set_aside, 1) == batch.set_aside.end()) {
        batch.set_aside.clear();
    }
    for (std::size_t group = 0; group < parts.front().inputs.size(); ++group) {
        InputGroup& first = parts.front().inputs[group];
        Tensor values =
            first.same_for_all
                ? std::move(first.values)
                : joined(parts, [&](const Batch& part) -> const Tensor& { return part.inputs[group].values; });
        batch.inputs.push_back({first.channels, std::move(values), first.same_for_all});
    }
    batch.scales = joined(parts, [](const Batch& part) -> const Tensor& { return part.scales; });
    batch.targets = joined(parts, [](const Batch& part) -> const Tensor& { return part.targets; });
    batch.base = joined(parts, [](const Batch& part) -> const Tensor& { return part.base; });
    batch.correction = joined(parts, [](const Batch& part) -> const Tensor& { return part.correction; });
    for (const auto& [name, field] : parts.front().physics_fields) {
        const auto of = [&field_name = name](const Batch& part) -> const Tensor& {
            return part.physics_fields.at(field_name);
        };
        batch.physics_fields.emplace(name, joined(parts, of));
    }
    batch.limits = joined(parts, [](const Batch& part) -> const Tensor& { return part.limits; });
    batch.active = joined(parts, [](const Batch& part) -> const Tensor& { return part.active; });
    return batch;
}

class BoxSource final : public BatchSource {
   public:
    BoxSource(std::unique_ptr<BatchSource> whole, CaseBoxes boxes) : whole_(std::move(whole)), boxes_(boxes) {}

    std::int64_t cases() const override { return whole_->cases(); }
    Shape extents() const override { return whole_->extents(); }
    std::vector<std::string> channels() const override { return whole_->channels(); }

    /// Case by case, so that no more than one whole case is in memory beside the boxes.
    Batch load(std::span<const std::int64_t> cases) const override {
        const Shape space = whole_->extents();
        if (cases.size() < 2 || space.count(0, space.rank() - 1) == 1) {
            return cut(whole_->load(cases));
        }
        std::vector<Batch> boxes;
        for (std::size_t at = 0; at < cases.size(); ++at) {
            boxes.push_back(cut(whole_->load(cases.subspan(at, 1))));
        }
        return joined(std::move(boxes));
    }

   private:
    Batch cut(Batch batch) const {
        batch.extents = whole_->extents();
        for (InputGroup& group : batch.inputs) {
            group.values = box_of(group.values, with_cases(group.values.shape(), boxes_.inputs));
        }
        if (batch.base.shape().rank() > 0) {
            batch.base = box_of(batch.base, of_cases(batch.base.shape(), boxes_.local));
            batch.correction = box_of(batch.correction, of_cases(batch.correction.shape(), boxes_.local));
        }
        for (auto& [name, field] : batch.physics_fields) {
            field = box_of(field, of_cases(field.shape(), boxes_.local));
        }
        batch.active = box_of(batch.active, of_cases(batch.active.shape(), boxes_.targets));
        silence(batch.active, boxes_.targets, boxes_.local);
        if (batch.targets.shape().rank() > 0) {
            batch.targets = box_of(batch.targets, of_cases(batch.targets.shape(), boxes_.targets));
        }
        return batch;
    }

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
