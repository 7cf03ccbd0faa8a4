#include "inverse/optimization/well_placement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/metrics/column_shares.hpp"

namespace plumecast {
namespace {

constexpr std::size_t most_combinations = 200;

std::size_t columns_of(const DatasetContent& frame) { return (frame.x_edges.size() - 1) * (frame.y_edges.size() - 1); }

/// Values [cells] of one case.
std::span<const float> of_case(const DatasetContent& frame, const char* name, std::size_t which) {
    const std::size_t cells = columns_of(frame) * (frame.z_edges.size() - 1);
    return std::span(frame.arrays.at(name)).subspan(which * cells, cells);
}

/// Columns with an injecting cell.
std::vector<std::size_t> wells_in(const DatasetContent& frame, std::size_t which) {
    const std::span<const float> rates = of_case(frame, "cell_injection_rate", which);
    std::vector<std::size_t> wells;
    for (std::size_t column = 0; column < columns_of(frame); ++column) {
        for (std::size_t cell = column; cell < rates.size(); cell += columns_of(frame)) {
            if (rates[cell] > 0.0F) {
                wells.push_back(column);
                break;
            }
        }
    }
    return wells;
}

/// The largest perforated fraction of any well of a case in each layer.
std::vector<float> perforated_layers(const DatasetContent& frame, const std::vector<std::size_t>& wells,
                                     std::size_t which) {
    const std::span<const float> perforation = of_case(frame, "perforation", which);
    std::vector<float> layers(frame.z_edges.size() - 1);
    for (std::size_t row = 0; row < layers.size(); ++row) {
        for (const std::size_t well : wells) {
            layers[row] = std::max(layers[row], perforation[row * columns_of(frame) + well]);
        }
    }
    return layers;
}

/// All combinations of so many of `count` things, each in increasing order.
std::vector<std::vector<std::size_t>> combinations_of(std::size_t some, std::size_t count) {
    std::vector<std::vector<std::size_t>> combinations{{}};
    for (std::size_t chosen = 0; chosen < some; ++chosen) {
        std::vector<std::vector<std::size_t>> longer;
        for (const std::vector<std::size_t>& one : combinations) {
            const std::size_t first = one.empty() ? 0 : one.back() + 1;
            for (std::size_t next = first; next + (some - chosen) <= count; ++next) {
                longer.push_back(one);
                longer.back().push_back(next);
            }
        }
        combinations = std::move(longer);
    }
    return combinations;
}

/// Columns of the places, each once.
std::vector<std::size_t> place_columns(const Dataset& dataset, const std::vector<WellPlace>& places) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < places.size(); ++i) {
        try {
            columns.push_back(column_at(dataset, std::array{places[i].x, places[i].y}));
        } catch (const InvalidInput& error) {
            throw InvalidInput(fmt::format("well_places[{}]: {}; correct it", i, error.what()));
        }
        const auto same = static_cast<std::size_t>(std::ranges::find(columns, columns.back()) - columns.begin());
        if (same < i) {
            throw InvalidInput(fmt::format(
                "well_places[{}] lies in the column of well_places[{}] (a column has one well); leave one of them out",
                i, same));
        }
    }
    return columns;
}

void require_few(std::size_t wells, std::size_t places, const std::string& path) {
    if (places < wells) {
        throw InvalidInput(fmt::format("well_places names {} (the cases of {} have {}); name as many or more",
                                       counted(static_cast<std::int64_t>(places), "place"), path,
                                       counted(static_cast<std::int64_t>(wells), "well")));
    }
    double count = 1.0;
    for (std::size_t i = 0; i < wells; ++i) {
        count *= static_cast<double>(places - i) / static_cast<double>(i + 1);
    }
    if (count > static_cast<double>(most_combinations) + 0.5) {
        throw InvalidInput(fmt::format(
            "well_places: {} wells have {:.0f} combinations of {} places (each is searched); name fewer, so that there "
            "are up to {}",
            wells, count, places, most_combinations));
    }
}

