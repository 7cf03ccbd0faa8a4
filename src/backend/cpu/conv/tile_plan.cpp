#include "backend/cpu/conv/tile_plan.hpp"

#include <algorithm>
#include <array>

namespace plumecast::cpu {
namespace {

/// Weights of a phase along an axis; runs that are not equal in this have none.
std::int64_t kernel_of(const std::vector<PhasedRun>& runs) {
    const auto same = [&](const PhasedRun& run) { return run.kernel() == runs.front().kernel(); };
    return std::ranges::all_of(runs, same) ? runs.front().kernel() : 0;
}

/// Of the Winograd transforms for a kernel the one with the fewest products for `rows` results; the smaller one among
/// equals.
const WinogradTransform* transform_for(std::int64_t kernel, std::int64_t rows, Winograd tiles) {
    if (kernel != 2 && kernel != 3) {
        return nullptr;
    }
    const WinogradTransform& small = winograd_transform(kernel == 2 ? WinogradName::f22 : WinogradName::f23);
    const WinogradTransform& large = winograd_transform(kernel == 2 ? WinogradName::f42 : WinogradName::f43);
    const bool fewer = large.tiles(rows) * large.points < small.tiles(rows) * small.points;
    return tiles == Winograd::f4 && fewer ? &large : &small;
}

std::optional<TilePlan> plan(const std::array<AxisRule, 3>& rules, const Shape& result, const Shape& source,
                             Winograd tiles) {
    if (result.count(1, 4) == 0) {
        return {};
    }
    TilePlan p{rules[0].phased_runs(result[1]), rules[1].phased_runs(result[2]), rules[2].runs(result[3], source[3]),
               nullptr, nullptr};
    p.filter_1 = transform_for(kernel_of(p.axis_1), p.axis_1.front().rows, tiles);
    p.filter_2 = transform_for(kernel_of(p.axis_2), p.axis_2.front().rows, tiles);
    return p.filter_1 != nullptr && p.filter_2 != nullptr ? std::optional(std::move(p)) : std::nullopt;
}

std::int64_t padded(std::int64_t count, std::int64_t unit) { return (count + unit - 1) / unit * unit; }

/// Weights of a run along an axis in all phases, without those that stand for zero.
std::int64_t real_weights(const PhasedRun& run) {
    std::int64_t count = 0;
    for (const PhasedRun::Phase& phase : run.phases) {
        count += std::ranges::count_if(phase.weights, [](std::int64_t k) { return k >= 0; });
    }
    return count;
}

/// Products along an axis: results times the weights that each sums over.
std::int64_t products(const std::vector<PhasedRun>& runs) {
    std::int64_t count = 0;
    for (const PhasedRun& run : runs) {
        count += run.rows * real_weights(run);
    }
    return count;
}

}  // namespace

std::optional<TilePlan> TilePlan::make(const ConvGeometry& geometry, bool backward, const Shape& result,
                                       const Shape& source, Winograd tiles) {
    return plan(axis_rules(geometry, backward), result, source, tiles);
}

std::optional<TilePlan> TilePlan::make_gradient(const ConvGeometry& geometry, const Shape& wide, const Shape& narrow,
                                                Winograd tiles) {
    ConvGeometry direct = geometry;
    direct.transposed = false;
    std::optional<TilePlan> p = plan(axis_rules(direct, false), narrow, wide, tiles);
    const bool complete = p && p->axis_3.front().weights.size() == static_cast<std::size_t>(direct.kernel[2]);
    return complete ? p : std::nullopt;
}

std::int64_t TilePlan::tiles() const {
    std::int64_t tiles_1 = 0, tiles_2 = 0;
    for (const PhasedRun& run : axis_1) {
        tiles_1 += filter_1->tiles(run.rows);
    }
    for (const PhasedRun& run : axis_2) {
        tiles_2 += filter_2->tiles(run.rows);
    }
    return tiles_1 * tiles_2;
}

std::int64_t TilePlan::phases() const {
    return static_cast<std::int64_t>(axis_1.front().phases.size() * axis_2.front().phases.size());
}

// The numbers below fit measurements with AVX-512 over widths of 4, 12 and 36 and lines of 4 to 32 points. They are
// in multiply-adds of one lane, of which a processor does as many at a time as a vector has lanes.

double TilePlan::cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth, std::int64_t channels) const {
    constexpr double per_source = 20.0, per_result = 16.0, per_point = 6000.0, per_weight = 400.0, idle = 1.25;
    std::int64_t results = 0, products = 0, taps = 0, source = 0;
    for (const RowRun& run : axis_3) {
        const auto weights = static_cast<std::int64_t>(run.weights.size());
        results += padded(run.rows, kernels.lanes);
        products += padded(run.rows, kernels.lanes) * weights;
        taps += weights;
        source = std::max(source, run.rows * run.input_step + weights);
    }
    const std::int64_t points = filter_1->points * filter_2->points, inputs = depth * phases();
    const double point = static_cast<double>(products * inputs * channels) +
                         per_source * static_cast<double>(source * inputs) +
                         per_result * static_cast<double>(results * channels) + per_point;
    const auto runs = static_cast<std::int64_t>(axis_1.size() * axis_2.size());
    return idle * static_cast<double>(batch * tiles() * points) * point +
           per_weight * static_cast<double>(runs * points * taps * inputs * channels);
}

