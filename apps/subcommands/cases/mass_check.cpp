#include "mass_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <plumecast/core/error.hpp>

#include "core/number_text.hpp"
#include "reservoir/metrics/case_fields.hpp"
#include "reservoir/metrics/case_series.hpp"

namespace plumecast::app {
namespace {

constexpr double allowed_share = 1.05;  // densities of simulators differ by a few per cent

/// The largest surplus of all cases.
struct Surplus {
    std::int64_t cases = 0;
    std::int64_t worst = 0;
    double share = 0.0;
    double day = 0.0;
};

Surplus surplus_of(const CaseReader& reader) {
    Surplus found;
    for (const std::int64_t number : reader.select({})) {
        const auto series = case_series(reader.read(number), reader.times(), {});
        const NamedSeries* free = find_series(series, "free_share");
        if (free == nullptr) {
            continue;
        }
        const auto most = std::ranges::max_element(free->values, {}, [](double share) {
            return std::isnan(share) ? 0.0 : share;  // before anything is injected
        });
        found.cases += *most > allowed_share ? 1 : 0;
        if (*most > found.share) {
            const auto time = static_cast<std::size_t>(most - free->values.begin());
            found = {found.cases, number, *most, reader.times()[time]};
        }
    }
    return found;
}

}  // namespace

void warn_of_surplus(const std::string& path, Console& console) {
    try {
        const Surplus surplus = surplus_of(CaseReader(path));
        if (surplus.cases > 0) {
            console.warn(
                fmt::format("{}: in {} more free CO2 is in place than was injected until then (at most {:.3g} times as "
                            "much, in case "
                            "{} on day {:.6g}); check injection_rate or surface_density, temperature and units",
                            path, counted(surplus.cases, "case"), surplus.share, surplus.worst, surplus.day));
        }
    } catch (const Error& error) {
        console.info("CO2 in place was not compared with what was injected: " + std::string(error.what()));
    }
}

}  // namespace plumecast::app
