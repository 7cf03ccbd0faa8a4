#include "inference/rank_shard.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace plumecast {
namespace {

/// Box of space [space...] between the cases and the rest of an array.
Box between(CellRange cases, const Box& space, const Shape& whole) {
    Box box = Box(whole).with(0, cases.low, cases.high);
    for (int axis = 0; axis < space.rank(); ++axis) {
        box = box.with(axis + 1, space.low()[axis], space.high()[axis]);
    }
    return box;
}

/// An array of whole cases from one of boxes, [B, box..., more...] -> [batch, space..., more...].
Shape whole_of(const Shape& part, std::int64_t batch, const Shape& extents) {
    Shape whole = part.with(0, batch);
    for (int axis = 0; axis + 1 < extents.rank(); ++axis) {
        whole = whole.with(axis + 1, extents[axis]);
    }
    return whole;
}

}  // namespace

RankShard::RankShard(const FieldNetwork& network, const Shape& extents, LossKind compared)
    : network_(&network), grid_(network.parameters().grid()), extents_(extents), compared_(compared) {
    boxes_.inputs = network.network().input_box(extents);
    boxes_.local = network.network().output_box(extents);
    boxes_.targets = space() == nullptr ? boxes_.local : grown(boxes_.local);
}

Box RankShard::grown(const Box& local) const {
    const Shape space = extents_.slice(0, extents_.rank() - 1);
    Layout grown{{local}};
    for (int axis = compared_ == LossKind::h1 ? 0 : space.rank() - 1; axis < space.rank(); ++axis) {
        grown = halo_layout(grown, space, axis, 1, 1);
    }
    return grown[0][0];
}

Communicator* RankShard::space() const {
    return grid_ != nullptr && grid_->partitions_space() ? &grid_->space() : nullptr;
}

Communicator* RankShard::world() const {
    return grid_ != nullptr && grid_->world().size() > 1 ? &grid_->world() : nullptr;
}

Communicator* RankShard::groups() const {
    return grid_ != nullptr && grid_->groups().size() > 1 ? &grid_->groups() : nullptr;
}

bool RankShard::agreed(bool said) const {
    double votes = said ? 1.0 : 0.0;
    if (world() != nullptr) {
        world()->sum(std::span(&votes, 1));
    }
    return votes > 0.0;
}

std::vector<Tensor> RankShard::inverse_distances(const std::vector<std::vector<double>>& whole) const {
    Backend& backend = network_->backend();
    std::vector<Tensor> all;
    int axis = boxes_.targets.rank() - static_cast<int>(whole.size());  // those of fewer axes are of the last ones
    for (const std::vector<double>& distances : whole) {
        const Shape shape{boxes_.targets.extents()[axis]};
        const auto low = static_cast<std::size_t>(boxes_.targets.low()[axis++]);
        Tensor& local = all.emplace_back(backend.memory(), shape, backend.compute_type());
        backend.upload(
            host_tensor<double>(shape, std::span(distances).subspan(low, static_cast<std::size_t>(shape[0]))), local);
    }
    return all;
}

CellRange RankShard::cases(std::int64_t batch) const {
    return grid_ == nullptr ? CellRange{0, batch} : grid_->cases(batch);
}

std::vector<std::vector<std::int64_t>> RankShard::local_cases(
    const std::vector<std::vector<std::int64_t>>& batches) const {
    std::vector<std::vector<std::int64_t>> local;
    for (const std::vector<std::int64_t>& batch : batches) {
        const CellRange range = cases(static_cast<std::int64_t>(batch.size()));
        local.emplace_back(batch.begin() + range.low, batch.begin() + range.high);
    }
    return local;
}

std::unique_ptr<BatchSource> RankShard::source(std::unique_ptr<BatchSource> whole) const {
    return space() == nullptr ? std::move(whole) : box_source(std::move(whole), boxes_);
}

Layout RankShard::outputs(const Shape& whole, bool with_neighbours) const {
    Layout layout;
    for (int place = 0; place < grid_->space().size(); ++place) {
        const Box local = network_->network().output_box(extents_, place);
        layout.push_back({between({0, whole[0]}, with_neighbours ? grown(local) : local, whole)});
    }
    return layout;
}