double TilePlan::gradient_cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth,
                               std::int64_t channels) const {
    constexpr double per_float = 6.0, per_sum = 2.0, per_point = 5000.0, per_weight = 1150.0, idle = 1.25;
    const RowRun& run = axis_3.front();
    const auto taps = static_cast<std::int64_t>(run.weights.size());
    const std::int64_t points = filter_1->points * filter_2->points;
    const std::int64_t columns = phases() * padded(taps * depth, kernels.lanes);
    const double point = static_cast<double>(run.rows * columns * channels) +
                         per_float * static_cast<double>(run.rows * (run.input_step * depth * phases() + channels)) +
                         per_sum * static_cast<double>(columns * channels) + per_point;
    return idle * static_cast<double>(batch * tiles() * points) * point +
           per_weight * static_cast<double>(points * columns * channels);
}

double TilePlan::direct_cost(const ConvKernels& kernels, std::int64_t batch, std::int64_t depth,
                             std::int64_t channels) const {
    constexpr double per_result = 1500.0, idle = 1.2;
    std::int64_t rows = 0, results = 0;
    for (const RowRun& run : axis_3) {
        rows += run.rows * static_cast<std::int64_t>(run.weights.size());
        results += run.rows;
    }
    const auto lines = [](const std::vector<PhasedRun>& runs) {
        std::int64_t count = 0;
        for (const PhasedRun& run : runs) {
            count += run.rows;
        }
        return count;
    };
    return idle * static_cast<double>(batch * products(axis_1) * products(axis_2) * rows * depth *
                                      padded(channels, kernels.lanes)) +
           per_result * static_cast<double>(batch * lines(axis_1) * lines(axis_2) * results);
}

TileLines::Layout tile_layout(const WinogradTransform& filter_1, const WinogradTransform& filter_2,
                              const PhasedRun& axis_1, const PhasedRun& axis_2, std::span<const RowRun> axis_3,
                              std::span<const ConstView> fields) {
    TileLines::Layout layout{&filter_1, &filter_2, axis_1.input_step, axis_2.input_step, 0, 0, 1, {}};
    std::int64_t end = 1;
    for (const RowRun& run : axis_3) {
        const auto weights = static_cast<std::int64_t>(run.weights.size());
        layout.before = std::max(layout.before, -run.position);
        end = std::max(end, run.position + (run.rows - 1) * run.input_step + weights);
    }
    layout.rows = layout.before + end;
    for (const PhasedRun::Phase& one : axis_1.phases) {
        for (const PhasedRun::Phase& two : axis_2.phases) {
            for (const ConstView& field : fields) {
                layout.fields.push_back({field, one.origin, two.origin});
            }
        }
    }
    return layout;
}

}  // namespace plumecast::cpu
