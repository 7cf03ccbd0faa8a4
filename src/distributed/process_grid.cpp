#include <plumecast/distributed/process_grid.hpp>

#include <array>
#include <charconv>
#include <utility>

#include <plumecast/core/error.hpp>

namespace plumecast {

GridShape GridShape::parse(const std::string& text) {
    std::array<int, 3> numbers{1, 1, 1};
    const char *at = text.data(), *end = at + text.size();
    std::int64_t ranks = 1;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [stop, error] = std::from_chars(at, end, numbers[i]);
        const bool is_last = stop == end;
        ranks *= numbers[i];
        if (error != std::errc() || numbers[i] < 1 || ranks > (1 << 20) || (!is_last && *stop != 'x') ||
            (!is_last && i == 2)) {
            break;
        }
        if (is_last) {
            return {numbers[0], numbers[1], numbers[2]};
        }
        at = stop + 1;
    }
    throw InvalidInput("process grid '" + text.substr(0, 40) +
                       "' (it is BxX, or BxXxY for three space axes: groups of cases by cuts of x by cuts of y); give "
                       "positive numbers, such as 2x4");
}

std::string GridShape::text() const {
    return std::to_string(groups) + "x" + std::to_string(x) + (y > 1 ? "x" + std::to_string(y) : "");
}

std::vector<int> GridShape::parts(int axes) const {
    std::vector<int> parts(static_cast<std::size_t>(axes), 1);
    if (axes < 1 || (y > 1 && axes < 3)) {
        throw InvalidInput("process grid " + text() + " (the cases have " + std::to_string(axes) +
                           " space axes, and the first is never cut); give a grid BxX");
    }
    parts.back() = x;
    if (axes >= 2) {
        parts[parts.size() - 2] *= y;
    }
    return parts;
}

ProcessGrid::ProcessGrid(Communicator& world, const GridShape& shape, Route route)
    : shape_(shape), route_(route), world_(&world) {
    if (shape.ranks() != world.size()) {
        throw InvalidInput("process grid " + shape.text() + " is for " + std::to_string(shape.ranks()) +
                           " ranks (the job has " + std::to_string(world.size()) +
                           "); start as many, or give a grid that multiplies to their number");
    }
    const int places = shape.x * shape.y;
    space_ = world.split(world.rank() / places, world.rank());
    groups_ = world.split(world.rank() % places, world.rank());
    along_x_ = space_->split(space_->rank() / shape.x, space_->rank());
    along_y_ = space_->split(space_->rank() % shape.x, space_->rank());
}

ProcessGrid ProcessGrid::planned(const GridShape& shape, int rank, Route route) {
    ProcessGrid grid;
    grid.route_ = route;
    const int places = shape.x * shape.y;
    grid.shape_ = shape;
    grid.planned_ = make_planned_communicator(rank, shape.ranks());
    grid.world_ = grid.planned_.get();
    grid.space_ = make_planned_communicator(rank % places, places);
    grid.groups_ = make_planned_communicator(rank / places, shape.groups);
    grid.along_x_ = make_planned_communicator(rank % places % shape.x, shape.x);
    grid.along_y_ = make_planned_communicator(rank % places / shape.x, shape.y);
    return grid;
}

CellRange ProcessGrid::cases(std::int64_t batch) const {
    const AxisPartition cuts = balanced_partition(batch, shape_.groups);
    const auto group = static_cast<std::size_t>(groups_->rank());
    return {cuts[group], cuts[group + 1]};
}

namespace {

/// Parts of whole units, as even as can be.
AxisPartition cuts_of_units(std::int64_t count, std::int64_t unit, int parts) {
    AxisPartition cuts = balanced_partition(count / unit, parts);
    for (std::int64_t& cut : cuts) {
        cut *= unit;
    }
    return cuts;
}

}  // namespace

AxisPartition ProcessGrid::owners(const Shape& modes) const {
    const int axes = modes.rank();
    const std::int64_t of_x = modes[-1], of_y = axes > 1 ? modes[-2] : 1;
    const bool whole_lines = route_ == Route::transpose;
    const std::int64_t outer_unit = shape_.y == 1 ? modes.count() : whole_lines ? of_y * of_x : of_x;
    const AxisPartition outer = cuts_of_units(modes.count(), outer_unit, shape_.y);
    AxisPartition cuts{0};
    for (std::size_t part = 0; part + 1 < outer.size(); ++part) {
        const AxisPartition inner = cuts_of_units(outer[part + 1] - outer[part], whole_lines ? of_x : 1, shape_.x);
        for (std::size_t i = 1; i < inner.size(); ++i) {
            cuts.push_back(outer[part] + inner[i]);
        }
    }
    return cuts;
}

Partition ProcessGrid::partition(const Shape& space) const {
    const std::vector<int> parts = shape_.parts(space.rank());
    std::vector<AxisPartition> cuts;
    for (int axis = 0; axis < space.rank(); ++axis) {
        const int count = parts[static_cast<std::size_t>(axis)];
        if (count > space[axis]) {
            throw InvalidInput("process grid " + shape_.text() + " cuts an axis of " + std::to_string(space[axis]) +
                               " padded cells into " + std::to_string(count) +
                               " parts (some would be empty); cut it into fewer, or use more groups");
        }
        cuts.push_back(balanced_partition(space[axis], count));
    }
    return {*space_, std::move(cuts)};
}

Traffic ProcessGrid::traffic() const {
    Traffic all = world_->traffic();
    for (const Communicator* part : {space_.get(), groups_.get(), along_x_.get(), along_y_.get()}) {
        all.bytes += part->traffic().bytes;
        all.messages += part->traffic().messages;
    }
    return all;
}

}  // namespace plumecast