std::shared_ptr<const Exchange> RankShard::neighbours(std::int64_t batch) const {
    if (space() == nullptr) {
        return nullptr;
    }
    Shape whole{batch};
    for (const std::int64_t extent : extents_.extents()) {
        whole = whole.append(extent);
    }
    whole = whole.append(network_->network().config().fields);
    return std::make_shared<const Exchange>(*space(), outputs(whole, false), outputs(whole, true));
}

Tensor RankShard::with_neighbours(ConstView prediction) {
    expects(space() != nullptr, "ranks that cut space");
    const std::int64_t batch = prediction.shape[0];
    auto& exchange = exchanges_["neighbours of " + std::to_string(batch)];
    if (!exchange) {
        exchange = neighbours(batch);
    }
    Shape shape = prediction.shape;
    for (int axis = 0; axis < boxes_.targets.rank(); ++axis) {
        shape = shape.with(axis + 1, boxes_.targets.extents()[axis]);
    }
    Backend& backend = network_->backend();
    Tensor result(backend.memory(), shape, prediction.type);
    exchange->forward(backend, std::array{prediction}, std::array{OutputRef{result.view()}});
    return result;
}

Tensor RankShard::local_cells(ConstView targets) const {
    Box box(targets.shape.slice(0, boxes_.local.rank() + 1));
    for (int axis = 0; axis < boxes_.local.rank(); ++axis) {
        const std::int64_t origin = boxes_.targets.low()[axis];
        box = box.with(axis + 1, boxes_.local.low()[axis] - origin, boxes_.local.high()[axis] - origin);
    }
    return box_of(targets, box);
}

Tensor RankShard::gathered(Tensor local, std::int64_t batch) {
    if (world() == nullptr) {
        return local;
    }
    const Shape whole = whole_of(local.shape(), batch, extents_);
    auto& exchange = exchanges_["gathered " + whole.text()];
    if (!exchange) {
        const AxisPartition cases = balanced_partition(batch, grid_->shape().groups);
        Layout held;
        for (std::size_t group = 0; group + 1 < cases.size(); ++group) {
            for (int place = 0; place < grid_->space().size(); ++place) {
                const Box box = network_->network().output_box(extents_, place);
                held.push_back({between({cases[group], cases[group + 1]}, box, whole)});
            }
        }
        exchange = std::make_shared<const Exchange>(*world(), held, gathered_layout(whole, 0, world()->size()));
    }
    Backend& backend = network_->backend();
    Tensor part(backend.memory(), local.shape(), backend.compute_type());
    backend.upload(local, part);
    if (!is_first()) {
        exchange->forward(backend, std::array{std::as_const(part).view()}, {});
        return {};
    }
    Tensor all(backend.memory(), whole, backend.compute_type());
    exchange->forward(backend, std::array{std::as_const(part).view()}, std::array{OutputRef{all.view()}});
    Tensor host = host_zeros(whole);
    backend.download(all, host);
    return host;
}

std::vector<std::vector<float>> RankShard::gathered(const std::vector<std::vector<float>>& local,
                                                    std::int64_t batch) const {
    if (world() == nullptr) {
        return local;
    }
    const auto times = static_cast<std::size_t>(extents_[-1]);
    const AxisPartition cases = balanced_partition(batch, grid_->shape().groups);
    const auto count_of = [&](std::size_t group) { return static_cast<std::size_t>(cases[group + 1] - cases[group]); };
    std::vector<float> piece(count_of(0) * times, std::numeric_limits<float>::quiet_NaN());  // no group has more
    for (std::size_t i = 0; i < local.size(); ++i) {
        std::ranges::copy(local[i], piece.begin() + static_cast<std::ptrdiff_t>(i * times));
    }
    const std::vector<std::byte> bytes = world()->allgather(std::as_bytes(std::span(piece)));
    std::vector<float> all(bytes.size() / sizeof(float));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    std::vector<std::vector<float>> rows;
    for (std::size_t group = 0; is_first() && group + 1 < cases.size(); ++group) {
        const std::size_t first = group * static_cast<std::size_t>(grid_->space().size()) * piece.size();
        for (std::size_t i = 0; i < count_of(group); ++i) {
            const auto row = all.begin() + static_cast<std::ptrdiff_t>(first + i * times);
            rows.emplace_back(row, std::isnan(*row) ? row : row + static_cast<std::ptrdiff_t>(times));
        }
    }
    return rows;
}

}  // namespace plumecast
