#include "reservoir/case_physics/shared_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <plumecast/core/error.hpp>

namespace plumecast {
namespace {

bool is_positive(double time) { return time > 0.0; }

}  // namespace

PhysicsFields at_snapshots(PhysicsFields physics, const std::vector<double>& times,
                           const std::vector<double>& snapshots) {
    const auto keep = [&](std::vector<float>& values) {
        const std::size_t each = values.size() / times.size();
        std::vector<float> kept;
        kept.reserve(each * snapshots.size());
        for (const double time : snapshots) {
            const auto at = std::ranges::find(times, time) - times.begin();
            expects(static_cast<std::size_t>(at) < times.size(), "a snapshot among the times");
            const auto first = values.begin() + at * static_cast<std::ptrdiff_t>(each);
            kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(each));
        }
        values = std::move(kept);
    };
    for (auto& [name, values] : physics.fields) {
        keep(values);
    }
    keep(physics.bottom_hole_pressure);
    keep(physics.injected_mass);
    return physics;
}

std::vector<double> joined_times(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<double> times;
    std::ranges::set_union(first, second, std::back_inserter(times));
    return times;
}

PhysicsFields with_scalars_at(const PhysicsFields& physics, const std::vector<double>& times,
                              const std::vector<double>& snapshots, Start start) {
    /// Mean square over the times, up to a factor that the grid makes.
    const auto mean_square = [start](const PhysicsFields& of, const std::vector<double>& at) {
        double sum = 0.0;
        for (const float value : of.fields.find("physics_pressure_buildup")->second) {
            sum += static_cast<double>(value) * static_cast<double>(value);
        }
        const auto counted = start == Start::counted ? std::ssize(at) : std::ranges::count_if(at, is_positive);
        return sum / static_cast<double>(std::max<std::ptrdiff_t>(counted, 1));
    };
    PhysicsFields kept = at_snapshots(physics, times, snapshots);
    const double before = mean_square(physics, times);
    kept.scalars["physics_buildup_rms"] *= before > 0.0 ? std::sqrt(mean_square(kept, snapshots) / before) : 1.0;
    return kept;
}

}  // namespace plumecast
