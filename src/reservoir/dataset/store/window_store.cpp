#include "reservoir/dataset/store/window_store.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <plumecast/core/error.hpp>

#include "reservoir/dataset/dataset_layout.hpp"
#include "reservoir/dataset/generic/generic_arrays.hpp"

namespace plumecast {
namespace {

[[noreturn]] void refuse_rollout(const DatasetStore& store, const std::string& problem, const std::string& remedy) {
    throw InvalidData(store.name() + ": " + problem + "; " + remedy);
}

/// The number of times, which lie at equal distances.
std::int64_t equal_times(const DatasetStore& store, const RolloutOptions& rollout) {
    const std::string path = find_array("times", Geometry::generic)->path;
    const std::vector<double> times = store.has(path) ? store.read<double>(path) : std::vector<double>();
    const auto count = static_cast<std::int64_t>(times.size());
    if (count < rollout.steps) {
        refuse_rollout(store,
                       "has " + std::to_string(count) + " times (the roll-out predicts " +
                           std::to_string(rollout.steps) + " at once)",
                       "give data of as many times at least, or change rollout.steps");
    }
    constexpr double tolerance = 1e-4;  // of a step, as times may be float32
    for (std::size_t t = 2; t < times.size(); ++t) {
        const double first = times[1] - times[0];
        if (std::abs(times[t] - times[t - 1] - first) > tolerance * first) {
            refuse_rollout(store, "its times lie at different distances (a roll-out goes on by equal steps)",
                           "give data of equal steps");
        }
    }
    return count;
}

bool varies_in_time(const ArraySpec& spec) { return std::ranges::find(spec.axes, Axis::times) != spec.axes.end(); }

std::int64_t row_size(const StoredArray& array) {
    std::int64_t size = 1;
    for (std::size_t axis = 1; axis < array.extents.size(); ++axis) {
        size *= array.extents[axis];
    }
    return size;
}

}  // namespace

WindowStore::WindowStore(std::shared_ptr<const DatasetStore> whole, const RolloutOptions& rollout,
                         std::vector<std::int64_t> starts, const RolledOutputs* rolled)
    : whole_(std::move(whole)),
      rollout_(rollout),
      starts_(std::move(starts)),
      rolled_(rolled),
      specs_(generic_arrays_of(*whole_)),
      times_(equal_times(*whole_, rollout)) {
    for (const RolledState& state : rollout_.states) {
        require_state(state);
        for (std::size_t i = 0; i < state.inputs.size(); ++i) {
            states_.emplace("/inputs/" + state.inputs[i],
                            State{&state, static_cast<std::int64_t>(state.inputs.size() - i)});
        }
    }
}

void WindowStore::require_state(const RolledState& state) const {
    const auto role_of = [&](const std::string& path) {
        const auto found = std::ranges::find(specs_, path, &ArraySpec::path);
        return found == specs_.end() ? Role::grid : found->role;
    };
    if (rolled_ == nullptr && role_of("/outputs/" + state.output) != Role::output) {
        refuse_rollout(*whole_, "no output " + state.output + " (the roll-out learns from its states)",
                       "give data that have it");
    }
    for (const std::string& input : state.inputs) {
        if (role_of("/inputs/" + input) != Role::map) {
            refuse_rollout(*whole_,
                           "no input " + input + " of the axes of space alone (it is a state of " + state.output +
                               " before the first time)",
                           "give data that have it");
        }
    }
}

const ArraySpec& WindowStore::spec_of(const std::string& array) const {
    const auto found = std::ranges::find(specs_, array, &ArraySpec::path);
    expects(found != specs_.end(), "an array that generic data have");
    return *found;
}

StoredArray WindowStore::info(const std::string& array) const {
    StoredArray info = whole_->info(array);
    const auto found = std::ranges::find(specs_, array, &ArraySpec::path);
    if (found == specs_.end()) {
        return info;
    }
    for (std::size_t axis = 0; axis < std::min(info.extents.size(), found->axes.size()); ++axis) {
        if (found->axes[axis] == Axis::cases) {
            info.extents[axis] *= static_cast<std::int64_t>(starts_.size());
        } else if (found->axes[axis] == Axis::times) {
            info.extents[axis] = rollout_.steps;
        }
    }
    return info;
}

template <class T>
void WindowStore::read_state(const State& state, std::int64_t which, std::int64_t start, std::span<T> out) const {
    const std::int64_t time = start - state.before;
    if (time < 0) {  // a state before the first time, which the data give
        const auto place = static_cast<std::size_t>(static_cast<std::int64_t>(state.of->inputs.size()) + time);
        whole_->read_rows("/inputs/" + state.of->inputs[place], which, 1, out);
        return;
    }
    const auto cells = static_cast<std::int64_t>(out.size());
    if (rolled_ != nullptr) {
        const std::vector<float>& values = rolled_->at(state.of->output);
        std::copy_n(values.begin() + (which * times_ + time) * cells, cells, out.begin());
        return;
    }
    std::vector<T> all(static_cast<std::size_t>(times_ * cells));
    whole_->read_rows("/outputs/" + state.of->output, which, 1, std::span<T>(all));
    std::copy_n(all.begin() + time * cells, cells, out.begin());
}

template <class T>
void WindowStore::read_windows(const std::string& array, std::int64_t begin, std::int64_t count,
                               std::span<T> out) const {
    const ArraySpec& spec = spec_of(array);
    if (spec.axes.front() != Axis::cases) {
        if (spec.axes.front() != Axis::times) {
            whole_->read_rows(array, begin, count, out);
            return;
        }
        std::vector<T> times(static_cast<std::size_t>(times_));
        whole_->read_rows(array, 0, times_, std::span<T>(times));
        std::copy_n(times.begin() + begin, count, out.begin());
        return;
    }
    const auto windows = static_cast<std::int64_t>(starts_.size()), size = row_size(whole_->info(array));
    const std::size_t each = out.size() / static_cast<std::size_t>(count);
    std::vector<T> row(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t which = (begin + i) / windows;
        const std::int64_t start = starts_[static_cast<std::size_t>((begin + i) % windows)];
        const std::span<T> to = out.subspan(static_cast<std::size_t>(i) * each, each);
        if (const auto state = states_.find(array); state != states_.end()) {
            read_state(state->second, which, start, to);
            continue;
        }
        whole_->read_rows(array, which, 1, std::span<T>(row));
        const std::int64_t first = varies_in_time(spec) ? start * (size / times_) : 0;
        std::copy_n(row.begin() + first, each, to.begin());
    }
}

void WindowStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                            std::span<float> out) const {
    read_windows(array, begin, count, out);
}

void WindowStore::read_rows(const std::string& array, std::int64_t begin, std::int64_t count,
                            std::span<double> out) const {
    read_windows(array, begin, count, out);
}

}  // namespace plumecast
