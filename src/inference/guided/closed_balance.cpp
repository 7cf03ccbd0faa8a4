#include "inference/guided/closed_balance.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/units.hpp"
#include "reservoir/metrics/case_series.hpp"

#include "reservoir/dataset/axis_order.hpp"

namespace plumecast {
namespace {

/// Dissolved CO2 [kg] of one time, in the cells without and with free CO2.
struct Dissolved {
    double outside = 0.0;
    double inside = 0.0;
};

/// Gives each cell the share of brine that the predicted saturation leaves.
void follow_saturation(std::span<float> dissolved, std::span<const float> saturation, std::span<const float> known) {
    constexpr float least_share = 0.05F;  // of brine: below it a concentration would be rounding error
    for (std::size_t cell = 0; cell < dissolved.size(); ++cell) {
        dissolved[cell] *= (1.0F - saturation[cell]) / std::max(1.0F - known[cell], least_share);
    }
}

Dissolved sums(std::span<const float> dissolved, std::span<const float> saturation, const std::vector<double>& pores) {
    Dissolved sum;
    for (std::size_t cell = 0; cell < dissolved.size(); ++cell) {
        if (pores[cell] > 0.0) {
            (saturation[cell] > 0.0F ? sum.inside : sum.outside) += pores[cell] * static_cast<double>(dissolved[cell]);
        }
    }
    return sum;
}

/// Scales both parts so that together they are `wanted` [kg], as far as the limits allow.
void scale(std::span<float> dissolved, std::span<const float> saturation, const Dissolved& mass, double wanted) {
    const auto factor = [](double aim, double have, double least, double most) {
        return have > 0.0 ? std::clamp(aim / have, least, most) : 1.0;
    };
    const double outside = factor(wanted - mass.inside, mass.outside, 0.0, 2.0);
    const double inside = factor(wanted - outside * mass.outside, mass.inside, 0.5, 2.0);
    for (std::size_t cell = 0; cell < dissolved.size(); ++cell) {
        dissolved[cell] *= static_cast<float>(saturation[cell] > 0.0F ? inside : outside);
    }
}

/// Part [cells * T] of a batch, time last, as [T, cells].
std::vector<float> by_time(ConstView all, std::size_t which, const Dataset& dataset) {
    const auto each = static_cast<std::size_t>(dataset.cells() * dataset.snapshots());
    return times_first({all.as<float>() + which * each, each}, dataset.snapshots());
}

}  // namespace

DissolvedSeries close_balance(CaseFields& fields, std::span<const float> known, const std::vector<double>& times) {
    const std::vector<double> free = free_co2_mass(fields, times);
    const std::size_t cells = fields.active.size();
    DissolvedSeries shares;
    for (std::size_t time = 0; time < times.size(); ++time) {
        const std::span dissolved = std::span(fields.dissolved_co2).subspan(time * cells, cells);
        const std::span saturation = fields.at(fields.gas_saturation, time);
        const double injected =
            fields.injected_mass.empty() ? fields.injected(times[time]) : fields.injected_mass[time];
        const auto share = [&] {
            const Dissolved mass = sums(dissolved, saturation, fields.pore_volumes);
            return injected > 0.0 ? (mass.outside + mass.inside) / (injected * kilograms_per_megatonne) : 0.0;
        };
        shares.physics.push_back(share());
        follow_saturation(dissolved, saturation, known.subspan(time * cells, cells));
        scale(dissolved, saturation, sums(dissolved, saturation, fields.pore_volumes),
              (injected - free[time]) * kilograms_per_megatonne);
        shares.predicted.push_back(share());
    }
    return shares;
}

std::map<std::int64_t, DissolvedSeries> close_balance(const Dataset& dataset, const std::vector<std::int64_t>& cases,
                                                      const FieldsByName& fields, Tensor& dissolved,
                                                      CaseFailures& failures) {
    std::map<std::int64_t, DissolvedSeries> closed;
    const auto saturation = fields.predicted.find("gas_saturation"),
               buildup = fields.predicted.find("pressure_buildup");
    const auto known = fields.known.find("gas_saturation");
    if (saturation == fields.predicted.end() || buildup == fields.predicted.end() || known == fields.known.end()) {
        return closed;
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (failures.has(cases[i])) {
            continue;
        }
        CaseFields one = case_inputs(dataset, cases[i]);
        if (one.injection_rate == 0.0) {
            continue;
        }
        one.gas_saturation = by_time(*saturation->second, i, dataset);
        one.pressure_buildup = by_time(*buildup->second, i, dataset);
        one.dissolved_co2 = by_time(dissolved, i, dataset);
        try {
            if (fields.injected.size() == cases.size()) {
                one.injected_mass.assign(fields.injected[i].begin(), fields.injected[i].end());
            }
            closed[cases[i]] = close_balance(one, by_time(*known->second, i, dataset), dataset.times());
        } catch (const InvalidInput& error) {
            failures.add(cases[i], fmt::format("{}: case {}: {}", dataset.path(), cases[i], error.what()));
            continue;
        }
        const std::vector<float> values = times_last(one.dissolved_co2, dataset.cells());
        std::ranges::copy(values, dissolved.values<float>().begin() + static_cast<std::ptrdiff_t>(i * values.size()));
    }
    return closed;
}

}  // namespace plumecast