void require_active(const DatasetContent& frame, const WellPlacement& placement, const std::vector<std::int64_t>& cases,
                    const std::string& path) {
    for (std::size_t which = 0; which < cases.size(); ++which) {
        const std::span<const float> active = of_case(frame, "active", which);
        const std::vector<float> layers = perforated_layers(frame, placement.wells[which], which);
        for (std::size_t i = 0; i < placement.columns_of_places.size(); ++i) {
            bool is_open = false;
            for (std::size_t row = 0; row < layers.size(); ++row) {
                const std::size_t cell = row * columns_of(frame) + placement.columns_of_places[i];
                is_open = is_open || (layers[row] > 0.0F && active[cell] != 0.0F);
            }
            if (!is_open) {
                throw InvalidInput(fmt::format(
                    "well_places[{}]: case {} of {} has no active cell there in the layers that its wells perforate; "
                    "leave it out",
                    i, cases[which], path));
            }
        }
    }
}

}  // namespace

double column_sum(const std::vector<double>& values, std::size_t column, std::size_t columns) {
    double sum = 0.0;
    for (std::size_t cell = column; cell < values.size(); cell += columns) {
        sum += values[cell];
    }
    return sum;
}

WellPlacement well_placement(const Dataset& dataset, const std::vector<std::int64_t>& cases,
                             const DatasetContent& frame, const std::vector<WellPlace>& places) {
    WellPlacement placement;
    for (std::size_t which = 0; which < cases.size(); ++which) {
        std::vector<std::size_t> wells = wells_in(frame, which);
        if (wells.empty() || (which > 0 && wells.size() != placement.wells[0].size())) {
            throw InvalidData(
                fmt::format("{}: case {} has {} wells and case {} has {} (geologies of one reservoir have "
                            "the same wells, each with a rate above 0 somewhere); name such cases",
                            dataset.path(), cases[which], wells.size(), cases[0],
                            which > 0 ? placement.wells[0].size() : wells.size()));
        }
        placement.wells.push_back(std::move(wells));
    }
    if (places.empty()) {
        return placement;
    }
    placement.columns_of_places = place_columns(dataset, places);
    require_few(placement.wells[0].size(), places.size(), dataset.path());
    require_active(frame, placement, cases, dataset.path());
    std::vector<std::size_t> by_column(places.size());
    std::iota(by_column.begin(), by_column.end(), std::size_t{0});
    std::ranges::sort(by_column, {}, [&](std::size_t place) { return placement.columns_of_places[place]; });
    placement.combinations = combinations_of(placement.wells[0].size(), places.size());
    for (std::vector<std::size_t>& one : placement.combinations) {
        std::ranges::transform(one, one.begin(), [&](std::size_t place) { return by_column[place]; });
    }
    return placement;
}

OpenWells open_wells(const DatasetContent& frame, const WellPlacement& placement, std::size_t which,
                     std::size_t combination) {
    const std::vector<std::size_t>& own = placement.wells[which];
    OpenWells open{own, {}, {}};
    if (const std::vector<std::size_t>& places = placement.combinations[combination]; !places.empty()) {
        std::ranges::transform(places, open.columns.begin(),
                               [&](std::size_t place) { return placement.columns_of_places[place]; });
    }
    const std::span<const float> perforation = of_case(frame, "perforation", which),
                                 rates = of_case(frame, "cell_injection_rate", which),
                                 active = of_case(frame, "active", which),
                                 along_x = of_case(frame, "permeability_x", which),
                                 along_y = of_case(frame, "permeability_y", which);
    const bool has_factors = frame.arrays.contains("well_connection_factor"),
               has_volumes = frame.arrays.contains("cell_volume");
    const std::vector<float> layers = perforated_layers(frame, own, which);
    open.perforation.resize(active.size());
    open.weights.resize(active.size());
    open.connection_factors.resize(has_factors ? active.size() : 0);
    for (const std::size_t column : open.columns) {
        const bool is_own = std::ranges::binary_search(own, column);
        for (std::size_t row = 0; row < layers.size(); ++row) {
            const std::size_t cell = row * columns_of(frame) + column;
            if (is_own) {
                open.perforation[cell] = perforation[cell];
                open.weights[cell] = static_cast<double>(rates[cell]);
                if (has_factors) {
                    open.connection_factors[cell] = of_case(frame, "well_connection_factor", which)[cell];
                }
            } else if (active[cell] != 0.0F) {
                const double height = has_volumes ? static_cast<double>(frame.arrays.at("cell_volume")[cell])
                                                  : frame.z_edges[row + 1] - frame.z_edges[row];
                open.perforation[cell] = layers[row];
                open.weights[cell] =
                    std::sqrt(static_cast<double>(along_x[cell]) * static_cast<double>(along_y[cell])) * height *
                    static_cast<double>(layers[row]);
            }
        }
    }
    return open;
}

}  // namespace plumecast
