#include <plumecast/architectures/network.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <plumecast/architectures/describe.hpp>

#include "architectures/architecture.hpp"
#include "distributed/padded_grid.hpp"

namespace plumecast {
namespace {

/// In floating point, as the others: the products of a hostile description overflow integers.
double as_real(std::int64_t count) { return static_cast<double>(count); }

/// A network on the smallest grid on which it can be described; its weights are those of any grid.
Graph smallest_graph(const NetworkConfig& config) {
    Shape extents;
    for (const std::int64_t modes : config.modes) {
        extents = extents.append(modes == 0 ? 1 : 2 * modes + 2);
    }
    return describe(config, whole_input(config, 1, extents), ExecutionMode::evaluation);
}

/// The cells of space that ranks hold on the padded grid; nothing where they are whole.
std::optional<Partition> partition_of(const ProcessGrid* grid, const Shape& padded) {
    if (grid == nullptr || !grid->partitions_space()) {
        return std::nullopt;
    }
    return grid->partition(padded.slice(0, padded.rank() - 1));
}

}  // namespace

Network::Network(Backend& backend, NetworkConfig config, std::optional<std::uint64_t> seed, const ProcessGrid* grid)
    : config_(std::move(config)), parameters_(backend, seed, grid) {
    config_.check();
    if (grid != nullptr && grid->partitions_space() && std::ranges::find(config_.modes, 0) != config_.modes.end()) {
        throw InvalidInput(
            "ranks that share a case (the network has modes of 0 along an axis of one point, and ranks share spectra "
            "of "
            "all axes); give each rank cases of its own, or train with modes of 1 there");
    }
    for (const WeightOp& weight : smallest_graph(config_).weights()) {
        parameters_.add(weight, weight.complex_valued ? config_.space_axes() : 0);
    }
}

Box Network::input_box(const Shape& extents) const {
    const std::optional<Partition> held = partition_of(parameters_.grid(), config_.padded(extents));
    return held ? box_read(*held, extents, held->ranks().rank()) : Box(extents.slice(0, extents.rank() - 1));
}

Box Network::output_box(const Shape& extents, int place) const {
    const std::optional<Partition> held = partition_of(parameters_.grid(), config_.padded(extents));
    return held ? box_predicted(*held, extents, place) : Box(extents.slice(0, extents.rank() - 1));
}

Box Network::output_box(const Shape& extents) const {
    const ProcessGrid* grid = parameters_.grid();
    return output_box(extents, grid == nullptr ? 0 : grid->space().rank());
}

bool has_more_weights(const NetworkConfig& config, double numbers) {
    const Architecture& architecture = architecture_of(config.architecture);
    const double lift = config.lifting == 0
                            ? as_real(config.channels) * as_real(config.width)
                            : as_real(config.lifting) * (as_real(config.channels) + as_real(config.width));
    const double body = architecture.least_weights == nullptr ? 0.0 : architecture.least_weights(config);
    const double blocks = as_real(std::max({config.fourier_blocks, config.extended_blocks, config.residual_blocks}));
    if (lift + body > numbers || blocks > numbers) {
        return true;
    }
    double all = 0.0;
    for (const WeightOp& weight : smallest_graph(config).weights()) {
        double one = 1.0;
        for (const std::int64_t extent : weight.shape.extents()) {
            one *= as_real(extent);
        }
        all += one;
    }
    return all > numbers;
}

}  // namespace plumecast
