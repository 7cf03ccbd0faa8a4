#include "passes/partition/field_halos.hpp"

#include <algorithm>

namespace plumecast {
namespace {

const ConvGeometry& geometry_at(const Graph& graph, int node) {
    return *graph.nodes()[static_cast<std::size_t>(node)].op->neighbours();
}

}  // namespace

FieldHalos::FieldHalos(const Graph& whole, Levels& levels) : whole_(&whole), levels_(&levels) {
    for (std::size_t node = 0; node < whole.nodes().size(); ++node) {
        const Op& op = whole.nodes()[node].op;
        for (std::size_t part = 0; op->neighbours() != nullptr && part < op->fields(); ++part) {
            std::vector<int>& readers = convolutions_[whole.nodes()[node].inputs[part]];
            if (std::ranges::find(readers, static_cast<int>(node)) == readers.end()) {
                readers.push_back(static_cast<int>(node));
            }
        }
    }
}

int FieldHalos::level_after(const ConvGeometry& geometry, int level) {
    const bool halves = geometry.stride[0] == 2;
    return halves ? level + (geometry.transposed ? -1 : 1) : level;
}

ConvHalo& FieldHalos::halo(const ConvGeometry& geometry, int level) {
    return levels_->halo(geometry, level, level_after(geometry, level));
}

const FieldHalos::Fetched& FieldHalos::fetched(int field, const Value& held, int level) {
    const auto found = fetched_.find(field);
    if (found != fetched_.end()) {
        return found->second;
    }
    std::vector<const ConvHalo*> uses;
    for (const int conv : convolutions_.at(field)) {
        uses.push_back(&halo(geometry_at(*whole_, conv), level));
    }
    ConvHalo& first = halo(geometry_at(*whole_, convolutions_.at(field).front()), level);
    uses.erase(uses.begin());
    const Shape held_shape = held.shape();
    const Box box = first.sent_box(held_shape, uses);
    const ExchangeOp op{ExchangeOp::Kind::halo, false,        first.exchange(held_shape, uses), held_shape,
                        box.extents(),          box.extents()};
    return fetched_[field] = {held.graph().add(op, {held}), box};
}

Value FieldHalos::around(int field, int conv, const Value& held, int level) {
    const Fetched& all = fetched(field, held, level);
    const Box wanted = halo(geometry_at(*whole_, conv), level).needed_box(held.shape());
    if (wanted.extents() == all.box.extents()) {
        return all.cells;
    }
    Shape low = wanted.low();
    for (int axis = 0; axis < low.rank(); ++axis) {
        low = low.with(axis, wanted.empty() ? 0 : wanted.low()[axis] - all.box.low()[axis]);
    }
    return held.graph().add(CropOp{low, wanted.extents()}, {all.cells});
}

}  // namespace plumecast
