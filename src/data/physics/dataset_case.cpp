#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <plumecast/core/error.hpp>
#include <plumecast/data/physics/case_physics.hpp>

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

/// A number that a data set may state as a text attribute.
double stated(const Dataset& dataset, const std::string& name, double usual) {
    const std::string text = dataset.attribute(name);
    if (text.empty()) {
        return usual;
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0.0) {
        throw InvalidData(dataset.path() + ": attribute " + name + " is '" + text.substr(0, 64) +
                          "' (the reduced physics needs a number of 0 or more); correct or remove it");
    }
    return value;
}

}  // namespace

RockFluidSettings rock_fluid_of(const Dataset& dataset) {
    RockFluidSettings rock_fluid;
    rock_fluid.residual_gas_saturation = stated(dataset, "residual_gas_saturation", rock_fluid.residual_gas_saturation);
    rock_fluid.entry_pressure = stated(dataset, "entry_pressure", rock_fluid.entry_pressure);
    rock_fluid.rock_compressibility = stated(dataset, "rock_compressibility", rock_fluid.rock_compressibility);
    rock_fluid.initial_brine_temperature =
        stated(dataset, "initial_brine_temperature", rock_fluid.initial_brine_temperature);
    return rock_fluid;
}

RadialCase radial_case(const Dataset& dataset, std::int64_t which) {
    if (dataset.geometry() != Geometry::radial) {
        throw InvalidData(dataset.path() +
                          ": guided models need a radial grid (their physics is that of one well in the axis); use a "
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
    radial.initial_pressure = scalar_of(dataset, "initial_pressure", which);
    radial.temperature = scalar_of(dataset, "temperature", which);
    radial.irreducible_water_saturation = scalar_of(dataset, "irreducible_water_saturation", which);
    radial.van_genuchten_lambda = scalar_of(dataset, "van_genuchten_lambda", which);
    radial.rock_fluid = rock_fluid_of(dataset);
    return radial;
}

}  // namespace plumecast
