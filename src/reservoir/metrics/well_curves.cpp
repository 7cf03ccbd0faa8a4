#include "reservoir/metrics/well_curves.hpp"

#include "core/units.hpp"
#include "reservoir/metrics/well_pressure.hpp"

namespace plumecast {

std::vector<WellCurve> well_curves(const CaseFields& fields, std::span<const double> times) {
    std::vector<WellCurve> curves;
    for (const CaseWell& well : fields.wells) {
        curves.push_back({well.connections.front().cell % fields.geometry.columns, {}, {}});
    }
    const std::vector<double> rates = injection_rates(fields, times);
    const WellPressures wells(fields, times);
    for (std::size_t time = 0; time < times.size(); ++time) {
        const std::vector<WellPressure> pressures = wells.at(time, rates[time]);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const CaseWell& well = fields.wells[i];
            const double rate = well.rates.empty() ? rates[time] * well.share : well.rates[time];
            curves[i].rates.push_back(rate * days_per_year / kilograms_per_megatonne);
            curves[i].bottom_hole.push_back(pressures[i].bottom_hole);
        }
    }
    return curves;
}

}  // namespace plumecast
