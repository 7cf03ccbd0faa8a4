#include <span>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/reservoir/case_physics/case_physics.hpp>

#include "reservoir/dataset/cases/case_schedule.hpp"
#include "reservoir/dataset/rock_fluid.hpp"

namespace plumecast {
namespace {

std::vector<double> map_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    std::vector<float> values(static_cast<std::size_t>(dataset.cells()));
    dataset.read_map(name, {&which, 1}, values);
    return {values.begin(), values.end()};
}

double scalar_of(const Dataset& dataset, std::string_view name, std::int64_t which) {
    return static_cast<double>(dataset.scalar(name)[static_cast<std::size_t>(which)]);
}

}  // namespace

RadialCase radial_case(const Dataset& dataset, std::int64_t which) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(
            dataset.path() +
            ": guided models and estimates need a radial grid (their physics is that of one well in the axis); use a "
            "model without physics");
    }
    RadialCase radial;
    radial.r_edges = dataset.r_edges();
    radial.z_edges = dataset.z_edges();
    radial.times = dataset.times();
    radial.permeability_r = map_of(dataset, "permeability_r", which);
    radial.permeability_z = map_of(dataset, "permeability_z", which);
    radial.porosity = map_of(dataset, "porosity", which);
    radial.perforation = map_of(dataset, "perforation", which);
    for (const double active : map_of(dataset, "active", which)) {
        radial.active.push_back(active != 0.0 ? 1 : 0);
    }
    radial.injection_rate = scalar_of(dataset, "injection_rate", which);
    radial.schedule = stated_schedule(dataset, which);
    radial.initial_pressure = scalar_of(dataset, "initial_pressure", which);
    radial.temperature = scalar_of(dataset, "temperature", which);
    radial.irreducible_water_saturation = scalar_of(dataset, "irreducible_water_saturation", which);
    radial.van_genuchten_lambda = scalar_of(dataset, "van_genuchten_lambda", which);
    radial.salinity = scalar_of(dataset, "salinity", which);
    radial.residual_gas_saturation = scalar_of(dataset, "residual_gas_saturation", which);
    radial.rock_fluid = rock_fluid_of(dataset);
    return radial;
}

}  // namespace plumecast
