#include "reservoir/physics/carbon_ledger.hpp"

#include <string_view>

#include <plumecast/core/error.hpp>

#include "reservoir/physics/ledger_cotangents.hpp"

namespace plumecast {

std::map<std::string, std::vector<double>, std::less<>> carbon_ledger(const RadialCase& radial,
                                                                      const PhysicsFields& fields) {
    const auto values_of = [&](std::string_view name) {
        const auto found = fields.fields.find(name);
        if (found == fields.fields.end() || found->second.size() != radial.times.size() * radial.cells()) {
            throw InvalidInput("CO2 in place: " + std::string(name) +
                               " is not there, or has other extents than the case; give the fields of its two-phase "
                               "physics");
        }
        return std::vector<double>(found->second.begin(), found->second.end());
    };
    return ledger_series(radial, {values_of("physics_pressure_buildup"), values_of("physics_gas_saturation"),
                                  radial.has_hysteresis() ? values_of(trapped_gas_field) : std::vector<double>(),
                                  values_of("physics_dissolved_co2")});
}

}  // namespace plumecast
